package responses

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// options are faults in what a request asks for besides the conversation.
var options = []raw.Fault{
	{
		Name:   "egress/looks-as-closely-as-possible",
		Does:   "The detail of an image is a word that there is not.",
		Breaks: []string{"egress/image-detail-word"},
		Make: onItems("function_call_output", func(r *raw.Request, path string, item gjson.Result) {
			for n, part := range item.Get("output").Array() {
				if part.Get("type").String() == "input_image" {
					r.Set(fmt.Sprintf("%s.output.%d.detail", path, n), "max")
				}
			}
		}),
	},
	{
		Name:    "egress/samples-a-model-that-thinks",
		Does:    "The temperature of other models is sent to o3-mini.",
		Reports: []string{"https://github.com/appatalks/eva-agent/issues/83", "https://github.com/OpenHands/software-agent-sdk/issues/1837"},
		Breaks:  []string{"egress/model-takes-options"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Set("model", "o3-mini-"+r.Get("model").String())
			r.Set("temperature", 0.2)
		}),
	},
	{
		Name:   "egress/asks-for-usage-as-in-chat",
		Does:   "A stream is asked for with include_usage, as in Chat Completions.",
		Breaks: []string{"egress/stream-option-keys"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("stream").Bool() {
				r.SetRaw("stream_options", `{"include_usage":true}`)
			}
		}),
	},
	{
		Name:   "egress/allows-tools-by-name",
		Does:   "tool_choice allows tools by a list of their names.",
		Breaks: []string{"egress/allowed-tools-form"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if name := r.Get("tools.0.name"); name.Exists() {
				r.SetRaw("tool_choice", raw.Set(`{"type":"allowed_tools","mode":"auto"}`, "tools", []string{name.String()}))
			}
		}),
	},
	{
		Name:   "egress/sends-a-file-by-its-name",
		Does:   "What the user says has a file of which only the name is sent.",
		Breaks: []string{"egress/file-part-form"},
		Make:   behindPrompts(`{"type":"input_file","filename":"notes.txt"}`),
	},
	{
		Name:    "egress/does-not-ask-for-encrypted-reasoning",
		Does:    "Nothing is stored, and the encrypted reasoning is not asked for.",
		Reports: []string{"https://github.com/vercel/ai/pull/13234"},
		Breaks:  []string{"egress/encrypted-asked-for"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.Delete("include") }),
	},
}
