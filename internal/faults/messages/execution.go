package messages

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var execution = []raw.Fault{
	{
		Name:   "execution/shows-the-error-as-an-image",
		Does:   "A screenshot goes with the message of a tool that failed.",
		Breaks: []string{"execution/error-result-is-text"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachBlock(r, "tool_result", func(path string, b gjson.Result) {
				if b.Get("is_error").Bool() {
					text := raw.Set(`{"type":"text"}`, "text", b.Get("content").String())
					r.SetRaw(path+".content", "["+text+`,{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]`)
				}
			})
		}),
	},
	{
		Name:   "pairing/empties-the-message-of-failed-calls",
		Does:   "The results of tools that failed are left out, and the message that was to hold them is sent, be there nothing else in it.",
		Breaks: []string{"pairing/every-call-answered", "egress/no-blank-user-message"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachContent(r, "user", func(blocks []gjson.Result) []string {
				return raw.Items(slices.DeleteFunc(blocks, func(b gjson.Result) bool { return b.Get("is_error").Bool() }))
			})
		}),
	},
}
