package rules

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// CallRun is a call of the model with its executions.
type CallRun struct {
	Turn    *scenarios.Turn
	In      *trace.Exchange // in whose answer the call was made
	Call    wire.AnswerCall
	N       int // of the call in its turn
	Trouble scenarios.Trouble

	// Executions are the runs of the call. Where a loop of the design cached-results did not run
	// it, it is the earlier run whose result it may have been answered with.
	Executions []*trace.Execution

	// Before are the runs before the process of the loop was killed. They are those of Executions,
	// too, where the loop did not run the call again.
	Before []*trace.Execution

	// Unsettled says that the process was killed before the loop had the results of the turn, and
	// that the call was not run since. Then it may be answered by what it returned, or otherwise.
	Unsettled bool

	// Refusable says that the schema under which the loop offers the tool does not take the
	// arguments, although that of the task does: the loop may run the call, or answer it with an
	// error.
	Refusable bool

	// Denied says that the user denied the call, or would have if the loop had asked.
	Denied bool

	// NotBegun says that the loop did not run the call, and may have gone on with what the user said
	// while others of its turn ran, or have ended at the answer that the model gave beside it.
	NotBegun bool

	takes func() *wire.Node // the schema of the tool; few arguments make anybody ask
}

// Calls returns every call of every turn that was served, with its executions. Calls of broken and
// truncated turns are among them: those are not to be run.
func (r *Run) Calls() []CallRun { return r.runs }

// Uncalled returns the executions that belong to no call of the model.
func (r *Run) Uncalled() []*trace.Execution { return r.extra }

// assign gives each execution to a call: by the call's id where the loop shows it, else by the tool
// and the value of the arguments, to a call behind whose turn the loop has not asked again, else to
// one that failed before with the same arguments, else to any with these arguments, else to the
// first call of that tool that has none. Where a loop lost the arguments of several calls of a
// turn, and there are as many runs as calls, each is that of another call, although one may look
// like another attempt. Of calls that have one id, as some servers give them, it is the one with
// these arguments. Calls without an execution come first each time, and no execution takes the call
// of another that fits it: tools that run at the same time come in any order. Of two calls that
// mean the same, the one with just these arguments is run, one that the user did not deny, and one
// that was made again after its turn had broken off, or after the loop had asked again without running
// it.
func (r *Run) assign(executions []*trace.Execution) (runs []CallRun, extra []*trace.Execution) {
	schemas := map[string]func() *wire.Node{}
	for _, x := range r.Served() {
		if x.Turn.Answer == nil {
			continue
		}
		for n, c := range x.Turn.Answer.Calls {
			if c.Answer != "" {
				continue
			}
			if schemas[c.Scripted()] == nil {
				schemas[c.Scripted()] = sync.OnceValue(func() *wire.Node { return r.takesOf(c.Scripted()) })
			}
			run := CallRun{Turn: x.Turn, In: x, Call: c, N: n, Trouble: r.Script.Scenario.Trouble(c), takes: schemas[c.Scripted()]}
			run.Denied = r.denied(run)
			run.Refusable = run.Trouble == scenarios.NoTrouble && refusedBySchema(x.Request, c)
			runs = append(runs, run)
		}
	}
	same := func(c *CallRun, e *trace.Execution) bool { return c.SameArguments(e) }
	named := func(c *CallRun, e *trace.Execution) bool { return e.CallID != "" && e.CallID == c.Call.ID }
	ids := map[string]bool{}
	for _, c := range runs {
		ids[c.Call.ID] = true
	}
	// A loop makes up ids where the provider gives none; these name no call.
	unnamed := func(_ *CallRun, e *trace.Execution) bool { return e.CallID == "" || !ids[e.CallID] }
	once := func(c *CallRun, _ *trace.Execution) bool { return len(c.Executions) == 1 }
	free := func(c *CallRun, _ *trace.Execution) bool { return c.free() }
	asks := func(c *CallRun, _ *trace.Execution) bool { return c.Turn.Asks() }
	allowed := func(c *CallRun, _ *trace.Execution) bool { return !c.Denied }
	exactly := func(c *CallRun, e *trace.Execution) bool {
		return (unnamed(c, e) || named(c, e)) && c.free() && r.awaited(c, e) && wire.SameJSON(c.Call.Arguments, e.Arguments)
	}
	exact := []likeness{all(allowed, exactly), exactly}
	fitting := []likeness{
		all(named, free, same, r.awaited), all(named, r.triedAgain), all(named, free, same), all(named, free), all(named, same), named,
		all(same, free, asks, r.awaited), all(unnamed, once, r.triedAgain), all(unnamed, r.triedAgain), all(same, free, asks), all(same, free),
	}
	rest := claim(runs, claim(runs, executions, exact), fitting)
	left := []likeness{
		all(free, r.awaited, r.oneEach(runs, rest)),
		func(c *CallRun, e *trace.Execution) bool { return len(c.Executions) == 1 && r.triedAgain(c, e) },
		r.triedAgain,
		free,
		same,
	}
	extra = claim(runs, rest, left)
	for i := range runs {
		runs[i].NotBegun = runs[i].free() && (r.SteeredIn(runs[i]) || r.EndedByAnswerCall(runs[i].In))
	}
	for _, c := range runs {
		slices.SortStableFunc(c.Executions, func(a, b *trace.Execution) int { return cmp.Compare(a.Start, b.Start) })
	}
	if slices.Contains(r.Designs, protocol.CachedResults) {
		r.addCachedRuns(runs)
	}
	return runs, extra
}

// oneEach is a likeness of runs that fit no call by their arguments, such as those of a loop that
// lost these: it holds where a turn has as many of them as it has calls of the tool without a run.
func (r *Run) oneEach(runs []CallRun, rest []*trace.Execution) likeness {
	type place struct {
		in   *trace.Exchange
		tool string
	}
	calls := map[place]int{}
	for i := range runs {
		if c := &runs[i]; c.free() {
			calls[place{c.In, c.Call.Scripted()}]++
		}
	}
	return func(c *CallRun, _ *trace.Execution) bool {
		n := 0
		for _, e := range rest {
			if mayBe(e, c) && r.awaited(c, e) {
				n++
			}
		}
		return n == calls[place{c.In, c.Call.Scripted()}]
	}
}

// awaited reports whether a tool was run before the loop had asked again behind the turn of a call.
func (r *Run) awaited(c *CallRun, e *trace.Execution) bool {
	next := r.Next(c.In)
	return next == nil || e.Start < next.Start
}

// addCachedRuns gives a call that a loop with a cache did not run, and the user did not deny, the run
// from which the loop had its result.
func (r *Run) addCachedRuns(runs []CallRun) {
	for i := range runs {
		c := &runs[i]
		next := r.Next(c.In)
		if !c.free() || c.Denied || next == nil || !c.Turn.Asks() || c.Trouble != scenarios.NoTrouble {
			continue
		}
		if e := cachedRun(runs, c, next.Start); e != nil {
			c.Executions = []*trace.Execution{e}
		}
	}
}

// cachedRun returns the last run of a call like c that had gone well at some time of the
// conversation, or nil. A failure is not for a cache: it may pass.
func cachedRun(runs []CallRun, c *CallRun, at time.Duration) (last *trace.Execution) {
	for i := range runs {
		if !MeansTheSame(c.Call, runs[i].Call) {
			continue
		}
		for _, e := range runs[i].Executions {
			wentWell := !e.Failed && !e.GivenUp() && e.End <= at
			if wentWell && c.SameArguments(e) && (last == nil || e.Start > last.Start) {
				last = e
			}
		}
	}
	return last
}

// likeness says whether an execution may be treated as one of a call.
type likeness func(*CallRun, *trace.Execution) bool

// all is a likeness in all of some ways.
func all(ways ...likeness) likeness {
	return func(c *CallRun, e *trace.Execution) bool {
		return !slices.ContainsFunc(ways, func(alike likeness) bool { return !alike(c, e) })
	}
}

// claim gives each execution to the call that is most like it, and returns those that are like
// none.
func claim(runs []CallRun, executions []*trace.Execution, likenesses []likeness) (extra []*trace.Execution) {
	for _, e := range executions {
		if c := mostLike(runs, e, likenesses); c != nil {
			c.Executions = append(c.Executions, e)
		} else {
			extra = append(extra, e)
		}
	}
	return extra
}

func mostLike(runs []CallRun, e *trace.Execution, likenesses []likeness) *CallRun {
	for _, alike := range likenesses {
		for i := range runs {
			if mayBe(e, &runs[i]) && alike(&runs[i], e) {
				return &runs[i]
			}
		}
	}
	return nil
}

// triedAgain reports whether an execution may be a further attempt at a call that has failed,
// before the model is told. Of equal calls without ids, those that went well or are over get none.
// A loop that repaired the arguments hands over the same again.
func (r *Run) triedAgain(c *CallRun, e *trace.Execution) bool {
	if c.free() {
		return false
	}
	last, next := c.Executions[len(c.Executions)-1], r.Next(c.In)
	if !c.SameArguments(e) && !SameArguments(last.Arguments, e.Arguments) {
		return false
	}
	return last.Failed && last.End <= e.Start && (next == nil || e.Start < next.Start)
}

func (c *CallRun) free() bool { return len(c.Executions) == 0 }

// mayBe reports whether the execution can be one of the call: of the same tool, and not before the
// call was made.
func mayBe(e *trace.Execution, c *CallRun) bool {
	return e.Tool == c.Call.Scripted() && e.Start >= c.In.Start
}

// SameArguments reports whether an execution got the arguments that the model wrote, as they are or
// as the tool declares them, or those with which the user approved the call.
func (c *CallRun) SameArguments(e *trace.Execution) bool {
	return SameArguments(c.Call.Arguments, e.Arguments) || c.sameAsDeclared(e.Arguments) || c.AsEdited(e)
}

// AsEdited reports whether an execution got the arguments with which the user approved the call
// instead of its own.
func (c *CallRun) AsEdited(e *trace.Execution) bool {
	return c.Call.Approved != "" && SameArguments(c.Call.Approved, e.Arguments)
}

// SameArguments reports whether a tool got the arguments that the model wrote. null instead of what
// the model left out has the same meaning, also inside of an argument, and some languages cannot
// leave it out.
func SameArguments(written, handed string) bool {
	if wire.SameJSON(ArgumentsOrNone(written), ArgumentsOrNone(handed)) {
		return true
	}
	was, errWas := wire.ParseNode([]byte(ArgumentsOrNone(written)))
	now, is := wire.ParseObject(ArgumentsOrNone(handed))
	if errWas != nil || !is {
		return false
	}
	return wire.SameValue(was, withoutNulls(now, was))
}

// AddsNulls reports whether a tool got null inside of an argument where the model wrote nothing.
func (c *CallRun) AddsNulls(handed string) bool {
	was, errWas := wire.ParseNode([]byte(ArgumentsOrNone(c.Call.Arguments)))
	now, is := wire.ParseObject(ArgumentsOrNone(handed))
	return errWas == nil && is && slices.ContainsFunc(now.Members, func(m wire.Member) bool {
		written := was.Get(m.Key)
		return written != nil && !wire.SameValue(written, m.Value) && wire.SameValue(written, withoutNulls(m.Value, written))
	})
}

// withoutNulls returns a value without the keys that are null in it and left out in another value,
// at any depth.
func withoutNulls(now, was *wire.Node) *wire.Node {
	if was == nil || now.Type() != was.Type() {
		return now
	}
	rest := *now
	rest.Members = nil
	for _, m := range now.Members {
		written := was.Get(m.Key)
		if written == nil && m.Value.Is(wire.Null) {
			continue
		}
		m.Value = withoutNulls(m.Value, written)
		rest.Members = append(rest.Members, m)
	}
	rest.Items = slices.Clone(now.Items)
	for i := range min(len(now.Items), len(was.Items)) {
		rest.Items[i] = withoutNulls(now.Items[i], was.Items[i])
	}
	return &rest
}

// MeansTheSame reports whether two calls are of the same tool and have equivalent arguments.
func MeansTheSame(a, b wire.AnswerCall) bool {
	return a.Scripted() == b.Scripted() && SameArguments(a.Arguments, b.Arguments)
}

// ArgumentsOrNone returns the arguments of a call; the forms of no arguments, such as "" and null,
// become one.
func ArgumentsOrNone(arguments string) string {
	if wire.BlankArguments(arguments) {
		return "{}"
	}
	return arguments
}

// NotRun demands that calls of a kind are not run. reason says why, in the findings.
func NotRun(r *Run, kind func(CallRun) bool, reason func(CallRun) string) (j CheckResult) {
	for _, c := range r.Calls() {
		if !kind(c) || !r.WentOn(c) {
			continue
		}
		j.HasEvidence = j.HasEvidence || r.RanBefore(c.In)
		for _, e := range c.Executions {
			j.FindInAnswer(c.In,
				fmt.Sprintf("the call %s was run although %s", c.Call.As, reason(c)),
				"no run",
				fmt.Sprintf("%s run with %s", e.Tool, Quote(e.Arguments)))
		}
	}
	return j
}
