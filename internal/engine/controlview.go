package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/controlapi"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// controlView is a provider as the control API sees it.
type controlView struct{ *Provider }

func (s controlView) Changes() *journal.Changes { return &s.changes }
func (s controlView) Done() <-chan struct{}     { return s.ctx.Done() }
func (s controlView) Version() string           { return loopproof.Version }

func (s controlView) Dialects() []*wire.Dialect    { return s.spoken() }
func (s controlView) Plays(d *wire.Dialect) string { return s.profileOf(d) }

// Scripts returns those of all dialects, each once.
func (s controlView) Scripts() []*scenarios.Scenario {
	var all []*scenarios.Scenario
	for _, o := range s.Provider.defaultRun.dialects {
		for _, script := range o.played().Scripts {
			if !slices.ContainsFunc(all, func(s *scenarios.Scenario) bool { return s.ID == script.Scenario.ID }) {
				all = append(all, script.Scenario)
			}
		}
	}
	return all
}

func (s controlView) Sleep(ctx context.Context, d time.Duration) bool {
	return s.config.Clock.Sleep(ctx, d)
}

func (s controlView) ShownRuns() []controlapi.Run {
	var runs []controlapi.Run
	s.runs.Range(func(_, r any) bool {
		runs = append(runs, r.(*Run).shown())
		return true
	})
	s.testRuns.Range(func(_, r any) bool {
		runs = append(runs, r.(*TestRun).shown())
		return true
	})
	slices.SortFunc(runs, func(a, b controlapi.Run) int { return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.ID, a.ID)) })
	return append([]controlapi.Run{s.shownDefault()}, runs...)
}

func (s controlView) ShownRun(id string) (controlapi.Run, bool) {
	if id == DefaultRun {
		return s.shownDefault(), true
	}
	if r, ok := s.runs.Load(id); ok {
		return r.(*Run).shown(), true
	}
	if r, ok := s.testRuns.Load(id); ok {
		return r.(*TestRun).shown(), true
	}
	return controlapi.Run{}, false
}

func (s controlView) shownDefault() controlapi.Run {
	r := s.Provider.defaultRun.describe("Requests to no run of their own")
	r.URL = func(base string) string { return base + s.config.Profile.Speaks.Endpoint.BasePath }
	return r
}

func (r *TestRun) shown() controlapi.Run {
	c := r.describe("Requests to a run of their own")
	c.APIKey, c.URL = r.APIKey(), r.BaseURL
	return c
}

func (r *TestRun) describe(title string) controlapi.Run {
	s := &r.dialects[0].about
	return controlapi.Run{
		ID: r.ID, Title: title, Profile: s.profile.Name, Dialect: s.profile.Dialect, Delivery: string(s.delivery),
		Lenient: s.lenient, Started: r.started, Journal: r.log,
	}
}

func (r *Run) shown() controlapi.Run {
	p, s := r.about.profile, r.config.Scenario
	return controlapi.Run{
		ID: r.ID, Scenario: s.ID, Title: s.Title, Profile: p.Name, Dialect: p.Dialect, Delivery: string(r.about.delivery),
		Lenient: r.about.lenient, Started: r.started, Journal: r.log, APIKey: keyPrefix + r.ID,
		URL:        func(base string) string { return r.Task(base).BaseURL },
		Task:       r.Task,
		Executions: func() []*trace.Execution { _, executions := r.Record(); return executions },
		Approvals:  r.Approvals,
	}
}

// maxAskedFor bounds how many runs that were asked for over HTTP are there at a time. The oldest
// goes first.
const maxAskedFor = 1000

// BeginRun starts a requested run. If it is a test run, other servers start it, too.
func (s controlView) BeginRun(w controlapi.Wanted) (controlapi.Run, error) {
	r, err := s.beginRun(w)
	if err == nil && w.Scenario == "" && w.YAML == "" {
		w.ID = r.ID
		s.tellOthers(update{Begin: &w})
	}
	return r, err
}

func (s controlView) beginRun(w controlapi.Wanted) (controlapi.Run, error) {
	profile := s.config.Profile
	if w.Profile != "" {
		var err error
		if profile, err = s.Profiles().Find(w.Profile); err != nil {
			return controlapi.Run{}, err
		}
	}
	if w.Scenario == "" && w.YAML == "" {
		return s.beginTestRun(w, profile)
	}
	c := RunConfig{Profile: profile, Delivery: wire.Delivery(w.Delivery), Lenient: w.Lenient, Secret: w.Secret}
	var err error
	if c.Scenario, err = s.wanted(w); err != nil {
		return controlapi.Run{}, err
	}
	switch {
	case w.ID != "" || len(w.Scripts) > 0 || len(w.Behaviour) > 0:
		err = errors.New("a run that plays a scenario to a loop takes neither an id, nor scripts, nor a behaviour")
	case !c.Scenario.Prompted():
		err = fmt.Errorf("the scenario %s has no prompt, so it is no conversation that could be played to a loop; a run for an application takes its text in scripts", c.Scenario.ID)
	case c.Delivery != "" && !slices.Contains(wire.AllDeliveries(), c.Delivery):
		err = fmt.Errorf("there is no delivery %q%s; there are %v", w.Delivery, suggest.Hint(w.Delivery, deliveries()), deliveries())
	case !c.Scenario.Plays(c.Profile):
		err = fmt.Errorf("the scenario %s cannot be played under the profile %s", c.Scenario.ID, c.Profile.Name)
	case c.Scenario.Facts().Cancels:
		err = fmt.Errorf("the user cancels in the scenario %s, which a mock provider cannot tell a client", c.Scenario.ID)
	case c.Scenario.Facts().HangsUp:
		err = fmt.Errorf("the scenario %s refuses connections, which would refuse those of all other runs", c.Scenario.ID)
	}
	if err != nil {
		return controlapi.Run{}, err
	}
	weight := int64(0)
	if w.YAML != "" {
		weight = weightOfScript(w.YAML, c.Scenario)
	}
	if err := s.config.Limits.checkScripts(weight); err != nil {
		return controlapi.Run{}, err
	}
	r := s.StartRun(c)
	r.weight = weight
	s.askedFor(r)
	return r.shown(), nil
}

// beginTestRun makes a run for an application, which says by its history where it is.
func (s controlView) beginTestRun(w controlapi.Wanted, p *profiles.Profile) (controlapi.Run, error) {
	if w.Delivery != "" || w.Secret != "" {
		return controlapi.Run{}, errors.New("only a run with a scenario or yaml takes a delivery and a secret")
	}
	c := TestRunConfig{ID: w.ID, Lenient: w.Lenient}
	if p != s.config.Profile {
		c.Profile = p
	}
	if text := string(w.Behaviour); text != "" && text != "null" {
		if text[0] != '{' {
			return controlapi.Run{}, fmt.Errorf("a behaviour is an object such as {\"first-token\": \"300ms\"}, not %.100s", text)
		}
		var err error
		if c.Behaviour, err = scenarios.ParseBehaviour("behaviour", string(w.Behaviour)); err != nil {
			return controlapi.Run{}, err
		}
	}
	known := rulebook.Vocabulary(s.Profiles())
	weight := int64(0)
	for i, text := range w.Scripts {
		script, err := scenarios.Parse(fmt.Sprintf("script-%d.yaml", i+1), []byte(text), known)
		if err != nil {
			return controlapi.Run{}, err
		}
		c.Scenarios = append(c.Scenarios, script)
		weight += weightOfScript(text, script)
	}
	if err := s.config.Limits.checkScripts(weight); err != nil {
		return controlapi.Run{}, err
	}
	r, err := s.startTestRun(c, weight)
	if err != nil {
		return controlapi.Run{}, err
	}
	return r.shown(), nil
}

// Profiles returns all profiles that may be named.
func (s controlView) Profiles() profiles.Known {
	return profiles.Known{Own: s.config.Profiles}
}

// wanted finds the requested scenario.
func (s controlView) wanted(w controlapi.Wanted) (*scenarios.Scenario, error) {
	switch {
	case w.Scenario != "" && w.YAML != "":
		return nil, errors.New("a run plays either a scenario, by its id, or yaml, the text of one")
	case w.YAML != "":
		return scenarios.Parse("yaml", []byte(w.YAML), rulebook.Vocabulary(s.Profiles()))
	}
	var ids []string
	for _, known := range s.config.Scenarios {
		if known.ID == w.Scenario {
			return known, nil
		}
		ids = append(ids, known.ID)
	}
	if library := s.config.Library; library != nil {
		if found, err := library.Find(w.Scenario); found != nil || err != nil {
			return found, err
		}
		ids = append(ids, library.IDs()...)
	}
	return nil, fmt.Errorf("there is no scenario %q here%s", w.Scenario, suggest.Hint(w.Scenario, ids))
}

// askedFor notes a run that was asked for over HTTP, and ends the oldest ones when there are too
// many, or their scripts take too much memory.
func (s controlView) askedFor(r *Run) {
	s.asked.Lock()
	s.asked.runs = append(s.asked.runs, r)
	weight := int64(0)
	for _, asked := range s.asked.runs {
		weight += asked.weight
	}
	var old []*Run
	for len(s.asked.runs) > maxAskedFor || weight > s.config.Limits.scripts() && len(s.asked.runs) > 1 {
		weight -= s.asked.runs[0].weight
		old, s.asked.runs = append(old, s.asked.runs[0]), s.asked.runs[1:]
	}
	s.asked.Unlock()
	for _, ended := range old {
		s.EndRun(ended)
	}
}

// ForgetRun ends a run, here and on other servers.
func (s controlView) ForgetRun(id string) bool {
	ended := s.forgetRun(id)
	if ended {
		s.forgetAttempts(id)
		s.tellOthers(update{End: id})
	}
	return ended
}

func (s controlView) forgetRun(id string) bool {
	if r, ok := s.testRuns.Load(id); ok {
		s.EndTestRun(r.(*TestRun))
		return true
	}
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

// ResetRun begins a run again, here and on other servers.
func (s controlView) ResetRun(id string) {
	s.resetRun(id)
	s.forgetAttempts(id)
	s.tellOthers(update{Reset: id})
}

func (s controlView) resetRun(id string) {
	if id == DefaultRun {
		s.Provider.defaultRun.reset()
	}
	if r, ok := s.testRuns.Load(id); ok {
		r.(*TestRun).reset()
	}
	if r, ok := s.runs.Load(id); ok {
		r.(*Run).reset()
	}
}

// AddAnswers adds answers to a run, here and on other servers.
func (s controlView) AddAnswers(run string, texts []string) error {
	r, err := s.testRun(run)
	if err != nil {
		return err
	}
	return s.Provider.AddAnswers(r, texts...)
}

// Release lets go what is held in a run, here and on other servers.
func (s controlView) Release(run, name string) error {
	r, err := s.testRun(run)
	if err != nil {
		return err
	}
	return s.Provider.Release(r, name)
}

// testRun returns the run of an application.
func (s controlView) testRun(id string) (*TestRun, error) {
	if id == DefaultRun {
		return s.Provider.defaultRun, nil
	}
	if r, ok := s.testRuns.Load(id); ok {
		return r.(*TestRun), nil
	}
	return nil, fmt.Errorf("the run %s plays a scenario to a loop, which says all that its model does; only a run for an application takes answers and is released", id)
}

// reset forgets what was asked, and how often it failed.
func (r *TestRun) reset() {
	r.attempts.forget()
	r.limits.reset()
	r.states.forget()
	r.control.forget(r)
	r.mcp.forget()
	r.log.Reset()
}

// reset forgets what the run was asked and begins its script again.
func (r *Run) reset() {
	r.mu.Lock()
	*r.asked, r.next, r.down = 0, 0, nil
	r.exchanges, r.executions, r.approvals, r.delegations = nil, nil, nil, nil
	r.mu.Unlock()
	r.given.forget()
	r.log.Reset()
}

// deliveries returns the names of all deliveries.
func deliveries() []string {
	var names []string
	for _, d := range wire.Deliveries() {
		names = append(names, string(d))
	}
	return names
}
