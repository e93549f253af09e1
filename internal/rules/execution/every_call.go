package execution

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

func everyCallRun(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if !runnable(c) || wire.BlankArguments(c.Call.Arguments) || inBadCompany(r, c) || !r.Ordinary(c.Turn) || !r.WentOn(c) {
			continue
		}
		if next := r.Next(c.In); next == nil && c.Turn.Answer.Finish != wire.FinishCalls || next != nil && pastLimit(r, next) {
			continue // calls-decide looks at the end; a loop at its limit may ask for a last word without running anything more
		}
		if r.BudgetSpentAt(c.In) { // so that no request can follow with the results
			continue
		}
		if len(r.EqualBefore(c)) >= rules.OftenEnough { // polling-goes-on looks at those
			continue
		}
		j.HasEvidence = j.HasEvidence || len(c.Executions) > 0
		if len(c.Executions) == 0 {
			f := notRun(c)
			if failedBefore(r, c) > 1 || equalCallRan(r, c) { // some loops take a tool that fails again and again out of use, or an equal call for a slip of the model
				f.Level = trace.Should
			}
			if c.N >= rules.ManyCalls && answered(r, c) { // some loops have a limit for the calls of a turn, and tell the model
				f.Level = trace.Should
			}
			j.Find(f)
		}
	}
	return j
}

// answered reports whether the loop sent a result for a call.
func answered(r *rules.Run, c rules.CallRun) bool {
	return slices.ContainsFunc(r.Answered(), func(e rules.ReturnedTurn) bool {
		_, is := e.Result(c.N)
		return is && e.Turn == c.Turn
	})
}

func notRun(c rules.CallRun) trace.Finding {
	return trace.Finding{
		Request:  c.In.Number,
		Answer:   c.In.Number,
		Calls:    []string{c.Call.ID},
		Message:  fmt.Sprintf("the call %s was not run", c.Call.As),
		Expected: fmt.Sprintf("%s is run with %s", c.Call.Name, rules.Quote(c.Call.Arguments)),
		Actual:   "no run",
	}
}

// equalCallRan reports whether another call of the turn, which means the same, was run.
func equalCallRan(r *rules.Run, c rules.CallRun) bool {
	return slices.ContainsFunc(r.Calls(), func(other rules.CallRun) bool {
		return other.In == c.In && other.N != c.N && len(other.Executions) > 0 && rules.MeansTheSame(other.Call, c.Call)
	})
}

// failedBefore returns for how many calls of earlier turns the tool of a call had failed.
func failedBefore(r *rules.Run, c rules.CallRun) (failures int) {
	for _, before := range r.Calls() {
		if before.In.Number < c.In.Number && before.Call.Scripted() == c.Call.Scripted() && len(before.Executions) > 0 && r.ToolFails(before.Call) {
			failures++
		}
	}
	return failures
}

// pastLimit reports whether a request asks for a last word after as many turns as the limit allows,
// or when the budget is spent.
func pastLimit(r *rules.Run, x *trace.Exchange) bool {
	return r.IsLastWord(x) && (r.TurnsGiven(x) >= r.Task.MaxTurns || r.Task.TokenBudget > 0)
}
