package faults

import (
	"strings"

	"github.com/tidwall/gjson"
)

// knownEvents are the types of events that a stream of the dialect messages has had from the beginning.
var knownEvents = map[string]bool{
	"message_start": true, "content_block_start": true, "content_block_delta": true, "content_block_stop": true,
	"message_delta": true, "message_stop": true, "ping": true, "error": true,
}

var streamEvents = inMessages(
	Fault{
		Name:   "stream/throws-at-unknown-events",
		Does:   "An event of an unknown type ends the stream.",
		Breaks: []string{"stream/unknown-events"},
		Make: chokes(func(_ int, p string) bool {
			return strings.HasPrefix(p, "{") && !knownEvents[gjson.Get(p, "type").String()]
		}),
	},
	Fault{
		Name:   "stream/takes-citations-for-text",
		Does:   "Every delta of a text is taken for a piece of it; that of a citation is undefined.",
		Breaks: []string{"stream/unknown-events"},
		Make: onStream(func(a *RawAnswer) {
			for i, p := range a.Payloads {
				if gjson.Get(p, "delta.type").String() == "citations_delta" {
					a.Payloads[i] = set(p, "delta", map[string]string{"type": "text_delta", "text": "undefined"})
				}
			}
		}),
	},
	Fault{
		Name:   "stream/expects-no-ping-between-deltas",
		Does:   "A ping behind a delta is taken for the end of its block.",
		Breaks: []string{"stream/pings-anywhere"},
		Make: onStream(func(a *RawAnswer) {
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
	Fault{
		Name:   "stream/expects-objects",
		Does:   "A payload that is no object ends the stream.",
		Models: []string{"https://github.com/langchain4j/langchain4j/issues/5353", "https://github.com/anomalyco/opencode/issues/50314"},
		Breaks: []string{"stream/payloads-no-object"},
		Make:   chokes(func(_ int, p string) bool { return !strings.HasPrefix(p, "{") }),
	},
	Fault{
		Name:   "stream/compares-payloads",
		Does:   "The end of a block is known by the text of its event; one with spaces in it is lost with all behind it.",
		Breaks: []string{"stream/payloads-are-json"},
		Make: chokes(func(_ int, p string) bool {
			return strings.HasSuffix(p, " }")
		}),
	},
)
