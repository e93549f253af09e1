package mockprovider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/console"
	"github.com/loopproof/loopproof/internal/nearest"
	"github.com/loopproof/loopproof/journal"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/rules"
	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/wire"
)

// shown is a provider as the console sees it.
type shown struct{ *Provider }

func (s shown) Changes() *journal.Changes { return &s.changes }
func (s shown) Over() <-chan struct{}     { return s.over.Done() }
func (s shown) Version() string           { return s.config.Version }

func (s shown) Sleep(ctx context.Context, d time.Duration) bool { return s.config.Clock.Sleep(ctx, d) }

func (s shown) ShownRuns() []console.Run {
	var runs []*Run
	s.runs.Range(func(_, r any) bool {
		runs = append(runs, r.(*Run))
		return true
	})
	slices.SortFunc(runs, func(a, b *Run) int { return cmp.Or(b.started.Compare(a.started), cmp.Compare(b.ID, a.ID)) })
	all := []console.Run{s.defaultRun()}
	for _, r := range runs {
		all = append(all, r.shown(""))
	}
	return all
}

func (s shown) ShownRun(id string) (console.Run, bool) {
	if id == DefaultRun {
		return s.defaultRun(), true
	}
	r, ok := s.runs.Load(id)
	if !ok {
		return console.Run{}, false
	}
	return r.(*Run).shown(""), true
}

func (s shown) defaultRun() console.Run {
	p := s.config.Profile
	return console.Run{
		ID: DefaultRun, Title: "Requests to no run of their own", Profile: p.Name, Dialect: p.Dialect,
		Delivery: string(s.open.delivery()), Lenient: s.config.Lenient, Started: s.open.started, Journal: s.journal,
	}
}

func (r *Run) shown(base string) console.Run {
	c := console.Run{
		ID: r.ID, Scenario: r.config.Scenario.ID, Title: r.config.Scenario.Title, Profile: r.config.Profile.Name,
		Dialect: r.config.Profile.Dialect, Delivery: string(r.config.Delivery), Lenient: r.config.Lenient, Started: r.started,
		Journal: r.log, Executions: func() []*rules.Execution { _, executions := r.Record(); return executions },
	}
	if base != "" {
		task := r.Task(base)
		c.Task = &task
	}
	return c
}

// maxAskedFor bounds how many runs that were asked for over HTTP are there at a time. The oldest goes first.
const maxAskedFor = 1000

func (s shown) BeginRun(w console.Wanted, base string) (console.Run, error) {
	c := RunConfig{Profile: s.config.Profile, Delivery: wire.Delivery(w.Delivery), Lenient: w.Lenient, Secret: w.Secret}
	var err error
	if w.Profile != "" {
		if c.Profile, err = profiles.Find(slices.Concat(profiles.All(), s.config.Profiles), w.Profile); err != nil {
			return console.Run{}, err
		}
	}
	if c.Delivery != "" && !slices.Contains(wire.Deliveries(), c.Delivery) {
		return console.Run{}, fmt.Errorf("there is no delivery %q; there are %v", w.Delivery, wire.Deliveries())
	}
	if c.Scenario, err = s.wanted(w); err != nil {
		return console.Run{}, err
	}
	switch {
	case !c.Scenario.Plays(c.Profile):
		err = fmt.Errorf("the scenario %s cannot be played under the profile %s", c.Scenario.ID, c.Profile.Name)
	case c.Scenario.Cancels():
		err = fmt.Errorf("the user cancels in the scenario %s, which nobody here can tell a client", c.Scenario.ID)
	case c.Scenario.RefusesConnections():
		err = fmt.Errorf("the scenario %s refuses connections, which would refuse those of all other runs", c.Scenario.ID)
	}
	if err != nil {
		return console.Run{}, err
	}
	r := s.StartRun(c)
	s.askedFor(r)
	return r.shown(base), nil
}

// wanted finds the scenario that somebody asks for.
func (s shown) wanted(w console.Wanted) (*scenarios.Scenario, error) {
	switch {
	case (w.Scenario == "") == (w.YAML == ""):
		return nil, errors.New("a run needs either a scenario, which is the id of one, or yaml, which is the text of one")
	case w.YAML != "":
		known := rules.Vocabulary(slices.Concat(profiles.All(), s.config.Profiles))
		return scenarios.Parse("yaml", []byte(w.YAML), known)
	}
	var ids []string
	for _, known := range slices.Concat(s.config.Scenarios, s.config.Library) {
		if known.ID == w.Scenario {
			return known, nil
		}
		ids = append(ids, known.ID)
	}
	return nil, fmt.Errorf("there is no scenario %q here%s", w.Scenario, nearest.Hint(w.Scenario, ids))
}

// askedFor notes a run that was asked for over HTTP, and forgets the oldest one when there are too many.
func (s shown) askedFor(r *Run) {
	s.asked.Lock()
	s.asked.runs = append(s.asked.runs, r)
	var old *Run
	if len(s.asked.runs) > maxAskedFor {
		old, s.asked.runs = s.asked.runs[0], s.asked.runs[1:]
	}
	s.asked.Unlock()
	if old != nil {
		s.EndRun(old)
	}
}

func (s shown) ForgetRun(id string) bool {
	r, ok := s.runs.Load(id)
	if !ok {
		return false
	}
	s.asked.Lock()
	s.asked.runs = slices.DeleteFunc(s.asked.runs, func(asked *Run) bool { return asked == r })
	s.asked.Unlock()
	s.EndRun(r.(*Run))
	return true
}

func (s shown) ResetRun(id string) {
	if id == DefaultRun {
		s.journal.Reset()
		s.open.attempts.forget()
		return
	}
	if r, ok := s.runs.Load(id); ok {
		r.(*Run).reset()
	}
}

// reset forgets what the run was asked and begins its script again.
func (r *Run) reset() {
	r.mu.Lock()
	r.next, r.exchanges, r.executions = 0, nil, nil
	r.mu.Unlock()
	r.log.Reset()
}
