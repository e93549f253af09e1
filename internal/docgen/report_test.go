package main

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/faults"
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// TestSchemaTakesReports: real reports have the keys that the schema describes, and no others.
func TestSchemaTakesReports(t *testing.T) {
	schema := compile(t, strict(t, report.JSONSchema()))
	broken := faults.All()[slices.IndexFunc(faults.All(), func(f hooks.Fault) bool { return f.Name == "pairing/drops-calls-of-known-ids" })]
	for name, test := range map[string]struct {
		loop   loops.Func
		result report.Result
		shows  []string // keys that this report has to have
	}{
		"passing": {func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			return refloop.Loop{}.Run(ctx, task), nil
		}, report.Partial, []string{`"verdict":"passed"`, `"text":"`, `"passed":0`}},
		"failing": {broken.Run, report.NotConformant, []string{
			`"because":"`, `"follows":`, `"sources":[{"url":"`, `"why":"`, `"trace":{"requests":[`, `"exhibit":"`, `"reproduce":"`, `"level":"must"`, `"answered":"`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := runner.Play(t.Context(), runner.Config{Loop: test.loop, Seed: 41, Claims: loops.Claims{Features: hooks.Claims}, Select: runner.Select{Scenarios: []string{"pairing/ids-repeat-in-later-turns", "failure/cut-stream"}, Profiles: []string{"openai", "vllm"}}})
			if err != nil {
				t.Fatal(err)
			}
			if r.Result != test.result {
				t.Errorf("the result is %s", r.Result)
			}
			var text bytes.Buffer
			if err := r.Write(&text); err != nil {
				t.Fatal(err)
			}
			if problems := problemsOf(t, schema, text.Bytes()); len(problems) > 0 {
				t.Errorf("%v", problems)
			}
			for _, key := range test.shows {
				if !strings.Contains(text.String(), key) {
					t.Errorf("the report shows no %s", key)
				}
			}
		})
	}
	for _, wrong := range []string{`{}`, `{"schema":"loopproof.report/2"}`} {
		if len(problemsOf(t, schema, asJSON(t, []byte(wrong)))) == 0 {
			t.Errorf("the schema takes %s", wrong)
		}
	}
}

// strict forbids all keys that a schema does not describe.
func strict(t *testing.T, text []byte) []byte {
	t.Helper()
	var s map[string]any
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	for _, definition := range s["$defs"].(map[string]any) {
		definition.(map[string]any)["additionalProperties"] = false
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
