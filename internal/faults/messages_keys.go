package faults

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// egressBlockKeys are loops that send what the dialect messages does not know.
var egressBlockKeys = inMessages(
	Fault{
		Name:   "egress/keeps-the-deltas-of-inputs",
		Does:   "Behind each streamed call that goes back stands its last delta, which was never put together.",
		Models: []string{"https://github.com/1Panel-dev/MaxKB/issues/6480", "https://github.com/langchain-ai/langchainjs/pull/9809"},
		Breaks: []string{"egress/block-types"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachContent("assistant", func(blocks []gjson.Result) []string {
				kept := raws(blocks)
				if isBlock(blocks[len(blocks)-1], "tool_use") {
					kept = append(kept, `{"type":"input_json_delta","partial_json":""}`)
				}
				return kept
			})
		}),
	},
	Fault{
		Name:   "egress/types-texts-as-deltas",
		Does:   "The texts of the model go back under the type of the deltas in which they came.",
		Breaks: []string{"egress/block-types", "history/answers-come-back", "history/text-comes-back"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, _ gjson.Result) {
				r.EachBlock("text", func(at string, _ gjson.Result) {
					if strings.HasPrefix(at, path+".") {
						r.Set(at+".type", "text_delta")
					}
				})
			})
		}),
	},
	Fault{
		Name:   "egress/keeps-the-index-of-blocks",
		Does:   "Blocks of the model go back with the index that they had in the stream.",
		Models: []string{"https://github.com/langchain-ai/langchain/issues/31208"},
		Breaks: []string{"egress/block-keys"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_use", func(path string, _ gjson.Result) { r.Set(path+".index", 0) })
		}),
	},
	Fault{
		Name:   "egress/keeps-the-ids-of-texts",
		Does:   "The text of a result has an id, as a library for another protocol gives it.",
		Models: []string{"https://github.com/langchain-ai/langchain/issues/40483"},
		Breaks: []string{"egress/block-keys"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if text := b.Get("content"); text.Type == gjson.String && text.String() != "" {
					r.SetRaw(path+".content", "["+set(`{"type":"text","id":"lc_1"}`, "text", text.String())+"]")
				}
			})
		}),
	},
	Fault{
		Name:   "egress/sends-the-answer-as-it-was",
		Does:   "A turn of the model goes back with the reason why it stopped.",
		Models: []string{"https://github.com/RooCodeInc/Roo-Code/issues/11429"},
		Breaks: []string{"egress/message-keys"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, _ gjson.Result) { r.Set(path+".stop_reason", "tool_use") })
		}),
	},
	Fault{
		Name:   "egress/adds-parameters-to-tools",
		Does:   "Each tool has its schema under the name that other APIs have for it as well.",
		Models: []string{"https://github.com/dirac-run/dirac/issues/57"},
		Breaks: []string{"egress/tool-keys"},
		Make: onRawRequest(func(r *RawRequest) {
			for i, t := range r.Get("tools").Array() {
				r.SetRaw(fmt.Sprintf("tools.%d.parameters", i), t.Get("input_schema").Raw)
			}
		}),
	},
	Fault{
		Name:   "egress/asks-for-a-format-of-openai",
		Does:   "Each request has the key response_format.",
		Models: []string{"https://github.com/amrit110/oli/issues/7"},
		Breaks: []string{"egress/request-keys"},
		Make:   onRawRequest(func(r *RawRequest) { r.SetRaw("response_format", `{"type":"text"}`) }),
	},
	Fault{
		Name:   "egress/chooses-among-no-tools",
		Does:   "Each request says how the model may choose among the tools, whether there are any or not.",
		Breaks: []string{"egress/tool-options-need-tools"},
		Make:   onRawRequest(func(r *RawRequest) { r.SetRaw("tool_choice", `{"type":"auto"}`) }),
	},
	Fault{
		Name:   "egress/answers-as-a-tool",
		Does:   "Behind the results stands a message of the role tool, as in Chat Completions.",
		Breaks: []string{"egress/known-roles"},
		Make: onRawRequest(func(r *RawRequest) {
			var messages []string
			for _, m := range r.Messages() {
				if messages = append(messages, m); gjson.Get(m, "content.0.type").String() == "tool_result" {
					messages = append(messages, `{"role":"tool","content":"done"}`)
				}
			}
			r.SetMessages(messages)
		}),
	},
	Fault{
		Name:   "egress/writes-null-for-a-text",
		Does:   "A turn that only called tools goes back with a text block whose text is null.",
		Models: []string{"https://github.com/simonw/llm-anthropic/issues/23"},
		Breaks: []string{"egress/no-empty-text"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachContent("assistant", func(blocks []gjson.Result) []string {
				if !isBlock(blocks[0], "tool_use") {
					return raws(blocks)
				}
				return append([]string{`{"type":"text","text":null}`}, raws(blocks)...)
			})
		}),
	},
	Fault{
		Name:   "egress/loses-names-in-blocks",
		Does:   "Calls go back without the name of their tool.",
		Models: []string{"https://github.com/TanStack/ai/pull/536"},
		Breaks: []string{"egress/call-has-name"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_use", func(path string, _ gjson.Result) { r.Set(path+".name", "") })
		}),
	},
)
