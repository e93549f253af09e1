package suite

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/profiles"
)

// foreignTools are those of a program that runs none of the task's.
type foreignTools struct{}

// RoundTrip answers what is asked of a tool of the task, as the program's own tool of that name does.
func (foreignTools) RoundTrip(req *http.Request) (*http.Response, error) {
	if !strings.Contains(req.URL.Path, "/tools/") {
		return http.DefaultTransport.RoundTrip(req)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("Nothing was found.")), Request: req}, nil
}

// TestLoopsWithToolsOfTheirOwn: what the tools of a program return, and which it offers, nobody can know. It can be
// conformant by what can be known.
func TestLoopsWithToolsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for name, loop := range map[string]LoopFunc{
		"other tools": func(ctx context.Context, task Task) (Outcome, error) {
			task.Tools = []Tool{{Name: "bash", Description: "Run a command.", Parameters: json.RawMessage(`{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}`)}}
			return reference(ctx, task)
		},
		"tools of the same names": func(ctx context.Context, task Task) (Outcome, error) {
			return refloop.Loop{Backoff: time.Millisecond, Threads: true, Client: &http.Client{Transport: foreignTools{}}}.Run(ctx, task), nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := Play(t.Context(), Config{
				Loop: loop, NoExecutions: true, Quick: true, Seed: 41, ClaimedDialects: profiles.Dialects(),
				Features: referenceClaims, ClaimedProfiles: []string{"**"},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, rule := range r.Rules {
				if rule.Verdict == trace.Failed && rule.Level != trace.Info || rule.Verdict == trace.Untested && rule.Level == trace.Must {
					_, f := r.Finding(rule.ID)
					t.Errorf("%s, a %s, is %s: %+v", rule.ID, rule.Level, rule.Verdict, f)
				}
			}
		})
	}
}
