package engine

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/loopproof/loopproof/internal/engine/scripts"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// dialectRun is a [TestRun] in one dialect. It follows no conversation: where in its script a
// request is is read from the history that the request carries. Only how often a request failed
// already is remembered, by the run.
type dialectRun struct {
	run   *TestRun
	route Route       // of the requests for which it is played; without a profile: all others in its dialect
	base  *dialectRun // whose scripts are played; nil: its own

	about   settings
	scripts atomic.Pointer[playedScripts]
	added   atomic.Pointer[playedScripts] // by the test, and tried first; nil: none
}

func newDialectRun(r *TestRun, p *profiles.Profile) *dialectRun {
	return &dialectRun{run: r, about: settings{
		id: r.ID, profile: p, delivery: wire.DeliverSSE, lenient: r.config.Lenient, secret: r.config.Secret,
		refuser: rulebook.NewRefuser(p), journal: r.log, histories: r.histories, ctx: r.ctx, told: true,
		altered: scenarios.Altered(r.config.Secret),
	}}
}

func (o *dialectRun) settings() *settings  { return &o.about }
func (o *dialectRun) since() time.Duration { return o.run.since() }

// playedScripts are scripts, and what was rendered of their answers.
type playedScripts struct {
	*scripts.Set
	answers *renderCache
}

// played returns what is played now.
func (o *dialectRun) played() *playedScripts {
	if o.base != nil {
		return o.base.played()
	}
	return o.scripts.Load()
}

func (o *dialectRun) script(scenario string) *scenarios.Script {
	for _, set := range []*playedScripts{o.added.Load(), o.played()} {
		if set == nil {
			continue
		}
		for _, s := range set.Scripts {
			if s.Scenario.ID == scenario {
				return s
			}
		}
	}
	return nil
}

func (o *dialectRun) finish(x *trace.Exchange, heldOpen bool) trace.Exchange {
	x.End, x.HeldOpenUntilTimeout = o.since(), heldOpen
	return *x
}

// choose finds the script of a request and the place in it, and says how the request is answered.
func (o *dialectRun) choose(in *received, refusal *refused) choice {
	c := choice{exchange: newExchange(in), by: byProblem, problem: in.problem}
	if in.request == nil {
		return c
	}
	step, err := o.findStep(in)
	c.script = step.Script
	refuses := refusal.binds(&o.about, in)
	if err == nil && !refuses {
		c, err = o.chooseTurn(c, step, in)
	}
	switch fallback := o.forwards(err); {
	case fallback:
		c.by, refuses = byFallback, false
	case refuses:
		c.by, c.refusal = byRefusal, refusal
	case err != nil:
		c.problem = newProblem(o.about.profile, statusOfChoice(err), err)
	}
	if err != nil && c.by != byFallback {
		c.exchange.Problem = err.Error()
		if none := (*scripts.UnansweredError)(nil); errors.As(err, &none) {
			c.exchange.Unanswered = &none.Unanswered
		}
	}
	c.exchange.Refusal = refusal.noted(refuses)
	return c
}

// forwards reports whether a request for which no answer was found goes to the fallback.
func (o *dialectRun) forwards(err error) bool {
	return err != nil && o.run.config.Fallback != nil && !isBadHeader(err) && !scripts.IsImpossible(err)
}

// scriptStep is the script that answers a request, and the step of it.
type scriptStep struct {
	scripts.Candidate
	ask    scenarios.Ask
	wanted *scenarios.Behaviour // which the request asks for
	cache  *renderCache
}

// findStep finds the script that answers a request.
func (o *dialectRun) findStep(in *received) (scriptStep, error) {
	wanted, err := asked(in.http.Header)
	if err != nil {
		return scriptStep{}, err
	}
	o.run.use()
	ask := scenarios.Ask{Request: in.request, Header: in.http.Header, State: o.run.states.now()}
	by := draws{of: o, in: in, by: wanted}
	left := func(c scripts.Candidate) bool {
		switch {
		case c.Chance != nil && !by.hits(c):
			return false
		case c.Requests == 0 && c.Times == 0:
			return true
		}
		if c.Requests > 0 {
			return o.run.attempts.count(conversationKey{}, c.Script.Scenario.ID, c.Step) <= c.Requests
		}
		return o.run.attempts.count(in.conversation(), c.Script.Scenario.ID, c.Step) <= c.Times
	}
	set := o.added.Load()
	if set != nil {
		found, err := set.Choose(ask, o.run.control.leftOf(left))
		if err == nil || scripts.IsImpossible(err) {
			return scriptStep{Candidate: found, ask: ask, wanted: wanted, cache: set.answers}, err
		}
	}
	if played := o.played(); set == nil || len(played.Scripts) > 0 {
		set = played
	}
	found, err := set.Choose(ask, left)
	return scriptStep{Candidate: found, ask: ask, wanted: wanted, cache: set.answers}, err
}

// chooseTurn finds the turn that answers a request and how it comes.
func (o *dialectRun) chooseTurn(c choice, step scriptStep, in *received) (choice, error) {
	if o.unique(step) {
		step.ask.Salt = o.salt()
	}
	turn, err := o.turnOf(step, in)
	if err != nil {
		return c, err
	}
	if turn, err = o.answerable(turn, step, in); err != nil {
		return c, err
	}
	if turn != nil && step.ask.Salt != "" && step.Step < 0 { // the ids of its calls stay: its history is known by them
		salted := *turn
		salted.Asked, turn = step.ask.Salt, &salted
	}
	c.by, c.problem = byTurn, nil
	c.plan = o.plan(turn, step, in)
	if instead := c.plan.instead(); instead != nil {
		turn = instead
	}
	c.exchange.Turn, c.exchange.Overrun = turn, turn == nil
	c.turn = turn
	if turn == nil {
		c.turn = overrun
	}
	c.hold = o.holdPoint(c.turn.Step.Hold)
	if faulty := c.plan != nil && c.plan.fault != nil; c.turn.Asked == "" && !faulty {
		c.cache = step.cache
	}
	return c, nil
}

// salt returns what is in the ids of this answer and of no other. The n-th request of a run has the
// same on each server that is alone; of those that share a store two may have an n-th one.
func (o *dialectRun) salt() string {
	if o.run.config.Store != nil {
		return token(12)
	}
	return fmt.Sprint("request ", o.run.ID, " ", o.about.journal.NumberRequest())
}

// unique reports whether the answer to a request has ids that no other answer has.
func (o *dialectRun) unique(step scriptStep) bool {
	s, wanted := step.Script.Scenario, step.wanted
	if step.Step >= 0 {
		wanted = wanted.Over(s.Model[step.Step].Behaviour)
	}
	b := wanted.Over(s.Behaviour).Over(o.run.config.Behaviour)
	return b != nil && b.IDs != nil && *b.IDs == scenarios.UniqueIDs
}

// turnOf returns the turn that a request asks for, or nil if the script has ended.
func (o *dialectRun) turnOf(step scriptStep, in *received) (*scenarios.Turn, error) {
	if !step.Script.Scenario.Prompted() {
		return step.Script.Answer(step.Step, step.ask)
	}
	return o.nextTurn(step.Script, rules.Locate(step.Script, in.request).Next(), in), nil
}

// nextTurn returns the turn that comes next in a script, counting the attempts at it that were
// answered with a failure, or nil if the script has ended.
func (o *dialectRun) nextTurn(script *scenarios.Script, next int, in *received) *scenarios.Turn {
	for next < len(script.Turns) && !script.Turns[next].Returns() {
		if o.run.attempts.count(in.conversation(), "", next) == 1 {
			return script.Turns[next]
		}
		next++
	}
	if next == len(script.Turns) {
		return nil
	}
	return script.Turns[next]
}

// answerable checks that the turn is possible for the request, and returns the turn to send.
func (o *dialectRun) answerable(t *scenarios.Turn, step scriptStep, in *received) (*scenarios.Turn, error) {
	if o.run.config.AllowImpossible || t == nil {
		return t, nil
	}
	number := step.Step
	if number < 0 {
		number = t.Number
	}
	return scripts.Possible(t, step.Script, number, in.request, o.about.profile, o.run.config.Schema)
}

// play changes what is played. Requests that are being answered end as they began.
func (r *TestRun) play(all []*scenarios.Scenario) {
	for _, o := range r.dialects {
		said := all
		if len(r.dialects) > 1 { // in each dialect what can be said in it
			said = slices.DeleteFunc(slices.Clone(all), func(s *scenarios.Scenario) bool { return !scripts.PlayedUnder(s, o.about.profile) })
		}
		o.scripts.Store(&playedScripts{scripts.New(said, len(all) == 1, o.about.profile, r.config.Secret), newRenderCache()})
	}
}

// statusOfChoice is the status of a request to which there is no answer.
func statusOfChoice(err error) int {
	if isBadHeader(err) {
		return http.StatusBadRequest
	}
	return http.StatusNotFound
}
