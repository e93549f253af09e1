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
		Name:    "reasoning/budgets-all-that-there-is",
		Does:    "The budget for thinking is all that the answer may have, where the model takes a budget.",
		Reports: []string{"https://github.com/QwenLM/qwen-code/issues/2508", "https://github.com/griffinmartin/opencode-claude-auth/pull/143"},
		Breaks:  []string{"reasoning/budget-below-max-tokens"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if takesBudgets(r) {
				r.SetRaw("thinking", `{"type":"enabled","budget_tokens":32000}`)
				r.Set("max_tokens", 32000)
			}
		}),
	},
	{
		Name: "reasoning/thinks-coolly",
		Does: "A low temperature is sent to a model that thinks.",
		Reports: []string{
			"https://github.com/damianvtran/local-operator/pull/233", "https://github.com/danny-avila/LibreChat/issues/11949",
			"https://github.com/theopenco/llmgateway/pull/1726",
		},
		Breaks: []string{"reasoning/thinks-at-temperature-one"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if kind := r.Get("thinking.type").String(); kind == "enabled" || kind == "adaptive" {
				r.Set("temperature", 0.2)
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
