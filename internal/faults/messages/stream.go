package messages

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var stream = []raw.Fault{
	{
		Name:    "stream/leaves-unknown-blocks-out",
		Does:    "A block of an unknown type is not put into the list of blocks, and the pieces of those after it find no place.",
		Reports: []string{"https://github.com/librefang/librefang/issues/5911"},
		Breaks:  []string{"stream/unknown-blocks"},
		Make: raw.OnStream(func(a *raw.Answer) {
			unknown := int64(-1)
			a.Payloads = slices.DeleteFunc(a.Payloads, func(p string) bool {
				if gjson.Get(p, "content_block.type").String() == "progress_update" {
					unknown = gjson.Get(p, "index").Int()
				}
				index := gjson.Get(p, "index")
				behind := index.Int() > unknown && kindOf(p) == "content_block_delta"
				return unknown >= 0 && index.Exists() && (index.Int() == unknown || behind)
			})
		}),
	},
	{
		Name:   "stream/chokes-on-a-line-break",
		Does:   "A text block of line breaks alone ends the run.",
		Breaks: []string{"stream/blank-text-blocks"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			if slices.ContainsFunc(a.Payloads, func(p string) bool { return strings.Contains(p, `"type":"text","text":"\n\n"}`) }) {
				a.Payloads = []string{"undefined is not an object"}
			}
		}),
	},
	{
		Name:   "stream/goes-by-the-role",
		Does:   "A streamed message that does not say that it is the assistant's is passed over.",
		Breaks: []string{"stream/message-start-bare"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return kindOf(p) == "message_start" && !gjson.Get(p, "message.role").Exists()
		}),
	},
	{
		Name:    "stream/merges-two-messages",
		Does:    "A second message in one stream is put after the first half of the other.",
		Reports: []string{"https://github.com/vercel/ai/pull/18332", "https://github.com/vercel/ai/issues/18331"},
		Breaks:  []string{"stream/message-start-again"},
		Make: raw.OnStream(func(a *raw.Answer) {
			begun, blocks, shift := false, 0, 0
			for i, p := range a.Payloads {
				switch kind := kindOf(p); {
				case kind == "message_start" && begun && blocks > 0:
					a.Payloads[i] = raw.Set(`{"type":"content_block_stop"}`, "index", blocks-1)
					shift = blocks
				case kind == "message_start" && begun:
					a.Payloads[i] = `{"type":"ping"}`
				case gjson.Get(p, "index").Exists():
					a.Payloads[i] = raw.Set(p, "index", gjson.Get(p, "index").Int()+int64(shift))
					if kind == "content_block_start" {
						blocks++
					}
				}
				begun = begun || kindOf(p) == "message_start"
			}
		}),
	},
	{
		Name:    "stream/adds-the-deltas-up",
		Does:    "The token counts of all events message_delta are added up.",
		Reports: []string{"https://github.com/LibreChat-AI/agents/pull/150", "https://github.com/tensorzero/tensorzero/issues/5481", "https://github.com/traceloop/openllmetry/pull/4462"},
		Breaks:  []string{"stream/usage-last-wins"},
		Make: raw.OnStream(func(a *raw.Answer) {
			sum := int64(0)
			for i, p := range a.Payloads {
				if kindOf(p) == "message_delta" {
					sum += gjson.Get(p, "usage.output_tokens").Int()
					a.Payloads[i] = raw.Set(p, "usage.output_tokens", sum)
				}
			}
		}),
	},
	{
		Name:    "stream/takes-the-input-from-the-end",
		Does:    "The input tokens are those of message_delta, and none where it has none.",
		Reports: []string{"https://github.com/envoyproxy/ai-gateway/pull/1631", "https://github.com/langchain-ai/langchain/pull/32518"},
		Breaks:  []string{"stream/input-tokens-stay"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				if kindOf(p) == "message_delta" {
					start := slices.IndexFunc(a.Payloads[:i], func(p string) bool { return kindOf(p) == "message_start" })
					a.Payloads[start] = raw.Set(a.Payloads[start], "message.usage.input_tokens", gjson.Get(p, "usage.input_tokens").Int())
				}
			}
		}),
	},
	{
		Name:   "stream/throws-at-unknown-events",
		Does:   "An event of an unknown type ends the stream.",
		Breaks: []string{"stream/unknown-events"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return strings.HasPrefix(p, "{") && !knownEvents[gjson.Get(p, "type").String()]
		}),
	},
	{
		Name:   "stream/takes-citations-for-text",
		Does:   "Every delta of a text is treated as a piece of it; that of a citation is undefined.",
		Breaks: []string{"stream/unknown-events"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				if gjson.Get(p, "delta.type").String() == "citations_delta" {
					a.Payloads[i] = raw.Set(p, "delta", map[string]string{"type": "text_delta", "text": "undefined"})
				}
			}
		}),
	},
	{
		Name:   "stream/expects-no-ping-between-deltas",
		Does:   "A ping after a delta is treated as the end of its block.",
		Breaks: []string{"stream/pings-anywhere"},
		Make: raw.OnStream(func(a *raw.Answer) {
			var kept []string
			closed := false
			for i, p := range a.Payloads {
				kind := gjson.Get(p, "type").String()
				closed = closed && kind != "content_block_start" || kind == "ping" && gjson.Get(a.Payloads[max(i-1, 0)], "type").String() == "content_block_delta"
				if !closed || kind != "content_block_delta" {
					kept = append(kept, p)
				}
			}
			a.Payloads = kept
		}),
	},
	{
		Name:    "stream/expects-objects",
		Does:    "A payload that is not an object ends the stream.",
		Reports: []string{"https://github.com/langchain4j/langchain4j/issues/5353", "https://github.com/anomalyco/opencode/issues/50314"},
		Breaks:  []string{"stream/payloads-no-object", "stream/no-choices"},
		Make:    raw.Chokes(func(_ int, p string) bool { return !strings.HasPrefix(p, "{") }),
	},
	{
		Name:   "stream/compares-payloads",
		Does:   "The end of a block is known by the text of its event; one with spaces in it is lost with all after it.",
		Breaks: []string{"stream/payloads-are-json"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return strings.HasSuffix(p, " }")
		}),
	},
	{
		Name:    "stream/parses-what-is-behind-the-end",
		Does:    "All events of a stream are parsed, also those after message_stop, and one that is not JSON ends the run.",
		Reports: []string{"https://github.com/earendil-works/pi/issues/3708", "https://github.com/langchain4j/langchain4j/issues/5384"},
		Breaks:  []string{"stream/ends-at-done"},
		Make:    func() raw.Mutation { return raw.Mutation{Send: parsedToTheEnd} },
	},
}
