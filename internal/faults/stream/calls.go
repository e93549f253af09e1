package stream

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// calls are loops that expect tool calls to come in pieces as OpenAI's do.
var calls = []hooks.Fault{
	{
		Name:    "stream/never-finishes-calls",
		Does:    "After four rounds the pieces of streamed calls are collected, but not used at the end of the stream.",
		Reports: []string{"https://github.com/crewAIInc/crewAI/commit/3a22e8076"},
		Breaks:  []string{"execution/every-call-run", "limits/all-turns-allowed", "outcome/no-failure-of-its-own"},
		Make: func() hooks.Mutation {
			long := false
			return hooks.Mutation{
				Request: func(r *hooks.Request) { long = r.Rounds() >= hooks.LongRun },
				Answer: func(a *hooks.Answer) {
					if long && a.Streamed && len(a.Calls()) > 0 {
						a.SetCalls()
						a.SetFinish(neutral.Stop)
					}
				},
			}
		},
	},
}
