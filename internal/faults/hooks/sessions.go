package hooks

import (
	"slices"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// OnRestored changes what a loop finds of a session when it goes on with it.
func OnRestored(change func(protocol.Task, *refloop.Stored)) func() Mutation {
	return func() Mutation {
		var of protocol.Task
		return Mutation{
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				of = task
				return run(task)
			},
			Restored: func(s *refloop.Stored) { change(of, s) },
		}
	}
}

// AnswerOpen gives a result to the calls of a session that have none: to those that wait for the
// user, or to the others.
func AnswerOpen(task protocol.Task, s *refloop.Stored, pending bool, with *neutral.Result) {
	calls := OpenCalls(s)
	results := make([]*neutral.Result, len(calls))
	copy(results, s.Results)
	for i, call := range calls {
		needsApproval := slices.ContainsFunc(task.Tools, func(t protocol.Tool) bool { return t.Name == call.Name && t.NeedsApproval })
		if results[i] == nil && needsApproval == pending {
			r := *with
			r.CallID, r.Name = call.ID, call.Name
			results[i] = &r
		}
	}
	s.Results = results
}

// OpenCalls returns the calls of the last turn of a session if their results are not in its
// history.
func OpenCalls(s *refloop.Stored) (calls []*neutral.Call) {
	for _, m := range slices.Backward(s.Messages) {
		if m.Role != neutral.Assistant {
			break
		}
		calls = slices.Concat(m.Calls(), calls)
	}
	return calls
}
