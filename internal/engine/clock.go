package engine

import (
	"context"
	"time"
)

// Clock tells the time and waits. It is exported so that tests of a client can play slow answers and rate limits without
// waiting: see [Config].
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or until the context ends; it reports whether it waited to the end.
	Sleep(ctx context.Context, d time.Duration) bool
}

// SystemClock is the clock of the machine.
type SystemClock struct{}

// Now returns the current time.
func (SystemClock) Now() time.Time { return time.Now() }

// Sleep waits for d, or until the context ends.
func (SystemClock) Sleep(ctx context.Context, d time.Duration) bool {
	return new(oneTimer).Sleep(ctx, d)
}

// pacer is a clock for one goroutine that sleeps again and again, such as that of a stream: the clock of the machine needs one
// timer for all of it, not one for each event.
func pacer(c Clock) Clock {
	if _, system := c.(SystemClock); !system {
		return c
	}
	return &oneTimer{}
}

// oneTimer is the clock of the machine for one goroutine.
type oneTimer struct {
	SystemClock
	timer *time.Timer
}

// Sleep waits for d, or until the context ends.
func (o *oneTimer) Sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	if o.timer == nil {
		o.timer = time.NewTimer(d)
	} else {
		o.timer.Reset(d)
	}
	select {
	case <-o.timer.C:
		return true
	case <-ctx.Done():
		o.timer.Stop()
		return false
	}
}
