package runner

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/report"
)

// A scenario that takes a second by its nature is judged last, so that nobody waits for it, and has
// its place in the report.
func TestCasesThatWaitAreJudgedLast(t *testing.T) {
	t.Parallel()
	const before, waits, after = "pairing/single-call", "retry/overloaded", "stream/comments"
	var judged []string
	r := inMemory(t, Config{
		Seed: 41, ToolServer: toolserver.ForRun, Claims: loops.Claims{Features: referenceClaims},
		Select: Select{Scenarios: []string{before, waits, after}, Profiles: []string{"openai"}},
		Hooks:  Hooks{OnCase: func(_, _ int, c report.Case) { judged = append(judged, c.Scenario) }},
	}, referenceOver)
	if got := slices.Compact(judged); !slices.Equal(got, []string{before, after, waits}) {
		t.Errorf("the cases are judged in the order %q", got)
	}
	var reported []string
	for _, c := range r.Cases {
		reported = append(reported, c.Scenario)
	}
	if got := slices.Compact(reported); !slices.Equal(got, []string{before, waits, after}) {
		t.Errorf("the report has the order %q", got)
	}
}
