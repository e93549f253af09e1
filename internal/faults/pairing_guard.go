package faults

import (
	"net/http"
	"sync"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// stopsAtTheThirdFailure makes a loop with a guard: it ends what it does for a prompt when the same
// call has failed three times in a row.
func stopsAtTheThirdFailure() Mutation {
	var mu sync.Mutex
	last, failures := "", 0
	m := givesUpAfter(nil, func(ToolResult) bool {
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

// leavesTheLastRoundOpen removes the results of the last round of a prompt that the loop gave up.
func leavesTheLastRoundOpen(r *Request) {
	rewriteUnanswered(r, func(part []neutral.Message) []neutral.Message {
		if last := part[len(part)-1]; len(last.Results()) > 0 {
			return part[:len(part)-1]
		}
		return part
	})
}
