package messages

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var reasoning = []raw.Fault{
	{
		Name:   "reasoning/forces-a-tool",
		Does:   "Thinking is asked for with a budget, and a tool is forced.",
		Breaks: []string{"reasoning/no-forced-tools"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools").Exists() && takesBudgets(r) {
				r.SetRaw("thinking", `{"type":"enabled","budget_tokens":2000}`)
				r.SetRaw("tool_choice", `{"type":"any"}`)
			}
		}),
	},
	{
		Name:   "reasoning/thinks-too-little",
		Does:   "The budget for thinking is the number of tokens that a short answer needs.",
		Breaks: []string{"reasoning/budget-fits"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if takesBudgets(r) {
				r.SetRaw("thinking", `{"type":"enabled","budget_tokens":500}`)
			}
		}),
	},
	{
		Name:    "reasoning/budgets-for-everybody",
		Does:    "Thinking is always asked for with a budget, whatever the generation of the model.",
		Reports: []string{"https://github.com/Alcova-AI/adk-anthropic-go/pull/22", "https://github.com/maximhq/bifrost/pull/5934"},
		Breaks:  []string{"reasoning/thinking-form"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.SetRaw("thinking", `{"type":"enabled","budget_tokens":4000}`) }),
	},
	{
		Name:    "reasoning/leaves-empty-thinking-out",
		Does:    "A block of reasoning without text goes back without the key.",
		Reports: []string{"https://github.com/danny-avila/agents/pull/279"},
		Breaks:  []string{"reasoning/signature-present"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachBlock(r, "thinking", func(path string, b gjson.Result) {
				if b.Get("thinking").String() == "" {
					r.Delete(path + ".thinking")
				}
			})
		}),
	},
	{
		Name:   "reasoning/stops-thinking-for-results",
		Does:   "Thinking is turned off in requests that carry results.",
		Breaks: []string{"reasoning/switch-stays"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("messages.#").Int() > 2 {
				r.Delete("thinking")
			}
		}),
	},
}
