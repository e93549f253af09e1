package faults

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// reorder puts the blocks of every turn that called tools into another order, those of a kind last.
func reorder(last func(gjson.Result) bool) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.EachContent("assistant", func(blocks []gjson.Result) []string {
			slices.SortStableFunc(blocks, func(a, b gjson.Result) int {
				switch {
				case last(a) == last(b):
					return 0
				case last(b):
					return -1
				default:
					return 1
				}
			})
			return raws(blocks)
		})
	})
}

var historyOrder = inMessages(
	Fault{
		Name:   "history/gathers-the-reasoning",
		Does:   "All reasoning of a turn goes back in front of the rest, also what came between two calls.",
		Models: []string{"https://github.com/TanStack/ai/issues/910"},
		Breaks: []string{"history/blocks-in-their-order"},
		Make:   reorder(func(b gjson.Result) bool { return !isBlock(b, "thinking", "redacted_thinking") }),
	},
	Fault{
		Name:   "history/says-it-behind-the-calls",
		Does:   "The text of a turn goes back behind its calls.",
		Models: []string{"https://github.com/Zoo-Code-Org/Zoo-Code/pull/1705"},
		Breaks: []string{"history/blocks-in-their-order"},
		Make:   reorder(func(b gjson.Result) bool { return isBlock(b, "text") }),
	},
	Fault{
		Name:   "history/trims-texts",
		Does:   "The texts of a turn go back without the white space at their ends.",
		Breaks: []string{"history/text-verbatim"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, _ gjson.Result) {
				r.EachBlock("text", func(at string, b gjson.Result) {
					if strings.HasPrefix(at, path+".") {
						r.Set(at+".text", strings.TrimSpace(b.Get("text").String()))
					}
				})
			})
		}),
	},
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
