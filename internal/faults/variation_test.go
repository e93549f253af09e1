package faults

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/wire/chat"
)

// TestVariationsBreakNothing judges every variation in the cases in which it changes anything: a rule that it breaks, must
// or should, claims more than is owed.
func TestVariationsBreakNothing(t *testing.T) {
	var archive archive
	var stage stage
	for _, v := range Variations() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			stage.expect(t, func() error { return v.judge(t.Context(), &archive) })
		})
	}
}

// sampledForVariations is how many scenarios a variation is judged in by default.
const sampledForVariations = 24

// judge demands that a variation breaks no rule, and that it changes something.
func (v Variation) judge(ctx context.Context, archive *archive) error {
	p := performance{
		Fault:   Fault{Name: v.Name, Dialect: v.Dialect, Make: v.Make},
		dialect: cmp.Or(v.Dialect, chat.Dialect), profiles: v.Profiles, timeout: time.Minute,
		features: slices.DeleteFunc(slices.Clone(Claims), func(f protocol.Feature) bool { return slices.Contains(v.Without, f) }),
	}
	rehearsed, err := archive.of(ctx, p)
	if err != nil {
		return err
	}
	cases, _ := rehearsed.affected(p, rehearsed.families(p), atMost(sampledForVariations))
	if len(cases) == 0 {
		return fmt.Errorf("%s\nchanges nothing in any case", v.Does)
	}
	r, err := p.play(ctx, cases)
	if err != nil {
		return err
	}
	if broken := failed(r); len(broken) > 0 {
		return fmt.Errorf("%s\nbreaks %s\n%s", v.Does, strings.Join(broken, ", "), strings.Join(undeclared(r, nil), "\n"))
	}
	return nil
}

func TestVariationsAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range Variations() {
		if seen[v.Name] {
			t.Errorf("two variations are called %s", v.Name)
		}
		seen[v.Name] = true
		if !strings.HasSuffix(v.Does, ".") || len(v.Sources) == 0 {
			t.Errorf("%s: a variation says in a sentence what the loop does, and why that is right", v.Name)
		}
	}
}
