package engine

import (
	"context"
	"time"
)

// Clock tells the time and waits. It is exported so that tests of a client can play slow answers
// and rate limits without waiting: see [Config].
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
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
