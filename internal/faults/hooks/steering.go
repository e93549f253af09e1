package hooks

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// OnSteered changes each request that has the prompt which the user said while tools ran. at is its
// place among the messages.
func OnSteered(change func(r *Request, at int)) func() Mutation {
	return func() Mutation {
		var task protocol.Task
		return Mutation{
			Around: func(of protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				task = of
				return run(of)
			},
			Request: func(r *Request) {
				if !task.Steering {
					return
				}
				at := slices.IndexFunc(r.Messages, func(m neutral.Message) bool {
					return m.Role == neutral.User && !slices.Contains(task.Prompts, saidIn(m))
				})
				if at >= 0 {
					change(r, at)
				}
			},
		}
	}
}

func saidIn(m neutral.Message) string {
	var said []string
	for _, t := range neutral.Of[*neutral.Text](m.Parts) {
		said = append(said, t.Text)
	}
	return strings.Join(said, "\n")
}
