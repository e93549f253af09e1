package faults

import (
	"cmp"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// historyKept are loops that are wrong about the history which the provider keeps.
var historyKept = []Fault{
	{
		Name:      "history/gives-up-a-lost-thread",
		Does:      "A thread that the provider has lost ends the run.",
		Only:      neutral.KeptHistory,
		Elsewhere: "the provider keeps no history that it could lose.",
		Breaks:    []string{"history/lost-thread-sent-again"},
		Make: func() Mutation {
			lost := false
			return threaded(Mutation{
				Request: func(r *Request) {
					if lost {
						r.Abort()
					}
				},
				Answer: func(a *Answer) { lost = lost || a.Dialect.Lost(a.Dialect.ErrorCode(a.Body)) == neutral.Gone },
			})()
		},
	},
	{
		Name:      "history/goes-on-from-the-first-answer",
		Does:      "Every request continues the thread from the first answer.",
		Only:      neutral.KeptHistory,
		Elsewhere: "the provider keeps no history to go on with.",
		Breaks:    []string{"history/thread-goes-on-from-the-last-answer"},
		Make: func() Mutation {
			first := ""
			return threaded(Mutation{Request: func(r *Request) {
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
		Make:      threaded(Mutation{Request: func(r *Request) { r.System = r.Task.System }}),
	},
}

// threaded makes a loop that leaves its history to providers that keep it, and changes something in
// its requests.
func threaded(c Mutation) func() Mutation {
	c.Loop = func(l *refloop.Loop) { l.Threads = true }
	return func() Mutation { return c }
}
