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
	"github.com/loopproof/loopproof/suite"
	"github.com/loopproof/loopproof/wire/chat"
)

// TestVariationsBreakNothing judges every variation by everything that is played to a fault: a rule that it breaks, must
// or should, claims more than is owed.
func TestVariationsBreakNothing(t *testing.T) {
	var stage stage
	for _, v := range Variations() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			stage.expect(t, func() error { return v.judge(t.Context()) })
		})
	}
}

// judge demands that a variation breaks no rule.
func (v Variation) judge(ctx context.Context) error {
	loop := Fault{Dialect: v.Dialect, Make: v.Make}
	features := slices.DeleteFunc(slices.Clone(Claims), func(f protocol.Feature) bool { return slices.Contains(v.Without, f) })
	config := suite.Config{
		Loop: suite.LoopFunc(loop.Run), ClaimedDialects: []string{cmp.Or(v.Dialect, chat.Dialect)}, ClaimedProfiles: v.Profiles,
		Features: features, Quick: true, Seed: 41, Timeout: time.Minute,
	}
	if (performance{Fault: loop, dialect: config.ClaimedDialects[0]}).onlySends() { // what it does shows in whole answers, too
		config.Cases = []string{"**@*/*/json", "stream/**", "outcome/**"}
	}
	r, err := suite.Play(ctx, config)
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
