package mockprovider

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// conversations answers requests outside of runs, or those of an [OpenRun]. It follows no conversation: where in its
// script a request stands is read from the history that the request carries. Only how often a request failed already is
// remembered.
type conversations struct {
	id      string
	config  Config
	log     *Journal
	started time.Time
	over    context.Context // ends with the run
	close   context.CancelFunc

	base    *conversations // whose scripts are played; nil: its own
	scripts atomic.Pointer[repertoire]
	others  []*conversations // the same in other dialects
	kept    *threads
	*counted
}

// counted is what is counted of requests, in whichever dialect they come.
type counted struct {
	used     atomic.Int64 // when the last one came, in nanoseconds since the start
	attempts attempts
	limits   limits
}

func newConversations(id string, c Config, j *Journal) *conversations {
	o := &conversations{id: id, config: c, log: j, started: c.Clock.Now(), kept: newThreads(false), counted: &counted{}}
	o.over, o.close = context.WithCancel(context.Background())
	for _, p := range c.Others {
		other := &conversations{id: id, config: c, log: j, started: o.started, over: o.over, close: o.close, kept: o.kept, counted: o.counted}
		other.config.Profile = p
		o.others = append(o.others, other)
	}
	o.attempts.store, o.attempts.run, o.attempts.failed = c.Store, id, c.StoreFailed
	o.play(c.Scenarios)
	return o
}

// in returns the conversations in a dialect, or these when they are not held in it.
func (o *conversations) in(d *wire.Dialect) *conversations {
	for _, other := range o.others {
		if other.profile().Speaks == d {
			return other
		}
	}
	return o
}

// follow lets these conversations play what others do.
func (o *conversations) follow(base *conversations) {
	o.base = base
	for _, other := range o.others {
		for _, theirs := range base.others {
			if theirs.profile() == other.profile() {
				other.base = theirs
			}
		}
	}
}

// play changes what is played. Requests that are being answered come to their end as they began.
func (o *conversations) play(all []*scenarios.Scenario) {
	if len(o.others) == 0 {
		o.scripts.Store(newRepertoire(all, len(all) == 1, o.profile(), o.secret()))
		return
	}
	for _, in := range slices.Concat(o.others, []*conversations{o}) { // in each dialect what can be said in it
		said := slices.DeleteFunc(slices.Clone(all), func(s *scenarios.Scenario) bool { return !s.Plays(in.profile()) })
		in.scripts.Store(newRepertoire(said, len(all) == 1, in.profile(), o.secret()))
	}
}

// played returns what is played now.
func (o *conversations) played() *repertoire {
	if o.base != nil {
		return o.base.played()
	}
	return o.scripts.Load()
}

func (o *conversations) profile() *profiles.Profile { return o.config.Profile }
func (o *conversations) delivery() wire.Delivery    { return wire.DeliverSSE }
func (o *conversations) lenient() bool              { return o.config.Lenient }
func (o *conversations) secret() string             { return o.config.Secret }
func (o *conversations) rendered() *rendered        { return &o.played().answers }
func (o *conversations) threads() *threads          { return o.kept }
func (o *conversations) since() time.Duration       { return o.config.Clock.Now().Sub(o.started) }
func (o *conversations) name() string               { return o.id }
func (o *conversations) journal() *Journal          { return o.log }
func (o *conversations) end(x *trace.Exchange)      { x.End = o.since() }
func (o *conversations) outwaited(*trace.Exchange)  {}

// during returns a context that ends with a request or with the run.
func (o *conversations) during(ctx context.Context) (context.Context, context.CancelFunc) {
	return until(ctx, o.over)
}

// held returns the answer as it is: nobody can tell a client that we do not know to cancel.
func (o *conversations) held(_ *trace.Exchange, r response) response { return r }

// take finds the script of a request and the place in it, and how the request is answered.
func (o *conversations) take(x *trace.Exchange, header http.Header) (taken, error) {
	if x.Request == nil {
		return taken{}, nil
	}
	wanted, err := asked(header)
	if err != nil {
		return taken{}, err
	}
	o.used.Store(int64(o.since()))
	ask := scenarios.Ask{Request: x.Request, Header: header}
	chosen, err := o.played().choose(ask, o.left(ask))
	if err != nil {
		return taken{}, err
	}
	if o.unique(wanted, chosen) {
		ask.Salt = token(12)
	}
	if err := o.turn(chosen, ask, x); err != nil {
		return taken{script: chosen.script}, err
	}
	if err := o.answerable(chosen, x); err != nil {
		return taken{script: chosen.script}, err
	}
	if ask.Salt != "" && chosen.step < 0 && x.Turn != nil { // the ids of its calls stay: its history is known by them
		turn := *x.Turn
		turn.Asked, x.Turn = ask.Salt, &turn
	}
	return taken{chosen.script, o.behave(wanted, chosen, x)}, nil
}

// unique reports whether the answer to a request has ids that no other answer has.
func (o *conversations) unique(wanted *scenarios.Behaviour, c choice) bool {
	s := c.script.Scenario
	if c.step >= 0 {
		wanted = wanted.Over(s.Model[c.step].Behaviour)
	}
	b := wanted.Over(s.Behaviour).Over(o.config.Behaviour)
	return b != nil && b.IDs != nil && *b.IDs == scenarios.UniqueIDs
}

// answerable holds the turn that was found against what the request demands.
func (o *conversations) answerable(c choice, x *trace.Exchange) (err error) {
	if o.config.AllowImpossible || x.Turn == nil || x.Refusal != nil && x.Refusal.Given {
		return nil
	}
	step := c.step
	if step < 0 {
		step = x.Turn.Number
	}
	x.Turn, err = o.hold(x.Turn, c.script, step, x.Request)
	return err
}

// turn finds the turn of the script that was chosen.
func (o *conversations) turn(c choice, ask scenarios.Ask, x *trace.Exchange) (err error) {
	if c.script.Scenario.Prompted() {
		o.place(c.script, x)
		return nil
	}
	x.Turn, err = c.script.Answer(c.step, ask)
	return err
}

// left returns a function that reports whether a step which is played so many times to a request has not yet been.
func (o *conversations) left(ask scenarios.Ask) func(choice, int) bool {
	return func(c choice, times int) bool {
		return o.attempts.count(ask.Request, c.script.Scenario.ID, c.step) <= times
	}
}

// place finds the turn that a request asks for: the one behind the turns that its history returns, counting the
// attempts at it that were answered with a failure.
func (o *conversations) place(script *scenarios.Script, x *trace.Exchange) {
	next := rules.Returned(script, x.Request)
	for next < len(script.Turns) && !script.Turns[next].Returns() {
		if o.attempts.count(x.Request, "", next) == 1 {
			x.Turn = script.Turns[next]
			return
		}
		next++
	}
	if next == len(script.Turns) {
		x.Overrun = true
		return
	}
	x.Turn = script.Turns[next]
}
