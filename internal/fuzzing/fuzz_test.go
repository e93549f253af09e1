package fuzzing_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/engine/virtualtime"
	"github.com/loopproof/loopproof/internal/fuzzing"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
)

var claims = []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, protocol.Reasoning, protocol.MultiPrompt, protocol.Retries}

// fuzz plays conversations to a loop, in simulated time.
func fuzz(t *testing.T, c runner.Config, most int, loop refloop.Loop) (result fuzzing.Result) {
	t.Helper()
	return fuzzAny(t, c, fuzzing.Config{Most: most}, func() refloop.Loop { return loop })
}

// fuzzAny is [fuzz] for a loop that may change.
func fuzzAny(t *testing.T, c runner.Config, drawn fuzzing.Config, current func() refloop.Loop) (result fuzzing.Result) {
	t.Helper()
	virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
		c.Listen = n.Listen
		c.Loop = loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			loop := current()
			loop.Client, loop.Backoff = &http.Client{Transport: n}, time.Millisecond
			return loop.Run(ctx, task), nil
		})
		session, err := runner.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		drawn.Session, drawn.Known, drawn.Seed = session, profiles.Known{}, 7
		result, err = fuzzing.Run(t.Context(), drawn)
		if err != nil {
			t.Fatal(err)
		}
	})
	return result
}

// TestOnce: of a loop that loses results until it was caught, the finding says that it did not come
// again.
func TestOnce(t *testing.T) {
	var caught atomic.Bool
	loop := func() refloop.Loop {
		if caught.Load() {
			return refloop.Loop{}
		}
		return losesResult
	}
	catch := func(r fuzzing.Result) {
		if r.Shrinking != "" {
			caught.Store(true)
		}
	}
	result := fuzzAny(t, runner.Config{Seed: 7, Claims: loops.Claims{Features: claims}}, fuzzing.Config{Most: 10, OnBatch: catch}, loop)
	if len(result.Findings) == 0 {
		t.Fatal("nothing is found")
	}
	for _, f := range result.Findings {
		if !f.Once || len(f.File) == 0 {
			t.Errorf("%s: it came again, or has no scenario: %s", f.Rule, f.File)
		}
	}
}

// losesResult is a loop that loses the last of several results.
var losesResult = refloop.Loop{Hooks: refloop.Hooks{Request: func(r *neutral.Request) error {
	for i := range r.Messages {
		m := &r.Messages[i]
		if results := m.Results(); len(results) > 1 {
			last := slices.Index(m.Parts, neutral.Part(results[len(results)-1]))
			m.Parts = slices.Delete(m.Parts, last, last+1)
		}
	}
	return nil
}}}

// TestAccepted: what is accepted is counted and no finding; the same rule broken with another
// message is one.
func TestAccepted(t *testing.T) {
	const rule = "pairing/every-call-answered"
	for _, tt := range []struct {
		message      string
		known, found bool
	}{
		{"", true, false},
		{"1 tool call without an answer", true, false},
		{"2 tool calls without an answer", false, true},
	} {
		accepted := func(id, message string) bool { return id == rule && strings.HasPrefix(message, tt.message) }
		config := fuzzing.Config{Most: 10, Accepted: accepted, First: true}
		result := fuzzAny(t, runner.Config{Seed: 7, Claims: loops.Claims{Features: claims}, Select: runner.Select{Rules: []string{rule}}}, config, func() refloop.Loop { return losesResult })
		if known := result.Known[rule] > 0; known != tt.known {
			t.Errorf("with %q, known is %t, want %t", tt.message, known, tt.known)
		}
		if found := len(result.Findings) > 0; found != tt.found {
			t.Errorf("with %q, %d findings, want any: %t", tt.message, len(result.Findings), tt.found)
		}
	}
}

// TestShrink: of a loop that loses the last of several results, the smallest conversation is known.
func TestShrink(t *testing.T) {
	result := fuzz(t, runner.Config{Seed: 7, Claims: loops.Claims{Features: claims}}, 10, losesResult)
	i := slices.IndexFunc(result.Findings, func(f fuzzing.Finding) bool { return f.Rule == "pairing/every-call-answered" })
	if i < 0 {
		t.Fatalf("the rule is not among those that are broken: %v", result.Findings)
	}
	_, file, _ := strings.Cut(string(result.Findings[i].File), "loopproof: 1\n")
	if diff := cmp.Diff(smallestTwoCalls, file); diff != "" {
		t.Errorf("it is another one:\n%s", diff)
	}
}

// TestShrinkSubAgents: of a loop that loses what its sub-agents answer, the smallest conversation has
// one call of one, which answers at once.
func TestShrinkSubAgents(t *testing.T) {
	loses := refloop.Loop{Hooks: refloop.Hooks{Delegate: func(_ []neutral.Message, task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
		came := run(task)
		came.Text = "done"
		return came
	}}}
	config := runner.Config{Seed: 7, Claims: loops.Claims{Features: []protocol.Feature{protocol.SubAgents}}, Select: runner.Select{Dialects: []string{"chat"}}}
	result := fuzz(t, config, 60, loses)
	if len(result.Findings) != 1 || result.Findings[0].Rule != "execution/result-reaches-the-model" {
		t.Fatalf("what is found: %v", result.Findings)
	}
	_, file, _ := strings.Cut(string(result.Findings[0].File), "loopproof: 1\n")
	if diff := cmp.Diff(smallestSubAgent, file); diff != "" {
		t.Errorf("it is another one:\n%s", diff)
	}
}

const smallestSubAgent = `title: A conversation of 1 prompt, 3 turns, 1 call
needs: [sub-agents]
profiles: [openai]
deliveries: [json]
prompt: Question 1.
model:
  - calls: [{as: call-1, tool: weather_desk, arguments: '{"prompt":"Errand 3."}'}]
  - text: Text 2.
agents:
  weather_desk:
    description: Knows the weather. Ask it in a sentence.
    system: You answer questions about the weather from measurements alone.
threads:
  call-1:
    - {text: Text 3.}
`

const smallestTwoCalls = `title: A conversation of 1 prompt, 2 turns, 2 calls
needs: [parallel-calls]
profiles: [openai]
deliveries: [json]
prompt: Question 1.
tools:
  get_weather:
    description: The weather in a city.
    parameters: {city: string}
    results: [{when: {city: Oslo}, text: Result 1.}, {when: {city: Lima}, text: Result 2.}]
model:
  - calls:
      - {as: call-1, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: call-2, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: Text 2.
`
