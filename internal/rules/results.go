package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// ToolFails reports whether the scenario lets the tool fail for this call.
func (r *Run) ToolFails(c wire.AnswerCall) bool {
	result, ok := r.scripted(c)
	return ok && result.Fails()
}

// scripted returns the result that the scenario has for a call, with the arguments that the user
// made of its own, if they did. There is none where the call cannot be run: the tool itself refuses
// it then, and says why.
func (r *Run) scripted(c wire.AnswerCall) (*scenarios.Result, bool) {
	tool := r.Script.Scenario.Tool(c.Scripted())
	if tool == nil || r.Script.Scenario.Trouble(c) != scenarios.NoTrouble {
		return nil, false
	}
	return tool.Answer(cmp.Or(c.Approved, ArgumentsOrNone(c.Arguments)))
}

// MayGiveUpAt reports whether a loop may end with an error at a call: it cannot be run, its tool
// fails, or the model wrote no arguments for it, not even {}.
func (r *Run) MayGiveUpAt(c wire.AnswerCall) bool {
	return r.Script.Scenario.Trouble(c) != scenarios.NoTrouble || wire.BlankArguments(c.Arguments) || r.ToolFails(c)
}

// WentOn reports whether the loop could react to a call: it asked again, or ended. It is false at
// the turn limit, where the model would never see the results, after the time limit, after a
// cancel, and where the process of the loop was killed in the middle of the call.
func (r *Run) WentOn(c CallRun) bool {
	return !r.Interrupted(c.Turn) && !c.Unsettled && !r.AskedAfterCancel(c.In) && (r.Next(c.In) != nil || r.Outcome != nil && !r.HadToEnd())
}

// Doubled reports whether a call was run again although it had not failed. Whether to run a failed
// tool again is for the loop to decide.
func (c CallRun) Doubled() bool {
	for i := 1; i < len(c.Executions); i++ {
		if before := c.Executions[i-1]; !before.Failed || c.Executions[i].Start < before.End {
			return true
		}
	}
	return false
}

// LongResult is the length in bytes from which a result counts as very long.
const LongResult = 20_000

// ReturnedBefore reports whether all executions of a call had ended before a time of the run. A
// loop with its own time limit answers the call itself.
func (c *CallRun) ReturnedBefore(at time.Duration) bool {
	return len(c.Executions) > 0 && !c.Unsettled && !slices.ContainsFunc(c.Executions, func(e *trace.Execution) bool { return e.GivenUp() || e.End > at })
}

// CallRun returns the n-th call of a returned turn with its executions.
func (r *Run) CallRun(e ReturnedTurn, n int) CallRun {
	for _, c := range r.Calls() {
		if c.Turn == e.Turn && c.N == n {
			return c
		}
	}
	return CallRun{}
}

// FailedAt reports whether the run ended at the turn of a call with an error that its caller can
// read. A loop that passes on what its tools raise has no words of its own for a tool that failed
// without a message, be it that of a sibling: that it failed is enough then.
func (r *Run) FailedAt(c CallRun) bool {
	if r.Next(c.In) != nil || r.Outcome == nil || r.Outcome.Status != protocol.Failed {
		return false
	}
	return strings.TrimSpace(r.Outcome.Error) != "" || slices.ContainsFunc(r.Calls(), func(of CallRun) bool {
		return of.In == c.In && len(of.Executions) > 0 && r.FailsWithoutWords(of)
	})
}

// FailsWithoutWords reports whether the tool of a call fails without a message.
func (r *Run) FailsWithoutWords(c CallRun) bool {
	return r.ToolFails(c.Call) && r.ToolOutput(c.Call) == ""
}

// RanBefore reports whether a tool was run for a call made before an exchange. This proves that the
// loop runs tools.
func (r *Run) RanBefore(x *trace.Exchange) bool {
	return slices.ContainsFunc(r.Calls(), func(c CallRun) bool {
		return c.In.Number < x.Number && len(c.Executions) > 0
	})
}

// MistakenFor returns the call of the same turn whose result was sent for the n-th. The result of a
// call that failed, or was never run, is the loop's own text, and a very long result may have been
// cut: neither can be recognised.
func (r *Run) MistakenFor(e ReturnedTurn, n int, sent string) (wire.AnswerCall, bool) {
	own := r.ResultOf(e, n)
	if own == "" || r.failed(e, n) || len(own) > LongResult || ContainsText(sent, own) {
		return wire.AnswerCall{}, false
	}
	for other, sibling := range e.Turn.Answer.Calls {
		if other == n || IDRepeated(r, sibling.ID) {
			continue
		}
		theirs := r.ResultOf(e, other)
		if strings.TrimSpace(theirs) != "" && ContainsText(sent, theirs) || r.ShowsImage(e, other) && e.says(other, own) {
			return sibling, true
		}
	}
	return wire.AnswerCall{}, false
}

// ShowsImage reports whether the tool returned an image to the n-th call of a turn. The text beside
// an image is the own wording of the loop.
func (r *Run) ShowsImage(e ReturnedTurn, n int) bool {
	c := r.CallRun(e, n)
	return c.ReturnedBefore(e.In.Start) && c.Executions[0].Image != nil
}

// says reports whether the result of the n-th call has a text in it.
func (e ReturnedTurn) says(n int, text string) bool {
	res, ok := e.Result(n)
	return ok && ContainsText(res.Content.Text, text)
}

// ResultOf returns the result of the tool for the n-th call of a turn, or "" if the call was not
// run.
func (r *Run) ResultOf(e ReturnedTurn, n int) string {
	if c := r.CallRun(e, n); c.ReturnedBefore(e.In.Start) {
		return c.Executions[0].Result
	}
	return ""
}

// failed reports whether the tool failed for the n-th call of a turn.
func (r *Run) failed(e ReturnedTurn, n int) bool {
	if c := r.CallRun(e, n); len(c.Executions) > 0 {
		return c.Executions[0].Failed
	}
	return r.ToolFails(e.Turn.Answer.Calls[n])
}

// ToolOutput returns the result that the scenario gives to a call, or "" if it has no such tool, or
// no result that matches.
func (r *Run) ToolOutput(c wire.AnswerCall) string {
	if result, ok := r.scripted(c); ok {
		return result.Later(r.runsBefore(c, result)).Output()
	}
	return ""
}

// runsBefore returns how often a result was due before a call, where it changes.
func (r *Run) runsBefore(c wire.AnswerCall, result *scenarios.Result) (runs int) {
	if len(result.Then) == 0 {
		return 0
	}
	for _, before := range r.Calls() {
		if before.Call == c {
			break
		}
		if other, ok := r.scripted(before.Call); ok && other == result && before.Turn.Asks() {
			runs++
		}
	}
	return runs
}

// OftenEnough is the number of equal calls after which a loop may take the model to be stuck.
const OftenEnough = 2

// ManyCalls is the number of calls in a turn beyond which a loop may have a limit of its own.
const ManyCalls = 8

// EqualBefore returns the calls before one that mean the same.
func (r *Run) EqualBefore(c CallRun) (equal []CallRun) {
	for _, before := range r.Calls() {
		if before.In == c.In && before.N == c.N {
			break
		}
		if MeansTheSame(before.Call, c.Call) {
			equal = append(equal, before)
		}
	}
	return equal
}

// IDRepeated reports whether the script gives an id to more than one call. In dialects without ids
// it is false: their results are matched by name and place.
func IDRepeated(r *Run, id string) bool {
	if id == "" && r.Script.Profile.Traits.CallsWithoutIDs {
		return false
	}
	count := 0
	for _, t := range r.Script.Turns {
		if t.Answer == nil {
			continue
		}
		for _, c := range t.Answer.Calls {
			if c.ID == id {
				count++
			}
		}
	}
	return count > 1
}
