package rules

import (
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
)

// EndedByAnswerCall reports whether a loop ended, or went on to the next prompt, behind a turn in which
// the model gave an answer of the form of the task by a call of a tool.
func (r *Run) EndedByAnswerCall(x *trace.Exchange) bool {
	if x == nil || x.Turn == nil || len(x.Turn.Given(r.Script.Scenario)) == 0 {
		return false
	}
	next := r.Next(x)
	return next == nil || scenarios.SaysNewPrompt(r.Task.Prompts, x.Request, next.Request)
}
