package execution

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/faults/hooks"
)

// counted are loops that count calls or failures, and give up where it goes well.
var counted = []hooks.Fault{
	{
		Name:    "execution/takes-polling-for-a-loop",
		Does:    "A call that was made twice before is not run a third time: the model is told that it repeats itself.",
		Reports: []string{"https://github.com/fastclaw-ai/fastclaw/pull/80", "https://github.com/StartupHakk/OpenMonoAgent.ai/issues/47"},
		Breaks:  []string{"execution/polling-goes-on"},
		Make: func() hooks.Mutation {
			var mu sync.Mutex
			made := map[string]int{}
			return hooks.Mutation{Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
				mu.Lock()
				made[r.Name+r.Arguments]++
				times := made[r.Name+r.Arguments]
				mu.Unlock()
				if times > 2 {
					return hooks.ToolResult{Status: http.StatusInternalServerError, Body: "you repeat yourself"}
				}
				return post(r)
			}}
		},
	},
	{
		Name:    "execution/cancels-siblings-of-a-failure",
		Does:    "When a tool fails, those of its turn that still run are given up.",
		Reports: []string{"https://github.com/langchain-ai/deepagents/issues/694", "https://github.com/openai/openai-agents-python/pull/2580"},
		Breaks:  []string{"execution/siblings-unaffected"},
		Make: func() hooks.Mutation {
			ctx, giveUp := context.WithCancel(context.Background())
			return hooks.Mutation{
				Timing:  true,
				Request: func(*hooks.Request) { ctx, giveUp = context.WithCancel(context.Background()) },
				Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
					of, stop := context.WithCancel(r.Context)
					defer stop()
					defer context.AfterFunc(ctx, stop)()
					r.Context = of
					result := post(r)
					if result.Status == http.StatusInternalServerError {
						time.AfterFunc(50*time.Millisecond, giveUp) // what returns at once is there
					}
					return result
				},
			}
		},
	},
	{
		Name:   "execution/adds-up-failures",
		Does:   "The third tool that fails ends the run, whatever went well in between.",
		Breaks: []string{"execution/bad-call-survived"},
		Make: func() hooks.Mutation {
			var mu sync.Mutex
			failures := 0
			return hooks.Mutation{
				Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
					result := post(r)
					if mu.Lock(); result.Status == http.StatusInternalServerError {
						failures++
					}
					mu.Unlock()
					return result
				},
				Request: func(r *hooks.Request) {
					if failures > 2 {
						r.Abort()
					}
				},
			}
		},
	},
}
