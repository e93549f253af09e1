package engine

import (
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// sideAnswer returns the answer to a request that is no part of the conversation. Its exchange has
// no number: it is in the journal, and not in the record of the run.
func (r *Run) sideAnswer(in *received) (choice, bool) {
	if r.config.SideAnswer == nil || in.request == nil {
		return choice{}, false
	}
	text, is := r.config.SideAnswer(in.request)
	if !is {
		return choice{}, false
	}
	r.cancelled.enter()
	turn := &scenarios.Turn{
		Step:   &scenarios.Step{},
		Number: overrun.Number,
		Answer: &wire.Answer{Text: text, Finish: wire.FinishStop, Usage: overrun.Answer.Usage},
	}
	return choice{by: byTurn, exchange: newExchange(in), turn: turn}, true
}
