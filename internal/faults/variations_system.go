package faults

import (
	"cmp"
	"slices"

	"github.com/tidwall/gjson"
)

var variationsInSystemPrompts = []Variation{
	{
		Name:     "system/developer",
		Does:     "The system prompt is a developer message.",
		Sources:  []string{openaiAPI + " (with o1 models and newer, developer messages replace system messages)", "https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (developer)"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("system", func(path string, _ gjson.Result) { r.Set(path+".role", "developer") })
		}),
	},
	{
		Name:     "system/in-parts",
		Does:     "The system prompt is a list of one text.",
		Sources:  []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/memory.py (\"type\": \"text\")", messagesAPI + " (system is a string or an array of text blocks)"},
		Profiles: []string{"openai", "openrouter"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("system", func(path string, m gjson.Result) { r.SetRaw(path+".content", texts(m.Get("content").String())) })
		}),
	},
	{
		Name:     "system/in-parts",
		Does:     "The system prompt is a list of one text.",
		Sources:  []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/memory.py (\"type\": \"text\")", messagesAPI + " (system is a string or an array of text blocks)"},
		Profiles: []string{"openai", "openrouter"},
		Dialect:  inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", texts(system.String()))
			}
		}),
	},
	{
		Name:    "system/added-to",
		Does:    "Behind the system prompt stands what the loop knows of its place: the date, the machine.",
		Sources: []string{"https://github.com/agno-agi/agno/blob/main/libs/agno/agno/agent/_messages.py (add_datetime_to_context)"},
		Make: onRequest(func(r *Request) {
			if r.System != "" {
				r.System += "\n\n<env>\nplatform: linux\n</env>"
			}
		}),
	},
	{
		Name:     "system/behind-another",
		Does:     "In front of the system prompt stands another one, of the loop or of the account.",
		Sources:  []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (NewSystemMessage(promptPrefix))"},
		Profiles: []string{"openai", "groq", "deepseek"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("messages.0.role").String() == "system" {
				r.SetMessages(slices.Insert(r.Messages(), 0, `{"role":"system","content":"You are Ada, a careful assistant."}`))
			}
		}),
	},
	{
		Name:     "system/behind-another",
		Does:     "In front of the system prompt stands another one, of the loop or of the account.",
		Sources:  []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (NewSystemMessage(promptPrefix))"},
		Profiles: []string{"openai", "groq", "deepseek"},
		Dialect:  inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", texts("You are Ada, a careful assistant.", system.String()))
			}
		}),
	},
	{
		Name:    "system/where-none-was-given",
		Does:    "A task without a system prompt gets a short one.",
		Sources: []string{"https://github.com/QwenLM/Qwen-Agent/blob/main/qwen_agent/llm/schema.py (DEFAULT_SYSTEM_MESSAGE)", "https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/agents/default/system.md"},
		Make:    onRequest(func(r *Request) { r.System = cmp.Or(r.System, "You are a helpful assistant.") }),
	},
}

// texts returns a JSON list of text parts, or of text blocks, which are the same.
func texts(all ...string) string {
	items := "[]"
	for _, text := range all {
		items = setRaw(items, "-1", set(`{"type":"text"}`, "text", text))
	}
	return items
}
