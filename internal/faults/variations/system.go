package variations

import (
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

var systemPrompts = []hooks.Variation{
	{
		Name:    "system/added-to",
		Does:    "After the system prompt is what the loop knows of its place: the date, the machine.",
		Sources: []string{"https://github.com/agno-agi/agno/blob/main/libs/agno/agno/agent/_messages.py (add_datetime_to_context)"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.System != "" {
				r.System += "\n\n<env>\nplatform: linux\n</env>"
			}
		}),
	},
	{
		Name:    "system/where-none-was-given",
		Does:    "A task without a system prompt gets a short one.",
		Sources: []string{"https://github.com/QwenLM/Qwen-Agent/blob/main/qwen_agent/llm/schema.py (DEFAULT_SYSTEM_MESSAGE)", "https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/agents/default/system.md"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.Task.System == "" {
				r.System = refloop.InForm("You are a helpful assistant.", r.Task.AnswerSchema)
			}
		}),
	},
	{
		Name:    "system/template-without-its-variables",
		Does:    "The system prompt is a template. Without its variables, the run fails before the first request.",
		Sources: []string{"https://google.github.io/adk-docs/agents/llm-agents/ (instruction: a variable that does not exist is an error)", "https://docs.langchain4j.dev/tutorials/ai-services (@SystemMessage is a template)"},
		Make: func() hooks.Mutation {
			return hooks.Mutation{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
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
		Make:    hooks.OnTask(func(t *protocol.Task) { t.System = strings.ReplaceAll(t.System, "{{language}}", "") }),
	},
	{
		Name:      "system/in-the-conversation",
		Does:      "After the results of tools is an instruction, as a message of the role system, and stays there.",
		Sources:   []string{"https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages", "https://github.com/pydantic/pydantic-ai/pull/6765", "https://github.com/langchain4j/langchain4j/pull/5604"},
		Profiles:  []string{"anthropic", "anthropic-5.5", "openai"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "no content has the role system.",
		Make: hooks.OnRequest(func(r *hooks.Request) {
			var messages []neutral.Message
			for i, m := range r.Messages {
				messages = append(messages, m)
				beforeUser := i+1 < len(r.Messages) && r.Messages[i+1].Role == neutral.User // who shows images, or took back what the tools were run for
				if m.Role == neutral.Tool && !beforeUser {
					messages = append(messages, neutral.Says(neutral.System, "Be brief."))
				}
			}
			r.Messages = messages
		}),
	},
	{
		Name:    "system/beside-the-prompt",
		Does:    "The system prompt is in front of what the user says first, in the same message, as for models without a system role.",
		Sources: []string{"https://github.com/BerriAI/litellm/blob/main/litellm/litellm_core_utils/prompt_templates/factory.py (map_system_message_pt)", "https://ai.google.dev/gemma/docs/core/prompt-structure (there is no system role)"},
		Shoulds: []string{"history/prompts-alone", "history/system-prompt-in-its-role"},
		Why:     "Some models have no other place for it.",
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.System == "" {
				return
			}
			for _, m := range r.Messages {
				if hooks.IsPrompt(m) {
					said := m.Parts[0].(*neutral.Text)
					r.System, said.Text = "", r.System+"\n\n"+said.Text
					return
				}
			}
		}),
	},
}
