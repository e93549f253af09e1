package faults

import (
	"github.com/tidwall/gjson"
)

var executionImages = inMessages(
	Fault{
		Name:   "execution/shows-the-error-as-an-image",
		Does:   "A screenshot goes with the message of a tool that failed.",
		Breaks: []string{"execution/error-result-is-text"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if b.Get("is_error").Bool() {
					text := set(`{"type":"text"}`, "text", b.Get("content").String())
					r.SetRaw(path+".content", "["+text+`,{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]`)
				}
			})
		}),
	},
)

var reasoningThinking = inMessages(
	Fault{
		Name:   "reasoning/leaves-empty-thinking-out",
		Does:   "A block of reasoning without text goes back without the key.",
		Models: []string{"https://github.com/danny-avila/agents/pull/279"},
		Breaks: []string{"reasoning/signature-present"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("thinking", func(path string, b gjson.Result) {
				if b.Get("thinking").String() == "" {
					r.Delete(path + ".thinking")
				}
			})
		}),
	},
	Fault{
		Name:   "reasoning/stops-thinking-for-results",
		Does:   "Thinking is turned off in requests that carry results.",
		Breaks: []string{"reasoning/switch-stays"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("messages.#").Int() > 2 {
				r.Delete("thinking")
			}
		}),
	},
)
