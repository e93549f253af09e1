package engine

import (
	"context"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
)

const (
	// patienceAfterCancel is how long an answer or a tool waits for a loop that was told to cancel
	// to let go of it. Then it comes after all, and how the loop handles it is seen.
	patienceAfterCancel = 2 * time.Second

	// gathering is how long the first of several tools of a turn waits for the others before the
	// user cancels. A loop that runs them at the same time has started all long before, also on a
	// busy machine; one that runs them in turn has not.
	gathering = 2 * time.Second

	// arrival is how long the first part of a stream has to reach the loop before the user cancels.
	arrival = 100 * time.Millisecond

	// reading is the time between an error of the provider and the cancel, long enough for a loop
	// on a busy machine to read the error. A loop that does not wait has retried or given up
	// before, and nothing is cancelled.
	reading = time.Second

	// afterwards is how long a loop that did not disconnect is watched.
	afterwards = 200 * time.Millisecond
)

// cancellation is what happens to a run in which the user cancels.
type cancellation struct {
	tell func(scenarios.Cancel) // tells the loop, or nil if it cannot be told, and nothing waits

	mu       sync.Mutex
	told     *trace.Cancel
	since    context.Context // ends when the loop is told
	reached  context.CancelFunc
	running  int // tools of the turn in which the user cancels
	open     int // requests and tools
	idle     chan struct{}
	released bool // something came after all
}

func newCancellation(tell func(scenarios.Cancel)) *cancellation {
	c := &cancellation{tell: tell, idle: make(chan struct{})}
	c.since, c.reached = context.WithCancel(context.Background())
	close(c.idle)
	return c
}

// Cancel returns what the user cancelled so far, or nil.
func (r *Run) Cancel() *trace.Cancel {
	r.cancelled.mu.Lock()
	defer r.cancelled.mu.Unlock()
	if r.cancelled.told == nil {
		return nil
	}
	told := *r.cancelled.told
	told.Released = r.cancelled.released
	return &told
}

// cancels reports whether the user cancels at a point of the turn that answers an exchange.
func (r *Run) cancels(x *trace.Exchange, points ...scenarios.Point) bool {
	return r.cancelled.tell != nil && x.Turn != nil && x.Turn.Cancelled(points...)
}

// holdPoint is a place in an answer at which it is held: since the user cancels there, or since the
// script says so.
type holdPoint struct {
	at answerPart

	// reached holds the answer, and reports whether the client has gone.
	reached func(context.Context) (gone bool)
}

// answerPart is a part of an answer.
type answerPart int

const (
	beforeAnswer answerPart = iota // the head included
	withinAnswer                   // after the early writes, or in the middle of a body
	afterAnswer
)

// holdsAt reports whether the answer is held at a part of it.
func (r *response) holdsAt(part answerPart) bool { return r.hold != nil && r.hold.at == part }

// holdPoint returns where in the answer to an exchange the user cancels; nil: nowhere in it.
func (r *Run) holdPoint(x *trace.Exchange) *holdPoint {
	switch {
	case r.interrupts(x, scenarios.DuringAnswer):
		return &holdPoint{beforeAnswer, func(ctx context.Context) bool { return r.waitForLetGo(ctx, x) }}
	case r.interrupts(x, scenarios.DuringStream):
		return &holdPoint{withinAnswer, func(ctx context.Context) bool {
			r.provider.config.Clock.Sleep(ctx, arrival)
			return r.waitForLetGo(ctx, x)
		}}
	case r.cancels(x, scenarios.DuringWait):
		return &holdPoint{afterAnswer, func(context.Context) bool {
			go r.cancelInWait(x)
			return false
		}}
	}
	return nil
}

// waitForLetGo waits until the client disconnects, and records whether it has.
func (r *Run) waitForLetGo(ctx context.Context, x *trace.Exchange) (gone bool) {
	gone = r.hold(ctx, x)
	r.mu.Lock()
	defer r.mu.Unlock()
	x.Dropped = gone
	return gone
}

// tellCancel tells the loop to cancel, once.
func (r *Run) tellCancel(x *trace.Exchange) {
	c := r.cancelled
	c.mu.Lock()
	first := c.told == nil
	if first {
		c.told = &trace.Cancel{Turn: x.Turn, Request: x.Number, At: r.since()}
		c.reached()
	}
	c.mu.Unlock()
	if first {
		c.tell(*x.Turn.Step.Cancel)
	}
}

// cancelInWait tells the loop to cancel when it has read that the provider failed, and waits to ask
// again.
func (r *Run) cancelInWait(x *trace.Exchange) {
	if r.provider.config.Clock.Sleep(r.about.ctx, reading) && r.last().Number == x.Number {
		r.tellCancel(x)
	}
}

// hold waits until the client disconnects; it reports false if the client does not. One whose
// process is killed does, or is treated so, also where the next process is there already.
func (r *Run) hold(ctx context.Context, x *trace.Exchange) bool {
	if x.Turn.Step.Crash != nil {
		r.crash(ctx, x)
		r.provider.config.Clock.Sleep(ctx, patienceAfterCancel)
		return true
	}
	r.tellCancel(x)
	if !r.provider.config.Clock.Sleep(ctx, patienceAfterCancel) {
		return true
	}
	r.cancelled.mu.Lock()
	defer r.cancelled.mu.Unlock()
	r.cancelled.released = true
	return false
}

// holdTool is hold for a tool. The user cancels when all tools of the turn run that the loop runs
// at the same time.
func (r *Run) holdTool(ctx context.Context, x *trace.Exchange) bool {
	if r.crashes(x, scenarios.DuringTool) && x.Turn.Step.Crash.Call != "" {
		r.siblingsEnd(ctx, x)
		return r.hold(ctx, x)
	}
	c := r.cancelled
	c.mu.Lock()
	c.running++
	all := c.running >= len(x.Turn.Answer.Calls)
	c.mu.Unlock()
	if !all {
		gathered, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(c.since, stop)()
		r.provider.config.Clock.Sleep(gathered, gathering)
	}
	return r.hold(ctx, x)
}

// enter notes that something is being asked for.
func (c *cancellation) enter() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == 0 {
		c.idle = make(chan struct{})
	}
	c.open++
}

// leave notes that it was answered, or is not wanted any more.
func (c *cancellation) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open--; c.open == 0 {
		close(c.idle)
	}
}

// Settle waits until nothing of the run continues any more. A loop may report that it has cancelled
// and go on all the same; one that lets go of everything is not waited for.
func (r *Run) Settle(ctx context.Context) {
	c := r.cancelled
	if r.Cancel() == nil {
		return
	}
	for watched := false; ; watched = true {
		c.mu.Lock()
		idle := c.idle
		c.mu.Unlock()
		select {
		case <-idle:
		case <-ctx.Done():
			return
		}
		c.mu.Lock()
		released := c.released
		c.mu.Unlock()
		if watched || !released || !r.provider.config.Clock.Sleep(ctx, afterwards) {
			return
		}
	}
}
