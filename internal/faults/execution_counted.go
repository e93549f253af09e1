package faults

import (
	"net/http"
	"sync"
)

// executionCounted are loops that count calls or failures, and give up where it goes well.
var executionCounted = []Fault{
	{
		Name:    "execution/takes-polling-for-a-loop",
		Does:    "A call that was made twice before is not run a third time: the model is told that it repeats itself.",
		Reports: []string{"https://github.com/fastclaw-ai/fastclaw/pull/80", "https://github.com/StartupHakk/OpenMonoAgent.ai/issues/47"},
		Breaks:  []string{"execution/polling-goes-on"},
		Make: func() Mutation {
			var mu sync.Mutex
			made := map[string]int{}
			return Mutation{Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
				mu.Lock()
				made[r.Name+r.Arguments]++
				times := made[r.Name+r.Arguments]
				mu.Unlock()
				if times > 2 {
					return ToolResult{Status: http.StatusInternalServerError, Body: "you repeat yourself"}
				}
				return post(r)
			}}
		},
	},
	{
		Name:   "execution/adds-up-failures",
		Does:   "The third tool that fails ends the run, whatever went well in between.",
		Breaks: []string{"execution/bad-call-survived"},
		Make: func() Mutation {
			var mu sync.Mutex
			failures := 0
			return Mutation{
				Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
					result := post(r)
					if mu.Lock(); result.Status == http.StatusInternalServerError {
						failures++
					}
					mu.Unlock()
					return result
				},
				Request: func(r *Request) {
					if failures > 2 {
						r.Abort()
					}
				},
			}
		},
	},
}
