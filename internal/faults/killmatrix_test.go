package faults

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/report"
	"github.com/loopproof/loopproof/rules"
	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/suite"
	"github.com/loopproof/loopproof/wire/chat"
	"github.com/loopproof/loopproof/wire/messages"
)

// TestKillMatrix judges every fault and holds the rules that it breaks against those that it declares. Most of the time
// a loop waits, for a retry or a slow tool, so many are judged at once.
func TestKillMatrix(t *testing.T) {
	const atOnce = 16
	all := played()
	reports, errs := make([]*report.Report, len(all)), make([]error, len(all))
	places := make(chan struct{}, atOnce)
	var judging sync.WaitGroup
	for i, f := range all {
		places <- struct{}{}
		judging.Go(func() {
			defer func() { <-places }()
			reports[i], errs[i] = f.judge(t)
		})
	}
	judging.Wait()
	for i, f := range all {
		t.Run(f.Name+"@"+f.dialect, func(t *testing.T) {
			declared := slices.Sorted(slices.Values(f.BreaksIn(f.dialect)))
			if errs[i] == nil && !slices.Equal(failed(reports[i]), declared) {
				// Among so many at once a loop may be held up until it runs into a time-out of its own.
				t.Logf("broke %s among the others; judged again alone", strings.Join(failed(reports[i]), ", "))
				reports[i], errs[i] = f.judge(t)
			}
			if errs[i] != nil {
				t.Fatal(errs[i])
			}
			if broken := failed(reports[i]); !slices.Equal(broken, declared) {
				t.Errorf("%s\nbreaks   %s\ndeclares %s\n%s", f.Does, strings.Join(broken, ", "), strings.Join(declared, ", "), surprises(reports[i], declared))
			}
		})
	}
}

// judge plays to a fault whatever it is held against.
func (p performance) judge(t *testing.T) (*report.Report, error) {
	return suite.Play(context.Background(), suite.Config{
		Loop: suite.LoopFunc(p.Run), ClaimedDialects: []string{p.dialect}, Features: p.Claims(), ClaimedProfiles: []string{"**"}, Quick: true, Seed: 41,
		Scenarios: stage(t, p),
	})
}

// performance is a fault in a dialect.
type performance struct {
	Fault
	dialect string
}

func played() []performance {
	var all []performance
	for _, f := range All() {
		for _, dialect := range f.Dialects() {
			all = append(all, performance{f, dialect})
		}
	}
	return all
}

// stage returns the scenarios that are played to a fault; none means all. One that only changes the record that an
// outcome hands over changes nothing that other rules see, so that those will do which are about records. And one that
// was held against all scenarios in chat is held in messages against those of its area and of the rules that it breaks.
func stage(t *testing.T, p performance) []string {
	if p.area() != "record" && !(p.Both && p.dialect == messages.Dialect) {
		return nil
	}
	library, err := suite.Library(nil)
	if err != nil {
		t.Error(err)
	}
	var ids []string
	for _, s := range library {
		if p.playable(s) && (strings.HasPrefix(s.ID, p.area()+"/") || slices.ContainsFunc(s.Rules, p.near)) {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// playable reports whether a scenario is played in the dialect of the performance.
func (p performance) playable(s *scenarios.Scenario) bool {
	if p.dialect == chat.Dialect {
		return true
	}
	home, err := profiles.Get("anthropic")
	return err == nil && s.Plays(home) && (len(s.Profiles) == 0 || slices.Contains(s.Profiles, home.Name))
}

// near reports whether a rule is about what the fault is about.
func (p performance) near(id string) bool {
	return slices.Contains(p.Breaks, id) || p.area() == "record" && strings.HasPrefix(id, "record/")
}

func failed(r *report.Report) []string {
	var ids []string
	for _, rule := range r.Rules {
		if rule.Verdict == rules.Failed {
			ids = append(ids, rule.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// surprises shows the first findings that were not declared.
func surprises(r *report.Report, declared []string) string {
	var lines []string
	for _, c := range r.Cases {
		for _, f := range c.Findings {
			if !slices.Contains(declared, f.Rule) && len(lines) < 5 {
				lines = append(lines, fmt.Sprintf("%s %s: %s; expected %s, actual %s", c.ID, f.Rule, f.Message, f.Expected, f.Actual))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// TestEveryRuleIsBrokenAlone holds every rule against the faults: one of them breaks it and no other.
func TestEveryRuleIsBrokenAlone(t *testing.T) {
	alone := map[string]bool{}
	for _, f := range All() {
		for _, dialect := range f.Dialects() {
			if breaks := f.BreaksIn(dialect); len(breaks) == 1 {
				alone[breaks[0]] = true
			}
		}
	}
	for _, id := range rules.IDs() {
		if !alone[id] {
			t.Errorf("no fault breaks %s alone", id)
		}
	}
}

func TestFaultsAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		areas := slices.Compact(slices.Sorted(func(yield func(string) bool) {
			for _, r := range rules.Book() {
				if !yield(r.Area()) {
					return
				}
			}
		}))
		if !slices.Contains(areas, f.area()) {
			t.Errorf("%s: there is no area %s", f.Name, f.area())
		}
		if seen[f.Name] {
			t.Errorf("two faults are called %s", f.Name)
		}
		seen[f.Name] = true
		if !strings.HasSuffix(f.Does, ".") || len(f.Breaks) == 0 {
			t.Errorf("%s: a fault says in a sentence what it does, and which rules it breaks", f.Name)
		}
		for _, id := range f.Breaks {
			if rules.Lookup(id) == nil {
				t.Errorf("%s declares the rule %s, which does not exist", f.Name, id)
			}
		}
	}
}
