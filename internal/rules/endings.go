package rules

import (
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// Interrupted reports whether the user cancelled during a turn.
func (r *Run) Interrupted(t *scenarios.Turn) bool { return r.Cancel != nil && r.Cancel.Turn == t }

// EndedByCancel reports whether a cancel ended the run, as far as is known: it had not ended
// before, and no later prompt was asked.
func (r *Run) EndedByCancel() bool {
	return r.Cancel != nil && r.Cancel.At <= r.Ending.At && r.Resumed() == nil
}

// AskedAfterCancel reports whether an exchange is about what the user had cancelled before: nobody
// waits for its answer.
func (r *Run) AskedAfterCancel(x *trace.Exchange) bool {
	resumed := r.Resumed()
	return r.Cancel != nil && x.Number > r.Cancel.Request && (resumed == nil || x.Number < resumed.Number)
}

// MissedCancel reports whether the loop went on as if nobody had cancelled. A loop that does so
// each time ignores its user; a loop that does so once may have read the cancel too late, on a busy
// machine.
func (r *Run) MissedCancel() bool {
	if r.Cancel == nil || !r.Cancel.Released && !r.Cancel.Turn.Cancelled(scenarios.DuringWait) { // nothing is held back in a wait
		return false
	}
	completed := r.EndedByCancel() && r.Outcome != nil && r.Outcome.Status == protocol.Completed
	asked := slices.ContainsFunc(r.Conversation(), r.AskedAfterCancel)
	open := r.Task.Stream && r.Cancel.Turn.Cancelled(scenarios.DuringAnswer, scenarios.DuringStream)
	return completed || asked || open
}

// DescribeEnd describes how a run ended, with the outcome except for its text.
func (r *Run) DescribeEnd() string {
	o := r.Outcome
	if o == nil {
		return "the loop " + string(r.Ending.How)
	}
	text := "the loop reported " + string(o.Status)
	var why []string
	if o.Reason != "" {
		why = append(why, "reason: "+o.Reason)
	}
	if o.FinishReason != "" {
		why = append(why, "finish_reason: "+o.FinishReason)
	}
	if len(why) > 0 {
		text += " (" + strings.Join(why, ", ") + ")"
	}
	if o.Error != "" {
		text += ": " + quoteEnds(o.Error)
	}
	return text
}

// HungUp reports whether connections are refused after an exchange: where its calls were run, or at
// the next prompt.
func (r *Run) HungUp(x *trace.Exchange) bool {
	return (x.Turn.Asks() || x.Turn.Final()) && r.Script.HangsUp(x.Turn)
}

// TurnsGiven returns the number of turns that the loop got before an exchange, or in the whole run
// if the exchange is nil. Attempts that failed do not count.
func (r *Run) TurnsGiven(before *trace.Exchange) int {
	turns := 0
	for _, x := range r.Conversation() {
		if GaveTurn(x) && (before == nil || x.Number < before.Number) {
			turns++
		}
	}
	return turns
}

// GaveTurn reports whether the loop was given a whole turn of the model, of the script or after its
// end.
func GaveTurn(x *trace.Exchange) bool {
	return x.Overrun && !RefusedAfterTheEnd(x) || x.Turn != nil && x.Turn.Whole()
}

// RefusedAfterTheEnd reports whether a request came after the end of the script, and was refused as
// by the provider.
func RefusedAfterTheEnd(x *trace.Exchange) bool {
	return x.Overrun && x.Refusal != nil && x.Refusal.Given
}

// IsLastWord reports whether an exchange asks for a closing text at the turn limit, with the last
// turn of the limit or one more, or when the budget is spent: the model cannot call a tool in it,
// and answers with a text.
func (r *Run) IsLastWord(x *trace.Exchange) bool {
	if x.Request.MayCall() {
		return false
	}
	limit, turns := r.Script.Scenario.MaxTurns, r.TurnsGiven(x)
	return limit > 0 && (turns == limit-1 || turns == limit) || r.Task.TokenBudget > 0 && r.SpentBefore(x) >= r.Task.TokenBudget
}

// EndedByLastWord reports whether the last exchange of the run is one of [Run.IsLastWord].
func (r *Run) EndedByLastWord() bool {
	taken := r.Conversation()
	return len(taken) > 0 && GaveTurn(taken[len(taken)-1]) && r.IsLastWord(taken[len(taken)-1])
}

// AtLimit reports whether the loop was given as many turns as its limit allows, or had spent its
// budget.
func (r *Run) AtLimit() bool {
	last := r.Last()
	return r.Script.Scenario.MaxTurns > 0 && r.TurnsGiven(nil) == r.Task.MaxTurns || last != nil && r.BudgetSpentAt(last)
}

// SpentBefore returns how many tokens the answers had cost, before an exchange, to the prompt that
// it is about.
func (r *Run) SpentBefore(x *trace.Exchange) int {
	var before []*trace.Exchange
	for _, y := range r.Conversation() {
		if y.Number < x.Number {
			before = append(before, y)
		}
	}
	return trace.Spent(r.Task.Prompts, before, x.Request)
}

// SpentAt is [Run.SpentBefore] with the answer of the exchange.
func (r *Run) SpentAt(x *trace.Exchange) int { return r.SpentBefore(x) + x.Turn.Cost() }

// BudgetSpentAt reports whether the budget of a prompt, if it has one, was spent with the answer of
// an exchange.
func (r *Run) BudgetSpentAt(x *trace.Exchange) bool {
	return x != nil && r.Task.TokenBudget > 0 && r.SpentAt(x) >= r.Task.TokenBudget
}

// TurnsBefore returns the turns with an answer that the loop got before an exchange, including
// those that it need not keep.
func (r *Run) TurnsBefore(x *trace.Exchange) (given []*scenarios.Turn) {
	for _, y := range r.Conversation() {
		if y.Number < x.Number && y.Turn != nil && y.Turn.Answer != nil {
			given = append(given, y.Turn)
		}
	}
	return given
}

// TimeLimit returns the time limit of the task; 0 means none.
func (r *Run) TimeLimit() time.Duration { return time.Duration(r.Task.TimeoutMS) * time.Millisecond }

// HadToEnd reports whether the loop may have ended where it did because it could not go on: at the
// limit of its turns or of its budget, when the time of its task was over, or because its
// connections were refused from there on. Where its process was killed and it did not go on, the
// rules about sessions judge that.
func (r *Run) HadToEnd() bool {
	last := r.Last()
	return r.NeverResumed() || r.AtLimit() || r.TimeWasOver() || last != nil && r.HungUp(last)
}

// TimeWasOver reports whether the time of the task was over, or nearly over, when the loop gave up:
// a loop that wants to report in time ends a little earlier, for example after nine tenths of it.
func (r *Run) TimeWasOver() bool {
	limit := r.TimeLimit()
	gaveUp := r.Outcome != nil && r.Outcome.Status != protocol.Completed
	took := r.Ending.At
	if r.Crash != nil {
		took -= r.Crash.Restarted
	}
	return gaveUp && limit > 0 && took >= limit*9/10
}

// MissedSilence reports whether a loop ran out of time for another reason than the silence that the
// scenario plays: before the silent answer or the slow tool began, or so long after its time limit
// that the silence may have been over. That says how busy the machine was, and nothing about the
// loop.
func (r *Run) MissedSilence() bool {
	if !r.TimeWasOver() {
		return false
	}
	limit := r.TimeLimit()
	silent := func(t *scenarios.Turn) bool { return t.Step.Stall != nil && t.Step.Stall.For > limit }
	slow := func(result scenarios.Result) bool { return result.After > limit }
	wanted := slices.ContainsFunc(r.Script.Turns, silent) ||
		slices.ContainsFunc(r.Script.Scenario.Tools, func(t scenarios.Tool) bool { return slices.ContainsFunc(t.Results, slow) })
	reached := slices.ContainsFunc(r.Served(), func(x *trace.Exchange) bool { return silent(x.Turn) }) ||
		slices.ContainsFunc(r.Executions, func(e *trace.Execution) bool { return r.TimeOf(e) > limit })
	return wanted && (!reached || r.Ending.At >= limit*3/2)
}

// TimeOf returns how long a tool takes for the arguments of an execution.
func (r *Run) TimeOf(e *trace.Execution) time.Duration {
	tool := r.Script.Scenario.Tool(e.Tool)
	if tool == nil {
		return 0
	}
	result, ok := tool.Answer(e.Arguments)
	if !ok {
		return 0
	}
	return result.After
}
