package faults

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/loopproof/loopproof/internal/memnet"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
	"github.com/loopproof/loopproof/suite"
)

// Faults are judged in bubbles of testing/synctest, over a network in memory. Time passes there only when everybody
// waits, so that nothing is waited for, and no time-out depends on how busy the machine is.

// bubble is where loops are played.
type bubble struct {
	network   memnet.Network
	transport *http.Transport
	over      context.Context // ends with the bubble
}

// RoundTrip sends a request in the bubble. What a loop leaves unread when the bubble ends is dropped.
func (b *bubble) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	context.AfterFunc(b.over, cancel)
	return b.transport.RoundTrip(req.WithContext(ctx))
}

// begin is the time at which all bubbles begin.
var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// inBubble calls f in a bubble of its own.
func inBubble(t *testing.T, f func(*testing.T, *bubble)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(begin))
		over, end := context.WithCancel(t.Context())
		b := bubble{over: over}
		b.transport = &http.Transport{DialContext: b.network.DialContext, MaxIdleConnsPerHost: 32}
		f(t, &b)
		end()
		b.transport.CloseIdleConnections()
	})
}

// play plays to a loop in a bubble what a config plans.
func play(t *testing.T, config suite.Config, run func(ctx context.Context, task protocol.Task, world http.RoundTripper) protocol.Outcome) (r *report.Report, err error) {
	t.Helper()
	inBubble(t, func(t *testing.T, b *bubble) {
		config.Listen = b.network.Listen
		config.Loop = suite.LoopFunc(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			return run(ctx, task, b), nil
		})
		r, err = suite.Play(t.Context(), config)
	})
	return r, err
}

// play plays some cases to a fault, and looks at the places that the findings name.
func (p performance) play(t *testing.T, cases []string) (*report.Report, error) {
	t.Helper()
	config := p.config()
	config.Quick, config.Cases = false, cases
	witness := newWitness()
	config.OnTask = witness.begins
	r, err := play(t, config, func(ctx context.Context, task protocol.Task, world http.RoundTripper) protocol.Outcome {
		return p.told(p.changes(task.Dialect).carryOut(ctx, task, refloop.Loop{Backoff: time.Millisecond}, witness.beside(world)))
	})
	if err == nil {
		for _, problem := range witness.misplaced(r) {
			t.Error(problem)
		}
	}
	return r, err
}
