package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
)

// A run in which the process of the loop was killed is judged as one of what counts of it: without
// what the loop asks for again, the runs that it repeats, and the questions that it asks the user
// again. The rules about sessions say what may be repeated.

// settleCrash notes what became of the session, before the run is examined.
func (r *Run) settleCrash() {
	if r.Crash == nil {
		return
	}
	if r.Crash.Resumed == 0 && r.Crash.Turn.Crashed(scenarios.DuringAnswer, scenarios.DuringStream) {
		r.Exchanges = slices.Clone(r.Exchanges) // no answer came, and nobody asked again
		lost := *r.Exchanges[r.Crash.Request-1]
		lost.Lost = true
		r.Exchanges[r.Crash.Request-1] = &lost
	}
	r.Executions = slices.Clone(r.Executions)
	for i, e := range r.Executions {
		if r.BeforeCrash(e) && !e.Dropped && e.End > r.Crash.At {
			dropped := *e
			dropped.Dropped = true
			r.Executions[i] = &dropped
		}
	}
	r.Approvals = slices.DeleteFunc(slices.Clone(r.Approvals), func(a *trace.Approval) bool {
		return a.Asked < r.Crash.At && (a.Decided == 0 || r.askedAgain(a))
	})
}

// askedAgain reports whether the loop asks about a call again that it had asked about before the
// crash.
func (r *Run) askedAgain(a *trace.Approval) bool {
	return slices.ContainsFunc(r.Approvals, func(later *trace.Approval) bool {
		return later.Asked > r.Crash.At && later.Request == a.Request && later.N == a.N
	})
}

// BeforeCrash reports whether a tool was begun before the process of the loop was killed.
func (r *Run) BeforeCrash(e *trace.Execution) bool { return r.Crash != nil && e.Start < r.Crash.At }

// assignAroundCrash gives each execution to a call, those before a crash and those after it apart: what a
// call has after it takes the place of what it had before.
func (r *Run) assignAroundCrash() (runs []CallRun, extra []*trace.Execution) {
	if r.Crash == nil {
		return r.assign(r.Executions)
	}
	at := slices.IndexFunc(r.Executions, func(e *trace.Execution) bool { return !r.BeforeCrash(e) })
	if at < 0 {
		at = len(r.Executions)
	}
	before, _ := r.assign(r.Executions[:at]) // others were of calls that the loop has lost
	runs, extra = r.assign(r.Executions[at:])
	for i := range runs {
		runs[i].Before = before[i].Executions
		if len(runs[i].Executions) == 0 {
			runs[i].Executions, runs[i].Unsettled = runs[i].Before, r.CutOff(runs[i].Turn)
		}
	}
	return runs, extra
}

// CutOff reports whether the process of the loop was killed before it had the results of the calls
// of a turn, so that it may answer each of them as it likes: by its result, where it has that, by
// that of another run, or by saying that it does not know.
func (r *Run) CutOff(t *scenarios.Turn) bool {
	return r.Crash != nil && r.Crash.Turn == t && t.Crashed(scenarios.DuringTool, scenarios.DuringApproval)
}

// NeverResumed reports whether a loop whose process was killed has not asked the model again.
func (r *Run) NeverResumed() bool { return r.Crash != nil && r.Crash.Resumed == 0 }
