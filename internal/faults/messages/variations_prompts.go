package messages

import (
	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInPrompts = []raw.Variation{
	{
		Name:    "prompts/as-a-string",
		Does:    "The words of the user are a string and no list of blocks.",
		Sources: []string{messagesAPI + " (content is a string or an array)"},
		Make:    raw.OnPrompts(func(r *raw.Request, path, said string) { r.Set(path+".content", said) }),
	},
}
