package rules

import (
	"iter"
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// ReturnedTurn pairs a good turn of the model with the assistant message by which the next request
// returns it.
type ReturnedTurn struct {
	Turn    *scenarios.Turn
	In      *trace.Exchange // the request that has to return the turn
	Message *wire.Message   // nil if the turn did not come back
	Index   int             // of the message
}

// ReturnedTurns returns how the next request returns each good turn after which the loop asked
// again. Later requests repeat it, which the rules about history judge. A turn that the provider
// kept does not come back. Callers must not change the slice.
func (r *Run) ReturnedTurns() []ReturnedTurn { return r.returned.byTheLoop }

// ReturnedCallTurns returns how turns that asked for tools came back. Callers must not change the
// slice.
func (r *Run) ReturnedCallTurns() []ReturnedTurn { return r.returned.withCalls }

// Answered returns how turns that asked for tools came back, also of those that the provider kept
// itself: their calls are answered anyway. Callers must not change the slice.
func (r *Run) Answered() []ReturnedTurn { return r.returned.answered }

// RunResult is a result of a call in a request of the loop.
type RunResult struct {
	Turn   ReturnedTurn
	N      int // of the call in its turn
	Call   CallRun
	Result wire.Result
}

// RunResults returns the results of calls that the loop had run before it sent them, in each request
// that has them, but for calls whose id is not theirs alone.
func (r *Run) RunResults() iter.Seq[RunResult] {
	return func(yield func(RunResult) bool) {
		for _, e := range r.Answered() {
			for n, call := range e.Turn.Answer.Calls {
				res, ok := e.Result(n)
				c := r.CallRun(e, n)
				if !ok || IDRepeated(r, call.ID) || !c.ReturnedBefore(e.In.Start) {
					continue
				}
				if !yield(RunResult{e, n, c, res}) {
					return
				}
			}
		}
	}
}

// returnedTurns are the turns that came back, as the rules ask for them. Many rules do, for each
// request.
type returnedTurns struct {
	all       []ReturnedTurn
	byTheLoop []ReturnedTurn // without those that the provider kept
	withCalls []ReturnedTurn // of those by the loop, the turns that asked for tools
	answered  []ReturnedTurn // the turns that asked for tools
}

func newReturnedTurns(all []ReturnedTurn) returnedTurns {
	r := returnedTurns{all: all}
	byTheLoop := func(e ReturnedTurn) bool { return !e.kept() }
	asked := func(e ReturnedTurn) bool { return e.Turn.Asks() }
	r.byTheLoop = those(all, byTheLoop)
	r.withCalls, r.answered = those(r.byTheLoop, asked), those(all, asked)
	return r
}

// those returns the turns for which a condition holds: the same slice where that is all of them.
func those(all []ReturnedTurn, hold func(ReturnedTurn) bool) (some []ReturnedTurn) {
	if n := slices.IndexFunc(all, func(e ReturnedTurn) bool { return !hold(e) }); n < 0 {
		return slices.Clip(all)
	}
	for _, e := range all {
		if hold(e) {
			some = append(some, e)
		}
	}
	return some
}

// kept reports whether the loop had no need to return the turn, since the provider kept it.
func (e ReturnedTurn) kept() bool { return e.Message != nil && e.Index < e.In.Kept() }

// Result returns the result that the request gives to the n-th call of the turn, and false when
// there is none. It is found by the id under which the loop returned the call, which may not be
// that of the model; calls that share an id are distinguished by their order.
func (e ReturnedTurn) Result(n int) (wire.Result, bool) {
	if e.Message == nil {
		return wire.Result{}, false
	}
	id, skip, at := e.Turn.Answer.Calls[n].ID, 0, e.Index
	if message, call, ok := e.PlaceOfCall(n); ok {
		calls := e.In.Request.Messages[message].Calls
		id, at = calls[call].ID, message
		for _, c := range calls[:call] {
			if c.ID == id {
				skip++
			}
		}
	}
	results, _ := e.In.Request.AnswersTo(at)
	for _, res := range results {
		if res.CallID != id {
			continue
		}
		if skip == 0 {
			return res, true
		}
		skip--
	}
	return wire.Result{}, false
}

// PlaceOfCall returns where the n-th call of the turn came back: the message and the place in it.
// It is the call of the same id, wherever it is, since a loop may sort calls or split a turn over
// messages; else the only equal one; else, when just as many calls came back, the one at the same
// place.
func (e ReturnedTurn) PlaceOfCall(n int) (message, call int, ok bool) {
	if e.Message == nil {
		return 0, 0, false
	}
	given := e.Turn.Answer.Calls
	if id := given[n].ID; id != "" && !sharedAmong(given, id) {
		for i := e.Index; i < len(e.In.Request.Messages); i++ {
			if at := slices.Index(CallIDs(e.In.Request.Messages[i]), id); at >= 0 {
				return i, at, true
			}
		}
	}
	if at := e.onlyOfItsTool(n); given[n].ID == "" && at >= 0 {
		return e.Index, at, true
	}
	if at := e.onlyEqual(n); at >= 0 {
		return e.Index, at, true
	}
	if len(e.Message.Calls) != len(given) {
		return 0, 0, false
	}
	taken := slices.ContainsFunc(given, func(c wire.AnswerCall) bool { return c.ID == e.Message.Calls[n].ID && c.ID != given[n].ID })
	return e.Index, n, !taken
}

// onlyOfItsTool returns the place of the only returned call of the tool of the n-th call, or -1
// where the turn has several.
func (e ReturnedTurn) onlyOfItsTool(n int) int {
	name := e.Turn.Answer.Calls[n].Name
	for i, c := range e.Turn.Answer.Calls {
		if i != n && c.Name == name {
			return -1
		}
	}
	return slices.IndexFunc(e.Message.Calls, func(c wire.Call) bool { return c.Name == name })
}

// onlyEqual returns the place of the only returned call that equals the n-th call of the turn, or
// -1 where there are several: a loop with its own ids may write the calls in another order.
func (e ReturnedTurn) onlyEqual(n int) int {
	given, at := e.Turn.Answer.Calls, -1
	for i, c := range e.Message.Calls {
		if !EqualCall(given[n], c) {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	for i, c := range given {
		if i != n && SameCallMade(given[n], c) {
			return -1
		}
	}
	return at
}

// Call returns the n-th call of the turn as it came back, and false if it did not come back.
func (e ReturnedTurn) Call(n int) (wire.Call, bool) {
	message, call, ok := e.PlaceOfCall(n)
	if !ok {
		return wire.Call{}, false
	}
	return e.In.Request.Messages[message].Calls[call], true
}

func sharedAmong(calls []wire.AnswerCall, id string) bool {
	count := 0
	for _, c := range calls {
		if c.ID == id {
			count++
		}
	}
	return count > 1
}

// DescribeReturn describes for a finding how a turn came back.
func DescribeReturn(e ReturnedTurn) string {
	if e.Message == nil {
		return "no assistant message for this turn"
	}
	return Show(e.Message.Node)
}
