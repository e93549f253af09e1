package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/engine/scripts"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/suggest"
)

// control is what a test does to a run while its application talks to it: it adds answers, which
// come before those of the scripts, and releases answers that are held.
type control struct {
	mu     sync.Mutex
	added  []*scenarios.Scenario // a step each, the first one first
	number int                   // of those that were added so far
	weight int64                 // of those that are there
	gates  map[string]chan struct{}

	used sync.Map // by id: the answers that have answered all of their requests
}

// answers are added answers on their way to a run.
type answers struct {
	Run   string   `json:"run"`
	IDs   []string `json:"ids"`
	Texts []string `json:"texts"` // steps in YAML or JSON
}

// AddAnswers adds answers to a run, which come before those of its scripts and answer a request
// each unless they say otherwise. Each text is a step in YAML or JSON. Either all are added, or
// none and the error says why.
func (p *Provider) AddAnswers(r *TestRun, texts ...string) error {
	a := answers{Run: r.ID, Texts: texts}
	r.control.mu.Lock()
	first := r.control.number + 1
	r.control.number += len(texts)
	r.control.mu.Unlock()
	for i := range texts {
		id := fmt.Sprintf("answer-%d", first+i)
		if p.others != nil { // other servers number theirs, too
			id += "-" + token(4)
		}
		a.IDs = append(a.IDs, id)
	}
	if err := p.addAnswers(r, a); err != nil {
		return err
	}
	p.tellOthers(update{Add: &a})
	return nil
}

func (p *Provider) addAnswers(r *TestRun, a answers) error {
	if len(a.Texts) == 0 {
		return errors.New("there is no answer in the list")
	}
	known := rulebook.Vocabulary(controlView{p}.Profiles())
	var all []*scenarios.Scenario
	weight := int64(0)
	for i, text := range a.Texts {
		s, err := scenarios.ParseAnswer(a.IDs[i], text, known)
		if err != nil {
			return err
		}
		all = append(all, s)
		weight += weightOfScript(text, s)
	}
	c := &r.control
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := p.config.Limits.checkScripts(r.weight + c.weight + weight); err != nil {
		return err
	}
	c.added = slices.DeleteFunc(c.added, func(s *scenarios.Scenario) bool { _, used := c.used.Load(s.ID); return used })
	c.added = append(c.added, all...)
	c.weight += weight
	for _, o := range r.dialects {
		o.added.Store(&playedScripts{scripts.InOrder(c.added, o.about.profile, r.config.Secret), newRenderCache()})
	}
	p.changes.Tell()
	return nil
}

// leftOf returns a function that reports whether an added answer is left, by the one that counts
// its requests. What was used up is not counted again.
func (c *control) leftOf(left func(scripts.Candidate) bool) func(scripts.Candidate) bool {
	return func(candidate scripts.Candidate) bool {
		id := candidate.Script.Scenario.ID
		if _, used := c.used.Load(id); used {
			return false
		}
		is := left(candidate)
		if !is && candidate.Requests > 0 {
			c.used.Store(id, true)
		}
		return is
	}
}

// forget forgets what was added, and lets go what is held.
func (c *control) forget(r *TestRun) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.added, c.weight = nil, 0
	for _, gate := range c.gates {
		letGo(gate)
	}
	c.gates = nil
	for _, o := range r.dialects {
		o.added.Store(nil)
	}
}

// gate returns what is closed when a name is released.
func (c *control) gate(name string) chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gates == nil {
		c.gates = map[string]chan struct{}{}
	}
	if c.gates[name] == nil {
		c.gates[name] = make(chan struct{})
	}
	return c.gates[name]
}

// Release lets go the answers of a run that are held until a name is released, and those that come
// later. The error says that no answer is held until then.
func (p *Provider) Release(r *TestRun, name string) error {
	names := r.heldUntil()
	if !slices.Contains(names, name) {
		what := "; none is held until something is released: a step says so by `hold: {until: NAME}`"
		if len(names) > 0 {
			what = suggest.Hint(name, names) + "; they are held until " + strings.Join(names, ", ")
		}
		return fmt.Errorf("no answer of the run %s is held until %q%s", r.ID, name, what)
	}
	p.release(r, name)
	p.tellOthers(update{Release: &released{r.ID, name}})
	return nil
}

// released is a release on its way to other servers.
type released struct {
	Run  string `json:"run"`
	Hold string `json:"hold"`
}

func (p *Provider) release(r *TestRun, name string) {
	gate := r.control.gate(name)
	r.control.mu.Lock()
	defer r.control.mu.Unlock()
	letGo(gate)
}

// letGo closes a gate, unless it is closed. The control of the run is locked.
func letGo(gate chan struct{}) {
	select {
	case <-gate:
	default:
		close(gate)
	}
}

// heldUntil returns the names until whose release answers of the run are held.
func (r *TestRun) heldUntil() (names []string) {
	for _, o := range r.dialects {
		for _, set := range []*playedScripts{o.added.Load(), o.played()} {
			if set == nil {
				continue
			}
			for _, s := range set.Scripts {
				for _, name := range s.Scenario.HeldUntil() {
					if !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

// holdPoint returns where an answer is held, or nil.
func (o *dialectRun) holdPoint(hold *scenarios.Hold) *holdPoint {
	if hold == nil {
		return nil
	}
	at := beforeAnswer
	if hold.Within() {
		at = withinAnswer
	}
	return &holdPoint{at, func(ctx context.Context) (gone bool) {
		if hold.Until == "" {
			return !o.run.config.Clock.Sleep(ctx, hold.For)
		}
		select {
		case <-o.run.control.gate(hold.Until):
			return false
		case <-ctx.Done():
			return true
		}
	}}
}
