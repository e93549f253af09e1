package engine

import (
	"context"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// patienceAfterSteering is how long the tools of a turn go on after the user has said something:
// long enough for the word to reach another process, on a machine that may be busy. A loop that
// interrupts its tools disconnects before.
const patienceAfterSteering = 400 * time.Millisecond

// steering is what the user says while tools run.
type steering struct {
	tell func(prompt string) // nil if the loop cannot be told

	mu   sync.Mutex
	told *trace.Steering
}

// Steering returns what the user has said while tools ran, or nil.
func (r *Run) Steering() *trace.Steering {
	r.steered.mu.Lock()
	defer r.steered.mu.Unlock()
	return r.steered.told
}

// steer lets the user say the next prompt while a tool runs that was called in an exchange, where
// the scenario wants so, and reports whether the loop gives the tool up for it.
func (r *Run) steer(ctx context.Context, x *trace.Exchange) (gone bool) {
	s := &r.steered
	if s.tell == nil || x == nil || x.Turn == nil || !x.Turn.Step.Steers {
		return false
	}
	s.mu.Lock()
	first := s.told == nil
	if first {
		s.told = &trace.Steering{Request: x.Number, Prompt: r.config.Scenario.SteeredPrompt(), At: r.since()}
	}
	s.mu.Unlock()
	if first {
		s.tell(r.config.Scenario.Prompts[s.told.Prompt])
	}
	return !r.provider.config.Clock.Sleep(ctx, patienceAfterSteering)
}

// passOverQueued leaves out the answer to the prompt before where a request has the one that the
// user said while tools ran.
func (r *Run) passOverQueued(req *wire.Request) {
	for r.next < len(r.compiled.Turns)-1 && r.compiled.Turns[r.next].PassedOver(r.config.Scenario, req) {
		r.next++
	}
}
