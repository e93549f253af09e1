package faults

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// kindOf returns the type of an event of the dialect messages.
func kindOf(payload string) string { return gjson.Get(payload, "type").String() }

// fragments returns how many pieces of its input each block of a stream has, by its index.
func (a *RawAnswer) fragments() map[int64]int {
	count := map[int64]int{}
	for _, p := range a.Payloads {
		if gjson.Get(p, "delta.type").String() == "input_json_delta" {
			count[gjson.Get(p, "index").Int()]++
		}
	}
	return count
}

// eachCallStart changes the start of every call in a stream that has no pieces of its input.
func eachCallStart(change func(a *RawAnswer, i int, input gjson.Result)) func() Changes {
	return onStream(func(a *RawAnswer) {
		pieces := a.fragments()
		for i, p := range a.Payloads {
			if gjson.Get(p, "content_block.type").String() == "tool_use" && pieces[gjson.Get(p, "index").Int()] == 0 {
				change(a, i, gjson.Get(p, "content_block.input"))
			}
		}
	})
}

var streamStarts = inMessages(
	Fault{
		Name:   "stream/leaves-unknown-blocks-out",
		Does:   "A block of an unknown type is not put into the list of blocks, and the pieces of those behind it find no place.",
		Models: []string{"https://github.com/librefang/librefang/issues/5911"},
		Breaks: []string{"stream/unknown-blocks"},
		Make: onStream(func(a *RawAnswer) {
			unknown := int64(-1)
			a.Payloads = slices.DeleteFunc(a.Payloads, func(p string) bool {
				if gjson.Get(p, "content_block.type").String() == "progress_update" {
					unknown = gjson.Get(p, "index").Int()
				}
				return unknown >= 0 && gjson.Get(p, "index").Exists() && gjson.Get(p, "index").Int() == unknown
			})
		}),
	},
	Fault{
		Name:   "stream/chokes-on-a-line-break",
		Does:   "A text block of line breaks alone ends the run.",
		Breaks: []string{"stream/blank-text-blocks"},
		Make: onRawAnswer(func(a *RawAnswer) {
			if slices.ContainsFunc(a.Payloads, func(p string) bool { return strings.Contains(p, `"type":"text","text":"\n\n"}`) }) {
				a.Payloads = []string{"undefined is not an object"}
			}
		}),
	},
	Fault{
		Name:   "stream/goes-by-the-role",
		Does:   "A streamed message that does not say that it is the assistant's is passed over.",
		Breaks: []string{"stream/message-start-bare"},
		Make: chokes(func(_ int, p string) bool {
			return kindOf(p) == "message_start" && !gjson.Get(p, "message.role").Exists()
		}),
	},
	Fault{
		Name:   "stream/merges-two-messages",
		Does:   "A second message in one stream is put behind the first half of the other.",
		Models: []string{"https://github.com/vercel/ai/pull/18332", "https://github.com/vercel/ai/issues/18331"},
		Breaks: []string{"stream/message-start-again"},
		Make: onStream(func(a *RawAnswer) {
			begun, blocks, shift := false, 0, 0
			for i, p := range a.Payloads {
				switch kind := kindOf(p); {
				case kind == "message_start" && begun && blocks > 0:
					a.Payloads[i] = set(`{"type":"content_block_stop"}`, "index", blocks-1)
					shift = blocks
				case kind == "message_start" && begun:
					a.Payloads[i] = `{"type":"ping"}`
				case gjson.Get(p, "index").Exists():
					a.Payloads[i] = set(p, "index", gjson.Get(p, "index").Int()+int64(shift))
					if kind == "content_block_start" {
						blocks++
					}
				}
				begun = begun || kindOf(p) == "message_start"
			}
		}),
	},
	Fault{
		Name:   "stream/adds-the-deltas-up",
		Does:   "The token counts of all events message_delta are added up.",
		Models: []string{"https://github.com/LibreChat-AI/agents/pull/150", "https://github.com/tensorzero/tensorzero/issues/5481", "https://github.com/traceloop/openllmetry/pull/4462"},
		Breaks: []string{"stream/usage-last-wins"},
		Make: onStream(func(a *RawAnswer) {
			sum := int64(0)
			for i, p := range a.Payloads {
				if kindOf(p) == "message_delta" {
					sum += gjson.Get(p, "usage.output_tokens").Int()
					a.Payloads[i] = set(p, "usage.output_tokens", sum)
				}
			}
		}),
	},
	Fault{
		Name:   "stream/takes-the-input-from-the-end",
		Does:   "The input tokens are those of message_delta, and none where it has none.",
		Models: []string{"https://github.com/envoyproxy/ai-gateway/pull/1631", "https://github.com/langchain-ai/langchain/pull/32518"},
		Breaks: []string{"stream/input-tokens-stay"},
		Make: onStream(func(a *RawAnswer) {
			for i, p := range a.Payloads {
				if kindOf(p) == "message_delta" {
					start := slices.IndexFunc(a.Payloads[:i], func(p string) bool { return kindOf(p) == "message_start" })
					a.Payloads[start] = set(a.Payloads[start], "message.usage.input_tokens", gjson.Get(p, "usage.input_tokens").Int())
				}
			}
		}),
	},
	Fault{
		Name:   "arguments/overwrites-the-start",
		Does:   "The input of a streamed call is what its pieces make, also where there are none.",
		Models: []string{"https://github.com/Yeachan-Heo/gajae-code/pull/1895", "https://github.com/earendil-works/pi/issues/7283"},
		Breaks: []string{"arguments/in-the-start"},
		Make: eachCallStart(func(a *RawAnswer, i int, _ gjson.Result) {
			a.Payloads[i] = setRaw(a.Payloads[i], "content_block.input", "{}")
		}),
	},
	Fault{
		Name:   "arguments/parses-no-pieces",
		Does:   "The pieces of an input are parsed as JSON, also where there are none.",
		Models: []string{"https://github.com/activeagents/activeagent/pull/299", "https://github.com/BerriAI/litellm/issues/5063"},
		Breaks: []string{"arguments/no-piece-means-none"},
		Make: eachCallStart(func(a *RawAnswer, i int, input gjson.Result) {
			if input.Raw == "{}" {
				a.Payloads = append(a.Payloads[:i:i], "undefined is not an object")
			}
		}),
	},
	Fault{
		Name:   "arguments/parses-empty-pieces",
		Does:   "The pieces of an input are parsed as JSON, also where all of them are empty.",
		Models: []string{"https://github.com/jeremychone/rust-genai/pull/114", "https://github.com/tghamm/Anthropic.SDK/issues/115", "https://github.com/we-promise/sure/issues/2722"},
		Breaks: []string{"arguments/blank-means-none", "limits/answer-asked-for-once"},
		Make: onStream(func(a *RawAnswer) {
			joined := map[int64]string{}
			for _, p := range a.Payloads {
				joined[gjson.Get(p, "index").Int()] += gjson.Get(p, "delta.partial_json").String()
			}
			for index, pieces := range a.fragments() {
				if pieces > 0 && joined[index] == "" {
					a.Payloads = []string{"undefined is not an object"}
				}
			}
		}),
	},
)
