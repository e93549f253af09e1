package faults

import (
	"strings"

	"github.com/loopproof/loopproof/protocol"
)

var variationsInSystemPrompts = []Variation{
	{
		Name:    "system/added-to",
		Does:    "After the system prompt is what the loop knows of its place: the date, the machine.",
		Sources: []string{"https://github.com/agno-agi/agno/blob/main/libs/agno/agno/agent/_messages.py (add_datetime_to_context)"},
		Make: onRequest(func(r *Request) {
			if r.System != "" {
				r.System += "\n\n<env>\nplatform: linux\n</env>"
			}
		}),
	},
	{
		Name:    "system/where-none-was-given",
		Does:    "A task without a system prompt gets a short one.",
		Sources: []string{"https://github.com/QwenLM/Qwen-Agent/blob/main/qwen_agent/llm/schema.py (DEFAULT_SYSTEM_MESSAGE)", "https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/agents/default/system.md"},
		Make: onRequest(func(r *Request) {
			if r.Task.System == "" {
				r.System = "You are a helpful assistant."
			}
		}),
	},
	{
		Name:    "system/template-without-its-variables",
		Does:    "The system prompt is a template. Without its variables, the run fails before the first request.",
		Sources: []string{"https://google.github.io/adk-docs/agents/llm-agents/ (instruction: a variable that does not exist is an error)", "https://docs.langchain4j.dev/tutorials/ai-services (@SystemMessage is a template)"},
		Make: func() Mutation {
			return Mutation{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				if strings.Contains(task.System, "{{") {
					return protocol.Outcome{Type: protocol.TypeOutcome, ID: task.ID, Status: protocol.Failed, Error: "the variable language is missing"}
				}
				return run(task)
			}}
		},
	},
	{
		Name:    "system/template-with-nothing-filled-in",
		Does:    "The system prompt is a template, and an unset variable is left out.",
		Sources: []string{"https://docs.haystack.deepset.ai/docs/chatpromptbuilder (a missing variable is rendered as nothing)"},
		Make:    onTask(func(t *protocol.Task) { t.System = strings.ReplaceAll(t.System, "{{language}}", "") }),
	},
}
