package runner

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// TestPreflightKnowsLoopsThatEndByATool: the preflight tells the author of a loop that ends by a
// tool what to claim, instead of an error in every case.
func TestPreflightKnowsLoopsThatEndByATool(t *testing.T) {
	t.Parallel()
	var loop loops.Func = func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
		post(ctx, http.DefaultTransport, task, `{"model":"m","messages":[{"role":"user","content":"Say hello."}],"tools":[{"type":"function","function":{"name":"final_answer","parameters":{"type":"object","properties":{}}}}]}`)
		return protocol.Outcome{}, errors.New("the model called no tool")
	}
	_, err := Play(t.Context(), Config{Loop: loop, Seed: 41})
	if err == nil || !strings.Contains(err.Error(), "final_answer") || !strings.Contains(err.Error(), "answers-by-tool") {
		t.Errorf("the error is %v", err)
	}
}

// TestDesignsAreReported: what is not judged for a design is unclaimed, and never passed.
func TestDesignsAreReported(t *testing.T) {
	t.Parallel()
	r, err := Play(t.Context(), Config{
		Loop: loops.Func(reference), Seed: 41,
		Claims: loops.Claims{Features: commandClaims, Designs: []protocol.Design{protocol.WindowedHistory}},
		Select: Select{Scenarios: []string{"history/five-rounds"}, Profiles: []string{"openai"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(r.Claims.Unclaimed, protocol.WholeHistory) || !slices.Contains(r.Claims.Designs, protocol.WindowedHistory) {
		t.Errorf("the claims are %+v", r.Claims)
	}
	if !slices.ContainsFunc(r.With(trace.Unclaimed), func(rule report.Rule) bool { return rule.ID == "history/only-grows" }) {
		t.Errorf("history/only-grows is not unclaimed: %+v", r.Rules)
	}
}
