package runner_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/faults"
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// TestOneCauseCountsOnce: what only follows from a violation stays visible, is found as ever by
// anyone who looks at verdicts, and is not counted as one more.
func TestOneCauseCountsOnce(t *testing.T) {
	t.Parallel()
	r, err := runner.Play(t.Context(), runner.Config{
		Loop: fault("pairing/drops-calls-of-known-ids"), Seed: 41, // in the second one the cause is not judged,
		Claims: loops.Claims{Features: hooks.Claims, Profiles: []string{"**"}},
		Select: runner.Select{Scenarios: []string{"pairing/ids-repeat-in-later-turns"}, Deliveries: []string{"json", "sse-bytes"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Broken(trace.Must); len(got) != 1 || got[0].ID != "history/calls-come-back" {
		t.Errorf("the musts that are broken are %+v", got)
	}
	var also []string
	for _, rule := range r.Rules {
		if rule.Follows > 0 && rule.OwnCases() == 0 {
			also = append(also, rule.ID)
		}
	}
	if len(also) < 2 || r.Result != report.NotConformant {
		t.Errorf("what follows is %+v, and the result %s", also, r.Result)
	}
	for _, rule := range also {
		if _, f := r.Example(rule); f == nil {
			t.Errorf("%s has no finding", rule)
		}
	}
	judged := (&knownfailing.List{}).Judge(r, knownfailing.Plan{})
	for _, f := range judged.Unexpected {
		if f.Rule != "history/calls-come-back" {
			t.Errorf("a known-failing list has to name %s in %s", f.Rule, f.Case)
		}
	}
}

func fault(name string) loops.Func {
	for _, f := range faults.All() {
		if f.Name == name {
			return f.Run
		}
	}
	panic("there is no fault " + name)
}
