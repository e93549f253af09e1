package messages

import (
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
}
