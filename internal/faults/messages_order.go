package faults

var egressThinking = inMessages(
	Fault{
		Name:   "reasoning/budgets-for-everybody",
		Does:   "Thinking is always asked for with a budget, whatever the generation of the model.",
		Models: []string{"https://github.com/Alcova-AI/adk-anthropic-go/pull/22", "https://github.com/maximhq/bifrost/pull/5934"},
		Breaks: []string{"reasoning/thinking-form"},
		Make:   onRawRequest(func(r *RawRequest) { r.SetRaw("thinking", `{"type":"enabled","budget_tokens":4000}`) }),
	},
	Fault{
		Name:   "egress/forces-the-first-tool",
		Does:   "The first request of a conversation forces the model to use a tool, where it does not think with a budget.",
		Models: []string{"https://github.com/can1357/oh-my-pi/issues/12939", "https://github.com/vercel/ai/issues/21364", "https://github.com/Yeachan-Heo/gajae-code/pull/482"},
		Breaks: []string{"egress/tool-choice-form"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Number == 1 && r.Get("tools").Exists() && r.Get("thinking.type").String() == "adaptive" {
				r.SetRaw("tool_choice", `{"type":"any"}`)
			}
		}),
	},
)
