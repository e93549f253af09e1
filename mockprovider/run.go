package mockprovider

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/scenarios"
)

// RunConfig says what a run plays.
type RunConfig struct {
	Scenario *scenarios.Scenario // one with a prompt
	Profile  *profiles.Profile
	Delivery wire.Delivery // how streams are cut; "" is one event a write
	Lenient  bool          // a breach is recorded, but the request is answered from the script all the same

	Regular bool // the quirks for which the scenario asks are left out

	// Cut is the place at which a scenario that cuts a stream after each event does so, from 1; 0 is before the finish word.
	Cut int

	// OnCancel is called when the user cancels, which a scenario may ask for. Nil: the user never does, and the steps in
	// which they would are played as if nothing were said of it.
	OnCancel func(scenarios.Cancel)

	// OnLate is called when a request comes after the end of the run, with its path; nil: nobody wants to know. The server
	// remembers the last few thousand runs.
	OnLate func(path string)

	// AnswerBy is the tool by whose call the model answers, for loops that end so; nil: it answers by a text.
	AnswerBy *protocol.AnswerTool

	// Secret makes the ids and signatures of the run. The same secret gives the same ones; "" draws one.
	Secret string
}

// Run is one playing of a scenario under a path of its own. It is safe for use by many requests at a time.
type Run struct {
	ID string

	provider *Provider
	config   RunConfig
	script   *scenarios.Script
	started  time.Time
	readings atomic.Int64    // of the clock
	over     context.Context // ends with the run
	close    context.CancelFunc
	door     *door // of its own, where the scenario lets connections be refused

	cancelled *cancellation
	log       *Journal
	kept      *threads

	mu         sync.Mutex
	next       int // turn of the script
	exchanges  []*trace.Exchange
	executions []*trace.Execution
	offered    map[string]string // the names under which the loop offers the tools, by those of the scenario
}

// StartRun makes a run and returns it. Its model is reached under "/run/{id}/v1", its tools under
// "/run/{id}/tools/{name}".
func (p *Provider) StartRun(c RunConfig) *Run {
	if c.Secret == "" {
		c.Secret = token(16)
	}
	if c.Delivery == "" {
		c.Delivery = wire.DeliverSSE
	}
	compile := scenarios.Compile
	if c.Regular {
		compile = scenarios.CompileRegular
	}
	r := &Run{
		ID:       token(6),
		provider: p,
		config:   c,
		script:   compile(c.Scenario, c.Profile, c.Secret).CutAt(c.Cut),
		started:  p.config.Clock.Now(),

		cancelled: newCancellation(c.OnCancel),
		log:       p.newJournal(true),
		kept:      newThreads(true),
	}
	r.over, r.close = context.WithCancel(context.Background())
	p.runs.Store(r.ID, r)
	p.changes.Tell()
	return r
}

// EndRun forgets a run. Requests to its paths are answered with 404 from then on, and what is still being answered ends.
func (p *Provider) EndRun(r *Run) {
	p.ended.add(r.ID, r.config.OnLate)
	p.runs.Delete(r.ID)
	p.changes.Tell()
	r.close()
	r.log.Release()
	if r.door != nil {
		r.door.close()
	}
}

func token(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Task returns what a loop has to be told to play its part. base is the URL of the server.
func (r *Run) Task(base string) protocol.Task {
	s := r.config.Scenario
	task := protocol.Task{
		Type:     protocol.TypeTask,
		Dialect:  r.config.Profile.Dialect,
		BaseURL:  r.front(base) + "/run/" + r.ID + r.config.Profile.Speaks.Endpoint.BasePath,
		APIKey:   "loopproof-" + r.ID,
		Model:    "loopproof",
		Profile:  r.config.Profile.Name,
		Stream:   r.config.Delivery.Streams(),
		System:   s.System,
		Prompts:  s.Prompts,
		Tools:    []protocol.Tool{},
		MaxTurns: s.MaxTurns,

		TranscriptFormat: s.Transcript,
	}
	if task.MaxTurns == 0 {
		task.MaxTurns = len(r.script.Turns) + 8
	}
	for _, t := range s.Tools {
		task.Tools = append(task.Tools, protocol.Tool{
			Name:        t.Name,
			Description: t.Description,
			Parameters:  t.Schema(),
			URL:         base + "/run/" + r.ID + "/tools/" + t.Name,
		})
	}
	return task
}

// Script returns what the run plays.
func (r *Run) Script() *scenarios.Script { return r.script }

// Record returns copies of the exchanges and executions so far.
func (r *Run) Record() ([]*trace.Exchange, []*trace.Execution) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return copies(r.exchanges), copies(r.executions)
}

func copies[T any](of []*T) []*T {
	out := make([]*T, len(of))
	for i, p := range of {
		c := *p
		out[i] = &c
	}
	return out
}

// Journal returns what the run was asked and answered, with what is wrong with each request alone.
func (r *Run) Journal() *Journal { return r.log }

// Since returns how long ago the run began.
func (r *Run) Since() time.Duration { return r.since() }

// since returns how long ago the run began. Each reading adds a nanosecond, so that what happens later is told from what
// happened before however coarse the clock is, and nothing is at 0, which means never.
func (r *Run) since() time.Duration {
	return r.provider.config.Clock.Now().Sub(r.started) + time.Duration(r.readings.Add(1))
}

// take notes a request and says which turn of the script answers it.
func (r *Run) take(x *trace.Exchange, _ http.Header) (taken, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x.Number = len(r.exchanges) + 1
	x.End = x.Start
	r.exchanges = append(r.exchanges, x)
	r.cancelled.enter()
	switch {
	case x.Request == nil || x.Refusal != nil && x.Refusal.Given:
	case r.asksAgain(x):
		before := r.exchanges[len(r.exchanges)-2]
		x.Turn, x.Repeats = before.Turn, before.Number
	case r.next == len(r.script.Turns) || r.asksForLastWord(x.Request):
		x.Overrun = true
	default:
		x.Turn = r.script.Turns[r.next].CalledAs(r.offers(x.Request)).AnsweredBy(r.config.AnswerBy, r.script)
		r.next++
		if r.door != nil && r.script.HangsUp(x.Turn) {
			r.door.shut() // before the answer, so that the loop cannot be faster
		}
	}
	return taken{script: r.script}, nil
}

// offers returns the names under which the loop offers the tools, by those of the scenario: in this request or, where it
// has none, in one before.
func (r *Run) offers(req *wire.Request) map[string]string {
	if len(req.Tools) > 0 {
		r.offered = r.config.Scenario.OfferedAs(req.Tools)
	}
	return r.offered
}

// asksForLastWord reports whether a loop at its turn limit, or with one turn left, asks so that the model can call no tool,
// where the script has nothing but calls for it.
func (r *Run) asksForLastWord(req *wire.Request) bool {
	limit, given := r.config.Scenario.MaxTurns, 0
	if limit == 0 || req.MayCall() || !r.script.Turns[r.next].Asks() {
		return false
	}
	for _, x := range r.exchanges {
		if x.Turn != nil && x.Turn.Whole() && x.Repeats == 0 {
			given++
		}
	}
	return given >= limit-1
}

// maxRepeats is how often the same answer is given to the same request. A loop that asks for it once more goes round in
// circles, and gets the next turn.
const maxRepeats = 2

// asksAgain reports whether a request is the one before it once more, so that it gets the same answer: a loop that could
// not read an answer asks again. One that ran a tool for it has read it. Where the answer was none, broke off or said
// nothing, the script has something for the next attempt.
func (r *Run) asksAgain(x *trace.Exchange) bool {
	n := len(r.exchanges)
	if n < 2 {
		return false
	}
	before := r.exchanges[n-2]
	if t := before.Turn; t == nil || !t.Asks() && !r.answers(t) || !sameBody(before.Request, x.Request) {
		return false
	}
	repeats := 0
	for of := before; of.Repeats > 0; of = r.exchanges[of.Repeats-1] {
		repeats++
	}
	return repeats < maxRepeats && !slices.ContainsFunc(r.executions, func(e *trace.Execution) bool { return e.Start >= before.Start })
}

// answers reports whether a turn answers the user, and the script goes on behind it only where the user does.
func (r *Run) answers(t *scenarios.Turn) bool {
	return t.Final() && (r.next == len(r.script.Turns) || len(r.config.Scenario.Prompts) > 1)
}

func sameBody(a, b *wire.Request) bool {
	return bytes.Equal(a.Body.Raw, b.Body.Raw) || wire.SameValue(a.Body, b.Body)
}

// during returns a context that ends with a request or with the run.
func (r *Run) during(ctx context.Context) (context.Context, context.CancelFunc) {
	return until(ctx, r.over)
}

// until returns a context that ends with either of two.
func until(ctx, over context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(over, cancel)
	return ctx, func() { stop(); cancel() }
}

// noteLost notes a request whose method was lost on a redirect. Others with that method are strays.
func (r *Run) noteLost(req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.exchanges)
	if n == 0 || r.exchanges[n-1].Turn == nil || !r.exchanges[n-1].Turn.Redirects() {
		return
	}
	now := r.since()
	x := &trace.Exchange{Number: n + 1, Method: req.Method, Problem: "the method of the request is " + req.Method, Start: now, End: now}
	r.exchanges = append(r.exchanges, x)
}

func (r *Run) outwaited(x *trace.Exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x.Outwaited = true
}

func (r *Run) end(x *trace.Exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x.End = r.since()
	r.cancelled.leave()
}

// last returns the exchange that was answered last, or nil.
func (r *Run) last() *trace.Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range slices.Backward(r.exchanges) {
		if x.Turn != nil {
			return x
		}
	}
	return nil
}
