package faults

import (
	"flag"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/loopproof/loopproof/report"
	"github.com/loopproof/loopproof/rules"
	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/suite"
	"github.com/loopproof/loopproof/wire/chat"
)

// TestMain lets more tests run at once than there are processors: many loops wait, for a retry or a slow tool. What
// they leave behind is small, so that it is collected seldom.
func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", "32")
	debug.SetGCPercent(400)
	m.Run()
}

// TestKillMatrix judges every fault and holds the rules that it breaks against those that it declares, in the cases in
// which it changes anything.
func TestKillMatrix(t *testing.T) {
	var archive archive
	var alone sync.RWMutex
	for _, p := range played() {
		t.Run(p.Name+"@"+p.dialect, func(t *testing.T) {
			t.Parallel()
			alone.RLock()
			broken, surprises := p.judge(t, archive.of(t, p))
			alone.RUnlock()
			declared := slices.Sorted(slices.Values(p.BreaksIn(p.dialect)))
			if !slices.Equal(broken, declared) {
				// Among so many at once a loop may be held up until it runs into a time-out of its own.
				t.Logf("broke %s among the others; judged again alone", strings.Join(broken, ", "))
				alone.Lock()
				defer alone.Unlock()
				broken, surprises = p.judge(t, archive.of(t, p))
			}
			if !slices.Equal(broken, declared) {
				t.Errorf("%s\nbreaks   %s\ndeclares %s\n%s", p.Does, strings.Join(broken, ", "), strings.Join(declared, ", "), strings.Join(surprises, "\n"))
			}
		})
	}
}

// judge returns the rules that a fault breaks, and the first findings that it does not declare.
func (p performance) judge(t *testing.T, rehearsed *recordings) (broken, surprises []string) {
	t.Helper()
	config := p.config()
	config.Loop = suite.LoopFunc(p.Run)
	if affected := rehearsed.affected(p); affected != nil {
		if len(affected) == 0 {
			return nil, []string{"the fault changes nothing in any case"}
		}
		config.Quick, config.Cases = false, affected
	}

	r, err := suite.Play(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return failed(r), undeclared(r, p.BreaksIn(p.dialect))
}

// config is what is played to a fault.
func (p performance) config() suite.Config {
	return suite.Config{ClaimedDialects: []string{p.dialect}, Features: p.Claims(), ClaimedProfiles: []string{"**"}, Quick: true, Seed: 41}
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

// concerns reports whether a fault is judged in a scenario. One that only changes the record which an outcome hands over
// changes nothing that other rules see, so that those will do which are about records. And one that is held against all
// scenarios in chat is held in messages against those of its area and of the rules that it breaks.
func (p performance) concerns(s *scenarios.Scenario) bool {
	about := func(rule string) bool { return slices.Contains(p.Breaks, rule) }
	switch {
	case p.area() == "record":
		about = func(rule string) bool { return strings.HasPrefix(rule, "record/") }
	case !p.Both || p.dialect == chat.Dialect:
		return true
	}
	return strings.HasPrefix(s.ID, p.area()+"/") || slices.ContainsFunc(s.Rules, about)
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

// undeclared shows the first findings that were not declared.
func undeclared(r *report.Report, declared []string) []string {
	var lines []string
	for _, c := range r.Cases {
		for _, f := range c.Findings {
			if !slices.Contains(declared, f.Rule) && len(lines) < 5 {
				lines = append(lines, fmt.Sprintf("%s %s: %s; expected %s, actual %s", c.ID, f.Rule, f.Message, f.Expected, f.Actual))
			}
		}
	}
	return lines
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
