package faults

import (
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// asksForTheRest makes a loop that asks once for the rest of a text that ended for a reason: with the text in the history, and
// behind that what it says in the place of the user, if anything.
func asksForTheRest(of neutral.Finish, says string) func() Mutation {
	return func() Mutation {
		var last *Request
		var turn *neutral.Turn
		return Mutation{
			Request: func(r *Request) { last = r },
			Turn:    func(t *neutral.Turn) { turn = t },
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if turn == nil || turn.Finish != of || strings.TrimSpace(turn.Said()) == "" || len(turn.Calls()) > 0 {
					return o
				}
				last.Add(neutral.Says(neutral.Assistant, turn.Said()))
				if says != "" {
					last.Add(neutral.Says(neutral.User, says))
				}
				last.askAgain()
				return o
			},
		}
	}
}
