package hooks

import (
	"context"

	"github.com/loopproof/loopproof/protocol"
)

// Ask asks the user about calls: it is [protocol.Task.Decide].
type Ask = func(context.Context, ...protocol.PendingCall) ([]protocol.Decision, error)

// OnDecide changes how the loop asks the user about calls.
func OnDecide(change func(protocol.Task, Ask) Ask) func() Mutation {
	return OnTask(func(task *protocol.Task) {
		if task.Decide != nil {
			task.Decide = change(*task, task.Decide)
		}
	})
}

// EachDecision changes what the loop understands of the user's decisions.
func EachDecision(change func(*protocol.Decision)) func() Mutation {
	return OnDecide(func(_ protocol.Task, ask Ask) Ask {
		return func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
			decisions, err := ask(ctx, calls...)
			for i := range decisions {
				change(&decisions[i])
			}
			return decisions, err
		}
	})
}

// EachQuestion changes what the user is shown of a call.
func EachQuestion(change func(*protocol.PendingCall)) func() Mutation {
	return OnDecide(func(_ protocol.Task, ask Ask) Ask {
		return func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
			for i := range calls {
				change(&calls[i])
			}
			return ask(ctx, calls...)
		}
	})
}
