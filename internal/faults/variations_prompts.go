package faults

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// eachRawPrompt changes what the user said in a request: messages of the user in words, without images or results.
func eachRawPrompt(change func(r *RawRequest, path, said string)) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.Each("user", func(path string, m gjson.Result) {
			switch said := m.Get("content"); {
			case said.Type == gjson.String:
				change(r, path, said.String())
			case len(said.Array()) == 1 && isBlock(said.Get("0"), "text"):
				change(r, path, said.Get("0.text").String())
			}
		})
	})
}

var variationsInPrompts = []Variation{
	{
		Name:     "prompts/in-parts",
		Does:     "The words of the user are a list of one part.",
		Sources:  []string{openaiAPI + " (content of a user message is a string or an array)", "https://github.com/huggingface/smolagents/blob/main/src/smolagents/memory.py (\"type\": \"text\")"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make:     eachRawPrompt(func(r *RawRequest, path, said string) { r.SetRaw(path+".content", texts(said)) }),
	},
	{
		Name:    "prompts/as-a-string",
		Does:    "The words of the user are a string and no list of blocks.",
		Sources: []string{messagesAPI + " (content is a string or an array)"},
		Dialect: inBlocks,
		Make:    eachRawPrompt(func(r *RawRequest, path, said string) { r.Set(path+".content", said) }),
	},
	{
		Name:     "prompts/named",
		Does:     "The messages of the user have a name.",
		Sources:  []string{openaiAPI + " (name, an optional name for the participant)"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make:     eachRawPrompt(func(r *RawRequest, path, _ string) { r.Set(path+".name", "ada") }),
	},
	{
		Name:    "prompts/behind-a-greeting",
		Does:    "In front of what the user says first stands a greeting of the assistant.",
		Sources: []string{"https://github.com/posit-dev/py-shiny/pull/1530 (a chat that begins with a message of the assistant)", "https://github.com/anthropics/anthropic-sdk-typescript/issues/622"},
		Make:    onRequest(func(r *Request) { r.Begin(neutral.Says(neutral.Assistant, "How can I help?")) }),
	},
	{
		Name:    "prompts/behind-a-note",
		Does:    "In front of what the user says first stands a message of the user in which the loop tells of its surroundings.",
		Sources: []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (<system_reminder>)"},
		Make: onRequest(func(r *Request) {
			r.Begin(neutral.Says(neutral.User, "<system_reminder>The list of things to do is empty.</system_reminder>"))
		}),
	},
	{
		Name:      "prompts/neighbours-joined",
		Does:      "Messages of the user that follow each other, behind what was cancelled, are one.",
		Sources:   []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/langchain-core/src/messages/transformers.ts (mergeMessageRuns)", "https://github.com/vercel/ai/blob/main/packages/anthropic/src/convert-to-anthropic-prompt.ts (groupIntoBlocks)"},
		Unless:    neutral.ResultMessages,
		Elsewhere: "their texts are joined, as in prompts/joined.",
		Make: onRequest(func(r *Request) {
			var joined []neutral.Message
			for _, m := range r.Messages {
				if last := len(joined) - 1; last >= 0 && m.Role == neutral.User && joined[last].Role != neutral.Assistant {
					joined[last].Parts = append(joined[last].Parts, m.Parts...)
					continue
				}
				joined = append(joined, m)
			}
			r.Messages = joined
		}),
	},
	{
		Name:    "prompts/in-a-tag",
		Does:    "What the user said stands between tags.",
		Sources: []string{"https://github.com/cline/cline/blob/main/apps/cli/src/acp/session-load.ts (<user_input mode)"},
		Why:     "The model is told apart what the user wrote and what the loop added.",
		Shoulds: []string{"history/prompts-alone"},
		Make:    eachPrompt(func(_ *Request, said *neutral.Text) { said.Text = "<user_input>" + said.Text + "</user_input>" }),
	},
	{
		Name:     "prompts/before-a-note",
		Does:     "Behind what the user said stands, in a part of its own, what the loop knows of their surroundings.",
		Sources:  []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (<system-reminder>)"},
		Profiles: []string{"openai"},
		Make: onRequest(func(r *Request) {
			r.Each(neutral.User, func(m *neutral.Message) {
				if len(m.Parts) == 1 {
					m.Parts = append(m.Parts, &neutral.Text{Text: "<system-reminder>The user has two files open.</system-reminder>"})
				}
			})
		}),
	},
}
