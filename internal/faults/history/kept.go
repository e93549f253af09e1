package history

import (
	"cmp"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// kept are loops that are wrong about the history which the provider keeps.
var kept = []hooks.Fault{
	{
		Name:      "history/gives-up-a-lost-thread",
		Does:      "A thread that the provider has lost ends the run.",
		Only:      neutral.KeptHistory,
		Elsewhere: "the provider keeps no history that it could lose.",
		Breaks:    []string{"history/lost-thread-sent-again"},
		Make: func() hooks.Mutation {
			lost := false
			return threaded(hooks.Mutation{
				Request: func(r *hooks.Request) {
					if lost {
						r.Abort()
					}
				},
				Answer: func(a *hooks.Answer) { lost = lost || a.Dialect.Lost(a.Dialect.ErrorCode(a.Body)) == neutral.Gone },
			})()
		},
	},
	{
		Name:      "history/goes-on-from-the-first-answer",
		Does:      "Every request continues the thread from the first answer.",
		Only:      neutral.KeptHistory,
		Elsewhere: "the provider keeps no history to go on with.",
		Breaks:    []string{"history/thread-goes-on-from-the-last-answer"},
		Make: func() hooks.Mutation {
			first := ""
			return threaded(hooks.Mutation{Request: func(r *hooks.Request) {
				if r.Previous != "" {
					first = cmp.Or(first, r.Previous)
					r.Previous = first
				}
			}})()
		},
	},
	{
		Name:      "history/says-the-system-prompt-again",
		Does:      "A request that continues a thread carries the system prompt again.",
		Only:      neutral.KeptHistory,
		Elsewhere: "the system prompt goes with every request.",
		Breaks:    []string{"history/thread-keeps-system-and-tools"},
		Make:      threaded(hooks.Mutation{Request: func(r *hooks.Request) { r.System = refloop.InForm(r.Task.System, r.Task.AnswerSchema) }}),
	},
}

// threaded makes a loop that leaves its history to providers that keep it, and changes something in
// its requests.
func threaded(c hooks.Mutation) func() hooks.Mutation {
	c.Loop = func(l *refloop.Loop) { l.Threads = true }
	return func() hooks.Mutation { return c }
}
