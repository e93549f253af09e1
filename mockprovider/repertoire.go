package mockprovider

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// repertoire is what is played outside of runs, in the order in which it is tried: all that says to which requests it
// answers, as it was given; then what answers every request.
type repertoire struct {
	scripts []*scenarios.Script
	answers rendered
}

func newRepertoire(all []*scenarios.Scenario, p *profiles.Profile, secret string) *repertoire {
	r := &repertoire{answers: rendered{answers: map[renderedKey]response{}}}
	for _, s := range all {
		r.scripts = append(r.scripts, scenarios.Compile(s, p, secret))
	}
	return r
}

// choice is a script that answers a request, and where it has no prompt, the step of it.
type choice struct {
	script *scenarios.Script
	step   int // from 0; -1: the place is found from the history
}

// choose finds the script that answers a request. left reports whether a step that is to be played so many times to the
// same request has not yet been.
func (r *repertoire) choose(ask scenarios.Ask, left func(choice, int) bool) (choice, error) {
	if len(r.scripts) == 0 {
		return choice{}, errors.New("no scenario is played here: start the server with --scenario, or ask under the path of a run")
	}
	if only := r.scripts[0]; len(r.scripts) == 1 && !conditional(only.Scenario) {
		return choice{only, -1}, nil
	}
	tried := r.candidates(ask)
	for _, isDefault := range []bool{false, true} {
		for _, c := range tried {
			if c.always != isDefault || len(c.misses) > 0 {
				continue
			}
			if times := c.times(); times == 0 || left(c.choice, times) {
				return c.choice, nil
			}
		}
	}
	if !slices.ContainsFunc(r.scripts, func(s *scenarios.Script) bool { return conditional(s.Scenario) }) {
		return choice{}, r.unknownPrompt(ask)
	}
	return choice{}, unanswered(ask, tried)
}

// candidate is a script or a step that may answer a request.
type candidate struct {
	choice
	always bool // it answers every request
	holds  int  // how many conditions the request fulfils
	misses []scenarios.Miss
}

func (c candidate) times() int {
	if c.step < 0 {
		return 0
	}
	return c.script.Scenario.Model[c.step].Times
}

// candidates returns all that may answer a request, in the order in which it was given.
func (r *repertoire) candidates(ask scenarios.Ask) []candidate {
	var all []candidate
	for _, script := range r.scripts {
		all = append(all, r.of(script, ask)...)
	}
	return all
}

// of returns the candidates of a script: itself, or its steps.
func (r *repertoire) of(script *scenarios.Script, ask scenarios.Ask) []candidate {
	s := script.Scenario
	if s.Prompted() {
		when := s.When
		if when == nil {
			when = &scenarios.When{FirstUser: &scenarios.Text{Equals: &s.Prompts[0]}}
		}
		return []candidate{newCandidate(choice{script, -1}, ask, when)}
	}
	all := make([]candidate, len(s.Model))
	for i := range s.Model {
		all[i] = newCandidate(choice{script, i}, ask, s.When, s.Model[i].When)
	}
	return all
}

func newCandidate(c choice, ask scenarios.Ask, whens ...*scenarios.When) candidate {
	found, conditions := candidate{choice: c}, 0
	for _, w := range whens {
		conditions += w.Conditions()
		found.misses = append(found.misses, w.Misses(ask)...)
	}
	found.always = conditions == 0
	found.holds = conditions - len(found.misses)
	return found
}

// nearer reports whether a request is nearer to a candidate than to another: less is missing, or as much and more of what
// is wanted is there.
func (c candidate) nearer(other candidate) bool {
	if a, b := float64(len(c.misses))-c.near(), float64(len(other.misses))-other.near(); a != b {
		return a < b
	}
	if a, b := c.near(), other.near(); a != b {
		return a > b
	}
	return c.holds > other.holds
}

func (c candidate) near() (sum float64) {
	for _, m := range c.misses {
		sum += m.Near
	}
	return sum
}

// name says which script or step it is: "support/refunds, step 2 (line 9)".
func (c candidate) name() string {
	if c.step < 0 {
		return c.script.Scenario.ID
	}
	return fmt.Sprintf("%s, step %d (line %d)", c.script.Scenario.ID, c.step+1, c.script.Scenario.Line(c.step))
}

func (r *repertoire) unknownPrompt(ask scenarios.Ask) error {
	var known []string
	for _, s := range r.scripts {
		known = append(known, fmt.Sprintf("%q", s.Scenario.Prompts[0]))
	}
	return fmt.Errorf("no scenario begins with the prompt %q; those played here begin with %s", ask.FirstUser(), strings.Join(known, ", "))
}

// unanswered says what was asked, what came nearest to answering it, and why that did not.
func unanswered(ask scenarios.Ask, tried []candidate) error {
	nearest := tried[0]
	for _, c := range tried[1:] {
		if c.nearer(nearest) {
			nearest = c
		}
	}
	why := fmt.Sprintf("it has answered this request %d times already", nearest.times())
	if len(nearest.misses) > 0 {
		var all []string
		for _, m := range nearest.misses {
			all = append(all, m.String())
		}
		why = strings.Join(all, "; ")
	}
	return fmt.Errorf("no script answers this request: %s. The nearest of %d is %s, but %s. A step without `when` answers what is left", ask.Summary(), len(tried), nearest.name(), why)
}
