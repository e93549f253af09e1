package engine

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"sync"

	"github.com/loopproof/loopproof/internal/engine/scripts"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// states are what answers of a run have set for the requests after them. The zero value is ready
// for use.
type states struct {
	mu  sync.Mutex
	set map[string]string // never changed, but replaced
}

// now returns what is set. Nobody may change it.
func (s *states) now() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set
}

// enter sets what an answer says.
func (s *states) enter(all []scenarios.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := maps.Clone(s.set)
	if next == nil {
		next = map[string]string{}
	}
	for _, set := range all {
		next[set.Name] = set.Text
	}
	s.set = next
}

// forget forgets what was set.
func (s *states) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set = nil
}

// stated is what an answer set, on its way to other servers.
type stated struct {
	Run string            `json:"run"`
	Set []scenarios.State `json:"set"`
}

// enterState sets what the chosen answer says for the requests after it, here and on the other
// servers. What goes wrong instead of the answer sets nothing.
func (p *Provider) enterState(t target, c *choice) {
	o, is := t.(*dialectRun)
	if !is || c.by != byTurn || c.turn == nil || c.plan.instead() != nil || len(c.turn.Step.State) == 0 {
		return
	}
	o.run.states.enter(c.turn.Step.State)
	p.tellOthers(update{State: &stated{o.run.ID, c.turn.Step.State}})
}

// catchUpStates learns what answers of other servers have set, where a script asks for it.
func (p *Provider) catchUpStates(t target) {
	o, is := t.(*dialectRun)
	if !is || p.others == nil {
		return
	}
	for _, set := range []*playedScripts{o.added.Load(), o.played()} {
		if set != nil && set.AsksState {
			p.catchUp()
			return
		}
	}
}

// draws are what decides by chance which step answers a request: a draw for each script, in which
// the shares of its steps are added.
type draws struct {
	of    *dialectRun
	in    *received
	by    *scenarios.Behaviour // which the request asks for
	drawn map[*scenarios.Script]*draw
}

// draw is a number from 0 up to 1, and the sum of the shares that it was compared with.
type draw struct{ at, sum float64 }

// hits reports whether a step is played, which answers a share of the requests.
func (d *draws) hits(c scripts.Candidate) bool {
	one := d.drawn[c.Script]
	if one == nil {
		s := c.Script.Scenario
		b := d.by.Over(s.Behaviour).Over(d.of.run.config.Behaviour)
		if b == nil {
			b = &scenarios.Behaviour{}
		}
		key := sha256.Sum256(fmt.Append(nil, s.ID, d.in.conversation()))
		one = &draw{at: dice(b.Seed, key, d.of.run.attempts.count(key, "chance", 0)).Float64()}
		if d.drawn == nil {
			d.drawn = map[*scenarios.Script]*draw{}
		}
		d.drawn[c.Script] = one
	}
	from := one.sum
	one.sum += float64(*c.Chance)
	return from <= one.at && one.at < one.sum
}
