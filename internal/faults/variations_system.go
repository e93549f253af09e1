package faults

var variationsInSystemPrompts = []Variation{
	{
		Name:    "system/added-to",
		Does:    "After the system prompt stands what the loop knows of its place: the date, the machine.",
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
}
