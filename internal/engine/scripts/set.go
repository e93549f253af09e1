package scripts

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
)

// Set is what is played outside of runs of loops, in the order in which it is tried: all that says
// to which requests it answers, as it was given; then what answers every request.
type Set struct {
	Scripts []*scenarios.Script

	// AsksState is whether conditions ask for what earlier answers have set.
	AsksState bool

	tried      []Candidate
	recordings map[string][]Candidate // recordings that begin with the same prompt, by that prompt
}

// New makes scenarios ready under a profile. All conversations are those of the only scenario that
// was written by hand.
func New(all []*scenarios.Scenario, only bool, p *profiles.Profile, secret string) *Set {
	r := inOrder(all, only, p, secret)
	slices.SortStableFunc(r.tried, func(a, b Candidate) int { return one(a.conditions() == 0) - one(b.conditions() == 0) })
	r.groupRecordings()
	return r
}

// InOrder is [New] for scripts that are tried in their order, also where they answer every request.
func InOrder(all []*scenarios.Scenario, p *profiles.Profile, secret string) *Set {
	return inOrder(all, false, p, secret)
}

func inOrder(all []*scenarios.Scenario, only bool, p *profiles.Profile, secret string) *Set {
	r := &Set{}
	for _, s := range all {
		var lacks []scenarios.Lack
		if !s.Prompted() {
			s, lacks = s.ShownUnder(p)
		}
		script := scenarios.Compile(s, p, secret)
		r.Scripts = append(r.Scripts, script)
		for _, c := range candidates(script, only) {
			c.lacks = lackOf(c.Step, lacks)
			r.tried = append(r.tried, c)
			r.AsksState = r.AsksState || slices.ContainsFunc(c.whens, (*scenarios.When).AsksState)
		}
	}
	return r
}

// Candidate is a script that may answer a request, or a step of one without a prompt, and the
// conditions.
type Candidate struct {
	Script *scenarios.Script
	Step   int // from 0; -1: the place is found from the history
	Times  int // how often it answers the same request; 0: any number

	Requests int // how many requests it answers, whichever they are; 0: any number

	Chance *scenarios.Share // of the requests that come to it; nil: all

	whens []*scenarios.When
	lacks string // why the profile cannot show the step, or ""
}

// lackOf returns why a step is not played at all, or "".
func lackOf(step int, lacks []scenarios.Lack) string {
	for _, l := range lacks {
		if l.Step == step && l.Key == "" {
			return l.Why
		}
	}
	return ""
}

// candidates returns those of a script: itself, or its steps. only says that there is no other
// scenario.
func candidates(script *scenarios.Script, only bool) []Candidate {
	s := script.Scenario
	switch {
	case s.Prompted() && (s.When != nil || only && len(s.Facts().Recorded) == 0):
		return []Candidate{{Script: script, Step: -1, whens: []*scenarios.When{s.When}}}
	case s.Prompted():
		begins := &scenarios.When{FirstUser: &scenarios.Text{Equals: &s.Prompts[0]}}
		return []Candidate{{Script: script, Step: -1, whens: []*scenarios.When{begins}}}
	}
	all := make([]Candidate, len(s.Model))
	for i, step := range s.Model {
		all[i] = Candidate{Script: script, Step: i, whens: []*scenarios.When{s.When, step.When}, Times: step.Times, Requests: step.Requests, Chance: step.Chance}
	}
	return all
}

func (c Candidate) conditions() (n int) {
	for _, w := range c.whens {
		n += w.Conditions()
	}
	return n
}

func (c Candidate) fits(ask scenarios.Ask) bool {
	for _, w := range c.whens {
		if !w.Fits(ask) {
			return false
		}
	}
	return true
}

// Choose finds the script that answers a request. left reports whether a step which is played only
// so many times has not yet been, or by chance is played now.
func (r *Set) Choose(ask scenarios.Ask, left func(Candidate) bool) (Candidate, error) {
	for _, c := range r.tried {
		if c.fits(ask) && (c.Times == 0 && c.Requests == 0 && c.Chance == nil || left(c)) {
			if c.lacks != "" {
				p := c.Script.Profile
				return c, impossible{c.Script, c.Step, fmt.Sprintf("the profile %s cannot show it", p.Name), []string{c.lacks}}
			}
			return r.bestRecording(c, ask), nil
		}
	}
	switch {
	case len(r.tried) == 0:
		return Candidate{}, errors.New("no scenario is played here: start the server with --scenario, or ask under the path of a run")
	case !slices.ContainsFunc(r.Scripts, func(s *scenarios.Script) bool { return conditional(s.Scenario) }):
		return Candidate{}, r.unknownPrompt(ask)
	default:
		return Candidate{}, r.unanswered(ask)
	}
}

// miss is a Candidate that does not answer a request.
type miss struct {
	Candidate
	missing []scenarios.Miss
	near    float64
}

func (c Candidate) miss(ask scenarios.Ask) miss {
	m := miss{Candidate: c}
	for _, w := range c.whens {
		m.missing = append(m.missing, w.Misses(ask)...)
	}
	for _, missing := range m.missing {
		m.near += missing.Near
	}
	return m
}

// nearer reports whether a request is nearer to a Candidate than to another: less is missing, or as
// much and more of what is wanted is there.
func (m miss) nearer(other miss) bool {
	if a, b := float64(len(m.missing))-m.near, float64(len(other.missing))-other.near; a != b {
		return a < b
	}
	if m.near != other.near {
		return m.near > other.near
	}
	return m.conditions()-len(m.missing) > other.conditions()-len(other.missing)
}

// name says which script or step it is: "support/refunds, step 2 (line 9)".
func (c Candidate) name() string {
	if c.Step < 0 {
		return c.Script.Scenario.ID
	}
	return fmt.Sprintf("%s, step %d (line %d)", c.Script.Scenario.ID, c.Step+1, c.Script.Scenario.Line(c.Step))
}

// maxKnown is how many prompts an error lists.
const maxKnown = 12

func (r *Set) unknownPrompt(ask scenarios.Ask) error {
	var known []string
	for _, s := range r.Scripts {
		if prompt := inShort(s.Scenario.Prompts[0]); !slices.Contains(known, prompt) {
			known = append(known, prompt)
		}
	}
	if more := len(known) - maxKnown; more > 0 {
		known = append(known[:maxKnown], fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("no scenario begins with the prompt %s; those played here begin with %s", inShort(ask.FirstUser()), strings.Join(known, ", "))
}

// inShort quotes a text, and cuts it where it is long.
func inShort(text string) string {
	if r := []rune(text); len(r) > maxInShort {
		return strconv.Quote(string(r[:maxInShort])) + "…"
	}
	return strconv.Quote(text)
}

const maxInShort = 120 // characters

// UnansweredError is the error about a request that no script answers. It says what was asked, what
// came nearest to answering it, and why that did not.
type UnansweredError struct {
	trace.Unanswered
	nearest miss
	all     int
}

func (e *UnansweredError) Error() string {
	return fmt.Sprintf("no script answers this request: %s. The nearest of %d is %s, but %s. A step without `when` answers what is left", e.Asked, e.all, e.nearest.name(), e.nearest.why())
}

// maxTried is of how many steps is noted why they do not answer a request.
const maxTried = 8

func (r *Set) unanswered(ask scenarios.Ask) error {
	misses := make([]miss, len(r.tried))
	for i, c := range r.tried {
		misses[i] = c.miss(ask)
	}
	slices.SortStableFunc(misses, func(a, b miss) int {
		switch {
		case a.nearer(b):
			return -1
		case b.nearer(a):
			return 1
		default:
			return 0
		}
	})
	e := &UnansweredError{trace.Unanswered{Asked: ask.Summary()}, misses[0], len(misses)}
	for i, m := range misses {
		if left := len(misses) - i; i == maxTried && left > 1 {
			e.Tried = append(e.Tried, fmt.Sprintf("and %d more", left))
			break
		}
		e.Tried = append(e.Tried, m.name()+": "+m.why())
	}
	return e
}

// why says why a Candidate does not answer a request.
func (m miss) why() string {
	switch {
	case len(m.missing) > 0:
		all := make([]string, len(m.missing))
		for i, missing := range m.missing {
			all[i] = missing.String()
		}
		return strings.Join(all, "; ")
	case m.Chance != nil:
		return fmt.Sprintf("it answers %.4g%% of the requests by chance, and not this one", float64(*m.Chance)*100)
	case m.Requests > 0:
		return fmt.Sprintf("it answers only so many requests of a run: %d", m.Requests)
	default:
		return fmt.Sprintf("it has answered this request %d times already", m.Times)
	}
}
