package engine

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// storing is how long a loop has, after it was seen to act on something, to store it before its
// process is killed. One that stores it first needs no time.
const storing = 100 * time.Millisecond

// crashing is what happens to a run in which the process of the loop is killed.
type crashing struct {
	kill func() // nil if it cannot be killed, and nothing happens

	mu    sync.Mutex
	crash *trace.Crash
	down  bool // killed, and not started again
}

// Crash returns how the process of the loop was killed so far, or nil.
func (r *Run) Crash() *trace.Crash {
	r.crashing.mu.Lock()
	defer r.crashing.mu.Unlock()
	if r.crashing.crash == nil {
		return nil
	}
	crash := *r.crashing.crash
	return &crash
}

// Restarted notes that the loop is given its session again.
func (r *Run) Restarted() {
	at := r.since()
	r.crashing.mu.Lock()
	defer r.crashing.mu.Unlock()
	r.crashing.crash.Restarted, r.crashing.down = at, false
}

// isDown reports whether the process of the loop is killed, and not started again. What still comes
// from it, of a loop that is no process, is not answered.
func (r *Run) isDown() bool {
	r.crashing.mu.Lock()
	defer r.crashing.mu.Unlock()
	return r.crashing.down
}

// dropIfDown breaks off a request of a loop whose process is killed.
func (r *Run) dropIfDown() {
	if r.isDown() {
		panic(http.ErrAbortHandler) // the way of net/http to abort a response
	}
}

// crashes reports whether the process of the loop is killed at a point of the turn that answers an
// exchange. It is killed once.
func (r *Run) crashes(x *trace.Exchange, points ...scenarios.Point) bool {
	if r.crashing.kill == nil || x.Turn == nil || !x.Turn.Crashed(points...) {
		return false
	}
	r.crashing.mu.Lock()
	defer r.crashing.mu.Unlock()
	return r.crashing.crash == nil || r.crashing.down
}

// interrupts reports whether the user cancels, or the process of the loop is killed, at a point of
// the turn that answers an exchange.
func (r *Run) interrupts(x *trace.Exchange, points ...scenarios.Point) bool {
	return r.cancels(x, points...) || r.crashes(x, points...)
}

// crash kills the process of the loop, once.
func (r *Run) crash(ctx context.Context, x *trace.Exchange) {
	r.provider.config.Clock.Sleep(ctx, storing)
	at := r.since()
	c := &r.crashing
	c.mu.Lock()
	first := c.crash == nil
	if first {
		c.crash, c.down = &trace.Crash{Turn: x.Turn, Request: x.Number, At: at}, true
	}
	c.mu.Unlock()
	if first {
		c.kill()
	}
}

// runningAtCrash reports whether a run of a tool is one of those that are going on when the process
// is killed: of the call that the scenario names, or of any.
func (r *Run) runningAtCrash(x *trace.Exchange, e *trace.Execution) bool {
	name := x.Turn.Step.Crash.Call
	return name == "" || slices.ContainsFunc(x.Turn.Answer.Calls, func(c wire.AnswerCall) bool {
		return c.As == name && c.Scripted() == e.Tool && (c.ID == e.CallID || rules.SameArguments(c.Arguments, e.Arguments))
	})
}

// siblingsEnd waits until the other calls of a turn have their results. A loop that runs them in
// turn may not have begun them.
func (r *Run) siblingsEnd(ctx context.Context, x *trace.Exchange) {
	const step = 10 * time.Millisecond
	for waited := time.Duration(0); waited < gathering && !r.othersEnded(x); waited += step {
		if !r.provider.config.Clock.Sleep(ctx, step) {
			return
		}
	}
}

func (r *Run) othersEnded(x *trace.Exchange) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	ended := 0
	for _, e := range r.executions {
		if e.Start > x.Start && e.End > 0 {
			ended++
		}
	}
	return ended >= len(x.Turn.Answer.Calls)-1
}

// resumeAfterCrash finds where the conversation goes on after a crash: at the first turn that the
// request does not return, of those for its last prompt. What the loop is told again is lost, and
// told with other ids. It does so once.
func (r *Run) resumeAfterCrash(x *trace.Exchange) {
	c := &r.crashing
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.crash == nil || c.crash.Resumed > 0 {
		return
	}
	c.crash.Resumed = x.Number
	r.next = r.turnAfterCrash(x.Request, c.crash)
	for _, before := range r.exchanges {
		before.Lost = before.Turn != nil && before.Turn.Number >= r.next
	}
	r.compiled = r.compiled.Again(r.next)
}

// turnAfterCrash returns the number of the turn that answers a request of a loop that was started
// again.
func (r *Run) turnAfterCrash(req *wire.Request, crash *trace.Crash) int {
	prompts := r.config.Scenario.Prompts
	next, asked := crash.Turn.Number, lastPrompt(req, prompts)
	var given []*scenarios.Turn
	for _, x := range slices.Backward(r.exchanges) {
		if x.Turn == nil || x.Turn.Answer == nil || x.Request == nil {
			continue
		}
		if lastPrompt(x.Request, prompts) == asked {
			next = x.Turn.Number
		}
		whole := x.Number < crash.Request || crash.Turn.Crashed(scenarios.DuringTool, scenarios.DuringApproval)
		if whole && x.Turn.Returns() {
			given = slices.Insert(given, 0, x.Turn)
		}
	}
	for _, e := range rules.AlignTurns(given, &trace.Exchange{Request: req}, prompts) {
		if e.Message != nil {
			next = max(next, e.Turn.Number+1)
		}
	}
	return next
}

// lastPrompt returns the index of the last prompt that a request says, or -1.
func lastPrompt(req *wire.Request, prompts []string) int {
	for n, prompt := range slices.Backward(prompts) {
		if req.UserSays(prompt) {
			return n
		}
	}
	return -1
}
