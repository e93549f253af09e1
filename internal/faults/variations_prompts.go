package faults

import (
	"slices"

	"github.com/tidwall/gjson"
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
		Make:     eachRawPrompt(func(r *RawRequest, path, _ string) { r.Set(path+".name", "ada") }),
	},
	{
		Name:    "prompts/behind-a-greeting",
		Does:    "In front of what the user says first stands a greeting of the assistant.",
		Sources: []string{"https://github.com/posit-dev/py-shiny/pull/1530 (a chat that begins with a message of the assistant)", "https://github.com/anthropics/anthropic-sdk-typescript/issues/622"},
		Both:    true,
		Make: onRawRequest(func(r *RawRequest) {
			at := 0
			if r.Get("messages.0.role").String() == "system" {
				at = 1
			}
			r.SetMessages(slices.Insert(r.Messages(), at, `{"role":"assistant","content":"How can I help?"}`))
		}),
	},
	{
		Name:    "prompts/behind-a-note",
		Does:    "In front of what the user says first stands a message of the user in which the loop tells of its surroundings.",
		Sources: []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (<system_reminder>)"},
		Both:    true,
		Make: onRawRequest(func(r *RawRequest) {
			at := 0
			if r.Get("messages.0.role").String() == "system" {
				at = 1
			}
			r.SetMessages(slices.Insert(r.Messages(), at, `{"role":"user","content":"<system_reminder>The list of things to do is empty.</system_reminder>"}`))
		}),
		InBlocks: onRawRequest(func(r *RawRequest) {
			r.SetMessages(slices.Insert(r.Messages(), 0, `{"role":"user","content":[{"type":"text","text":"<system_reminder>The list of things to do is empty.</system_reminder>"}]}`))
		}),
	},
	{
		Name:    "prompts/neighbours-joined",
		Does:    "Messages of the user that follow each other, behind what was cancelled, are one.",
		Sources: []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/langchain-core/src/messages/transformers.ts (mergeMessageRuns)", "https://github.com/vercel/ai/blob/main/packages/anthropic/src/convert-to-anthropic-prompt.ts (groupIntoBlocks)"},
		Both:    true,
		Make: onRawRequest(func(r *RawRequest) {
			var joined []string
			for _, m := range r.Messages() {
				last := len(joined) - 1
				if last < 0 || gjson.Get(m, "role").String() != "user" || gjson.Get(joined[last], "role").String() != "user" {
					joined = append(joined, m)
					continue
				}
				joined[last] = set(joined[last], "content", content(joined[last])+"\n"+content(m))
			}
			r.SetMessages(joined)
		}),
		InBlocks: onRawRequest(func(r *RawRequest) {
			var joined []string
			for _, m := range r.Messages() {
				last := len(joined) - 1
				if last < 0 || gjson.Get(m, "role").String() != "user" || gjson.Get(joined[last], "role").String() != "user" {
					joined = append(joined, m)
					continue
				}
				for _, b := range gjson.Get(m, "content").Array() {
					joined[last] = setRaw(joined[last], "content.-1", b.Raw)
				}
			}
			r.SetMessages(joined)
		}),
	},
	{
		Name:    "prompts/in-a-tag",
		Does:    "What the user said stands between tags.",
		Sources: []string{"https://github.com/cline/cline/blob/main/apps/cli/src/acp/session-load.ts (<user_input mode)"},
		Both:    true,
		Shoulds: []string{"history/prompts-alone"},
		Why:     "The model is told apart what the user wrote and what the loop added.",
		Make:    eachRawPrompt(func(r *RawRequest, path, said string) { r.Set(path+".content", "<user_input>"+said+"</user_input>") }),
	},
	{
		Name:     "prompts/before-a-note",
		Does:     "Behind what the user said stands, in a part of its own, what the loop knows of their surroundings.",
		Sources:  []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (<system-reminder>)"},
		Profiles: []string{"openai"},
		Both:     true,
		Make: eachRawPrompt(func(r *RawRequest, path, said string) {
			r.SetRaw(path+".content", texts(said, "<system-reminder>The user has two files open.</system-reminder>"))
		}),
	},
}
