package fuzzing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/fuzzing"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
)

// TestOneCauseIsOneFinding: a loop that drops the last of several calls breaks another rule for
// each kind of call, and in other conversations only rules about what follows. All are listed under
// the rule that the plainest conversation breaks.
func TestOneCauseIsOneFinding(t *testing.T) {
	got := causes(t, refloop.Hooks{Turn: dropsLastCall})
	want := []string{
		"execution/every-call-run (A conversation of 1 prompt, 2 turns, 2 calls)",
		"  same cause execution/invalid-json-answered",
		"  same cause execution/schema-breach-answered",
		"  same cause execution/siblings-unaffected",
		"  same cause execution/unknown-tool-answered",
		"  same cause history/calls-come-back",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTwoCausesAreTwoFindings: what a loop does wrong with one kind of call alone is a finding of
// its own, although another bug loses other calls.
func TestTwoCausesAreTwoFindings(t *testing.T) {
	unreadable := func(c *neutral.Call) bool {
		return strings.Contains(c.Arguments, "{city") || strings.HasSuffix(c.Arguments, ",")
	}
	got := causes(t, refloop.Hooks{Turn: func(turn *neutral.Turn) {
		dropsLastCall(turn)
		turn.Parts = slices.DeleteFunc(turn.Parts, func(p neutral.Part) bool {
			call, is := p.(*neutral.Call)
			return is && unreadable(call)
		})
	}})
	for _, want := range []string{"execution/every-call-run (A conversation of 1 prompt, 2 turns, 2 calls)", "execution/invalid-json-answered (A conversation of 1 prompt, 2 turns, 1 call)"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is no finding of its own; the findings are:\n%s", want, strings.Join(got, "\n"))
		}
	}
}

// causes returns what is found of a loop, each finding with what is listed under it.
func causes(t *testing.T, hooks refloop.Hooks) (lines []string) {
	t.Helper()
	config := runner.Config{Seed: 7, Claims: loops.Claims{Features: claims}}
	result := fuzzAny(t, config, fuzzing.Config{Most: 140}, func() refloop.Loop { return refloop.Loop{Hooks: hooks} })
	for _, f := range result.Findings {
		lines = append(lines, fmt.Sprintf("%s (%s)", f.Rule, f.Small.Title()))
		var under []string
		for _, c := range f.Follow {
			under = append(under, "  as a result "+c.Rule)
		}
		for _, c := range f.Alike {
			under = append(under, "  same cause "+c.Rule)
			if len(c.File) == 0 {
				t.Errorf("%s has no file", c.Rule)
			}
		}
		slices.Sort(under)
		lines = append(lines, under...)
	}
	return lines
}

func dropsLastCall(turn *neutral.Turn) {
	calls := turn.Calls()
	if len(calls) < 2 {
		return
	}
	last := neutral.Part(calls[len(calls)-1])
	turn.Parts = slices.DeleteFunc(turn.Parts, func(p neutral.Part) bool { return p == last })
}
