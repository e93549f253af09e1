package messages

import (
	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInSystem = []raw.Variation{
	{
		Name:    "system/in-blocks",
		Does:    "The system prompt is a list of one block.",
		Sources: []string{messagesAPI + " (system is a string or an array of text blocks)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", raw.Texts(system.String()))
			}
		}),
	},
	{
		Name:    "system/in-two-blocks",
		Does:    "In front of the system prompt is another one, of the loop or of the account, in a block of its own.",
		Sources: []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (NewSystemMessage(promptPrefix))"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", raw.Texts("You are Ada, a careful assistant.", system.String()))
			}
		}),
	},
}
