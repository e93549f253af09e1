package chat

import (
	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInPrompts = []raw.Variation{
	{
		Name:     "prompts/in-parts",
		Does:     "The words of the user are a list of one part.",
		Sources:  []string{openaiAPI + " (content of a user message is a string or an array)", "https://github.com/huggingface/smolagents/blob/main/src/smolagents/memory.py (\"type\": \"text\")"},
		Profiles: []string{"openai"},
		Make:     raw.OnPrompts(func(r *raw.Request, path, said string) { r.SetRaw(path+".content", raw.Texts(said)) }),
	},
	{
		Name:     "prompts/named",
		Does:     "The messages of the user have a name.",
		Sources:  []string{openaiAPI + " (name, an optional name for the participant)"},
		Profiles: []string{"openai"},
		Make:     raw.OnPrompts(func(r *raw.Request, path, _ string) { r.Set(path+".name", "ada") }),
	},
}
