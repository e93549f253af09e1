package hooks

import (
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// GivingUpAnd is a loop that gives up, and changes its later requests.
func GivingUpAnd(gives func() Mutation, change func(*Request)) func() Mutation {
	return func() Mutation {
		m := gives()
		ends := m.Request
		m.Request = func(r *Request) {
			ends(r)
			change(r)
		}
		return m
	}
}

// GivesUpAfter makes a loop that ends what it does for a prompt after an answer or a tool of some
// kind.
func GivesUpAfter(answer func(*Answer) bool, tool func(ToolResult) bool) func() Mutation {
	return func() Mutation {
		var over atomic.Bool // tools run at the same time
		note := func(bad bool) {
			if bad {
				over.Store(true)
			}
		}
		return Mutation{
			Request: func(r *Request) {
				if r.NextPrompt {
					over.Store(false)
				}
				if over.Load() {
					r.Abort()
				}
			},
			Answer: func(a *Answer) { note(answer != nil && answer(a)) },
			Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
				result := post(r)
				note(tool != nil && tool(result))
				return result
			},
		}
	}
}

// GivesUpAt makes a loop that ends its run at a call of some kind.
func GivesUpAt(bad func(protocol.Task, *neutral.Call) bool) func() Mutation {
	return func() Mutation {
		over := false
		var task protocol.Task
		return Mutation{
			Request: func(r *Request) {
				over = over && !r.NextPrompt
				if task = r.Task; over {
					r.Abort()
				}
			},
			Answer: func(a *Answer) {
				for _, c := range a.Calls() {
					over = over || a.Finish() != neutral.Length && bad(task, c)
				}
			},
		}
	}
}

// StopsAtTheThirdFailure makes a loop with a guard: it ends what it does for a prompt when the same
// call has failed three times in a row.
func StopsAtTheThirdFailure() Mutation {
	var mu sync.Mutex
	last, failures := "", 0
	m := GivesUpAfter(nil, func(ToolResult) bool {
		mu.Lock()
		defer mu.Unlock()
		return failures >= 3
	})()
	gives := m.Tool
	m.Tool = func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
		return gives(r, func(r *ToolRun) ToolResult {
			result := post(r)
			mu.Lock()
			defer mu.Unlock()
			switch call := r.Name + " " + r.Arguments; {
			case result.Status == http.StatusOK:
				last, failures = "", 0
			case call == last:
				failures++
			default:
				last, failures = call, 1
			}
			return result
		})
	}
	return m
}

// Knows reports whether a task offers a tool.
func Knows(task protocol.Task, tool string) bool {
	for _, t := range task.Tools {
		if t.Name == tool {
			return true
		}
	}
	return false
}
