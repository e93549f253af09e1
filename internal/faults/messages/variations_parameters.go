package messages

import (
	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInParameters = []raw.Variation{
	{
		Name:     "parameters/top-k",
		Does:     "A request says of how many tokens the next one is drawn.",
		Sources:  []string{"https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/anthropic/claude.py (top_k)"},
		Profiles: []string{"anthropic-4.5"},
		Make:     settingForNoThought("top_k", 40),
	},
	{
		Name:    "parameters/thinking-not-asked-for",
		Does:    "A request says nothing about thinking.",
		Sources: []string{messagesAPI + " (thinking is optional)"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.Delete("thinking") }),
	},
	{
		Name:    "parameters/beta-feature",
		Does:    "A request asks for a feature that is a beta, in its header and in its body.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/context-editing", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/anthropic.py (context_management)"},
		Make: func() raw.Mutation {
			c := raw.OnSend(raw.Headers("Anthropic-Beta", "context-management-2025-06-27"))()
			c.Request = func(r *raw.Request) {
				r.SetRaw("context_management", `{"edits":[{"type":"clear_tool_uses_20250919"}]}`)
			}
			return c
		},
	},
}
