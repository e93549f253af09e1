package engine

import (
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// modelDown returns the failure by which the first model answers a request, where it is down, or
// nil. It goes down with the request that comes when the script has nothing else to say.
func (r *Run) modelDown(req *wire.Request) *scenarios.Turn {
	if !r.config.Scenario.Facts().FallsBack {
		return nil
	}
	if next := r.next; next < len(r.compiled.Turns) && r.compiled.Turns[next].Step.ModelDown {
		r.down = r.compiled.Turns[next]
		r.next++
	}
	if r.asksSecondModel(req) {
		return nil
	}
	return r.down
}

// ofAnotherModel returns a function that reports whether encrypted reasoning was given by other
// models than one alone.
func (r *Run) ofAnotherModel(model string) func(data string) bool {
	return func(data string) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		given := false
		for _, x := range r.exchanges {
			if x.Request == nil || x.Turn == nil || x.Turn.Answer == nil || !slices.ContainsFunc(x.Turn.Answer.Details, func(b wire.ReasoningBlock) bool { return b.Data == data }) {
				continue
			}
			if x.Request.Model == model {
				return false
			}
			given = true
		}
		return given
	}
}
