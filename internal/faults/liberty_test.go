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

// TestLibertiesBreakNothing judges every liberty by everything that is played to a fault: a rule that it breaks, must
// or should, claims more than is owed.
func TestLibertiesBreakNothing(t *testing.T) {
	var stage stage
	for _, l := range Liberties() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			stage.expect(t, func() error { return l.judge(t.Context()) })
		})
	}
}

// judge demands that a liberty breaks no rule.
func (l Liberty) judge(ctx context.Context) error {
	loop := Fault{Dialect: l.Dialect, Make: l.Make}
	features := slices.DeleteFunc(slices.Clone(Claims), func(f protocol.Feature) bool { return slices.Contains(l.Without, f) })
	config := suite.Config{
		Loop: suite.LoopFunc(loop.Run), ClaimedDialects: []string{cmp.Or(l.Dialect, chat.Dialect)}, ClaimedProfiles: l.Profiles,
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
		return fmt.Errorf("%s\nbreaks %s\n%s", l.Does, strings.Join(broken, ", "), strings.Join(undeclared(r, nil), "\n"))
	}
	return nil
}

func TestLibertiesAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range Liberties() {
		if seen[l.Name] {
			t.Errorf("two liberties are called %s", l.Name)
		}
		seen[l.Name] = true
		if !strings.HasSuffix(l.Does, ".") || len(l.Sources) == 0 {
			t.Errorf("%s: a liberty says in a sentence what the loop does, and why that is right", l.Name)
		}
	}
}
