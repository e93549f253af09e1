package hooks

import (
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// OfSubAgent reports whether a request is one of a sub-agent, and not of its caller.
func (r *Request) OfSubAgent() bool { return strings.Contains(r.Task.ID, "/") }

// OnDelegate changes how the task of a sub-agent is carried out.
func OnDelegate(change func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome) func() Mutation {
	return func() Mutation {
		return Mutation{Delegate: func(_ []neutral.Message, task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			return change(task, run)
		}}
	}
}

// OnDelegatedTask changes what a sub-agent is told. caller is the task of its caller.
func OnDelegatedTask(change func(caller protocol.Task, task *protocol.Task)) func() Mutation {
	return func() Mutation {
		var caller protocol.Task
		return Mutation{
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				caller = task
				return run(task)
			},
			Delegate: func(_ []neutral.Message, task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				change(caller, &task)
				return run(task)
			},
		}
	}
}

// BeforeDelegated puts messages of the caller's history before what sub-agents are asked.
func BeforeDelegated(choose func(caller []neutral.Message) []neutral.Message) func() Mutation {
	return func() Mutation {
		var mu sync.Mutex
		before := map[string][]neutral.Message{} // by the id of the task
		return Mutation{
			Delegate: func(caller []neutral.Message, task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				mu.Lock()
				before[task.ID] = choose(caller)
				mu.Unlock()
				return run(task)
			},
			Request: func(r *Request) {
				mu.Lock()
				defer mu.Unlock()
				if r.OfSubAgent() {
					r.Messages = slices.Concat(before[r.Task.ID], r.Messages)
				}
			},
		}
	}
}
