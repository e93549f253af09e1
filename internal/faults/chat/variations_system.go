package chat

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInSystem = []raw.Variation{
	{
		Name:     "system/developer",
		Does:     "The system prompt is a developer message.",
		Sources:  []string{openaiAPI + " (with o1 models and newer, developer messages replace system messages)", "https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (developer)"},
		Profiles: []string{"openai"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("system", func(path string, _ gjson.Result) { r.Set(path+".role", "developer") })
		}),
	},
	{
		Name:     "system/in-parts",
		Does:     "The system prompt is a list of one text.",
		Sources:  []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/memory.py (\"type\": \"text\")"},
		Profiles: []string{"openai", "openrouter"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("system", func(path string, m gjson.Result) { r.SetRaw(path+".content", raw.Texts(m.Get("content").String())) })
		}),
	},
	{
		Name:     "system/behind-another",
		Does:     "In front of the system prompt is another one, of the loop or of the account.",
		Sources:  []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (NewSystemMessage(promptPrefix))"},
		Profiles: []string{"openai", "groq", "deepseek"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("messages.0.role").String() == "system" {
				r.SetMessages(slices.Insert(r.Messages(), 0, `{"role":"system","content":"You are Ada, a careful assistant."}`))
			}
		}),
	},
}
