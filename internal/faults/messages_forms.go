package faults

import (
	"github.com/tidwall/gjson"
)

var egressBlocksForm = inMessages(
	Fault{
		Name:   "egress/chooses-in-a-word",
		Does:   "tool_choice is the word auto, as in Chat Completions.",
		Breaks: []string{"egress/tool-choice-form"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("tools").Exists() {
				r.Set("tool_choice", "auto")
			}
		}),
	},
	Fault{
		Name:   "egress/offers-a-tool-without-a-schema",
		Does:   "A tool of the loop's own that takes no input has no input_schema.",
		Breaks: []string{"egress/input-schema-given"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("tools").Exists() {
				r.SetRaw("tools.-1", `{"name":"think","description":"Does nothing."}`)
			}
		}),
	},
	Fault{
		Name:   "egress/writes-the-error-flag-as-a-word",
		Does:   "Results of tools that went well carry an is_error of \"false\".",
		Breaks: []string{"egress/result-block-form"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if !b.Get("is_error").Bool() {
					r.Set(path+".is_error", "false")
				}
			})
		}),
	},
	Fault{
		Name:   "egress/adds-a-part-of-another-api",
		Does:   "Behind the text of a result stands a note, as a part that only the Responses API knows.",
		Breaks: []string{"egress/result-block-types"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if text := b.Get("content"); text.String() != "" && !text.IsArray() && !b.Get("is_error").Bool() {
					r.SetRaw(path+".content", "["+set(`{"type":"text"}`, "text", text.String())+`,{"type":"output_text","text":"checked"}]`)
				}
			})
		}),
	},
	Fault{
		Name:   "egress/names-the-tool-in-results",
		Does:   "Each tool_result carries the name of its tool.",
		Breaks: []string{"egress/result-block-keys"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, _ gjson.Result) { r.Set(path+".name", "tool") })
		}),
	},
	Fault{
		Name:   "reasoning/forces-a-tool",
		Does:   "Thinking is asked for with a budget, and a tool is forced.",
		Breaks: []string{"reasoning/no-forced-tools"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("tools").Exists() && takesBudgets(r) {
				r.SetRaw("thinking", `{"type":"enabled","budget_tokens":2000}`)
				r.SetRaw("tool_choice", `{"type":"any"}`)
			}
		}),
	},
	Fault{
		Name:   "reasoning/thinks-too-little",
		Does:   "The budget for thinking is the number of tokens that a short answer needs.",
		Breaks: []string{"reasoning/budget-fits"},
		Make: onRawRequest(func(r *RawRequest) {
			if takesBudgets(r) {
				r.SetRaw("thinking", `{"type":"enabled","budget_tokens":500}`)
			}
		}),
	},
)

// takesBudgets reports whether the model may be given a budget for thinking, which is nothing that the newest take.
func takesBudgets(r *RawRequest) bool { return r.Task.Profile != "anthropic-5.5" }
