package stream

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// blindTo makes a loop that sees no event in a stream of some kind.
func blindTo(kind func([]byte) bool) func() hooks.Mutation {
	return hooks.OnBytes(func(b []byte) []byte {
		if kind(b) {
			return nil
		}
		return b
	})
}

func with(text string) func([]byte) bool {
	return func(b []byte) bool { return bytes.Contains(b, []byte(text)) }
}

// onLines changes the lines of streams.
func onLines(change func(string) string) func() hooks.Mutation {
	return hooks.OnBytes(func(b []byte) []byte {
		lines := strings.Split(string(b), "\n")
		for i, line := range lines {
			lines[i] = change(line)
		}
		return []byte(strings.Join(lines, "\n"))
	})
}

var severalLines = regexp.MustCompile(`data: [^\r\n]*\ndata: `)

// longest is the longest line that a bufio.Scanner reads.
const longest = 64 << 10

// inBytes are loops that read only such server-sent events as OpenAI writes.
var inBytes = []hooks.Fault{
	{
		Name:    "stream/knows-no-carriage-return",
		Does:    "A carriage return alone does not end a line.",
		Reports: []string{"https://github.com/openai/openai-node/pull/757"},
		Breaks:  []string{"stream/line-ends"},
		Make:    blindTo(func(b []byte) bool { return bytes.Contains(b, []byte("\r")) && !bytes.Contains(b, []byte("\n")) }),
	},
	{
		Name:   "stream/trips-over-a-byte-order-mark",
		Does:   "A byte order mark is treated as the beginning of an unknown field.",
		Breaks: []string{"stream/byte-order-mark"},
		Make:   blindTo(with("\ufeff")),
	},
	{
		Name:    "stream/reads-latin-1",
		Does:    "A stream whose content type names no charset is read as ISO-8859-1.",
		Reports: []string{"https://github.com/aixplain/aiXplain/pull/923", "https://github.com/Moyf/moys-asr-workflow/issues/123"},
		Breaks:  []string{"stream/utf-8-without-a-charset"},
		Make: func() hooks.Mutation {
			return hooks.Mutation{Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
				resp, err := send(req)
				if err == nil && resp.Header.Get("Content-Type") == "text/event-stream" {
					data, readErr := raw.ReadToDone(resp.Body)
					resp.Body.Close()
					var letters []rune
					for _, b := range data {
						letters = append(letters, rune(b))
					}
					resp.Body = raw.Body([]byte(string(letters)), readErr)
				}
				return resp, err
			}}
		},
	},
	{
		Name:   "stream/wants-a-space",
		Does:   "Only lines that begin with data, a colon and a space are data.",
		Breaks: []string{"stream/space-is-optional"},
		Make:   blindTo(with("data:{")),
	},
	{
		Name:    "stream/takes-each-line-for-an-event",
		Does:    "Each line of data is parsed for itself.",
		Reports: []string{"https://github.com/langchain4j/langchain4j/issues/5531"},
		Breaks:  []string{"stream/data-lines"},
		Make:    blindTo(severalLines.Match),
	},
	{
		Name:    "stream/skips-events-with-an-id",
		Does:    "An event with an id is not read.",
		Reports: []string{"https://github.com/aaif-goose/goose/issues/11297"},
		Breaks:  []string{"stream/named-events"},
		Make:    blindTo(with("id: 7\n")),
	},
	{
		Name:    "stream/parses-empty-data",
		Does:    "Empty data is parsed as JSON, and the stream given up.",
		Reports: []string{"https://github.com/openclaw/openclaw/pull/52740", "https://github.com/brainlid/langchain/issues/485"},
		Breaks:  []string{"stream/idle-events"},
		Make:    blindTo(with("data: \n\n")),
	},
	{
		Name:   "stream/reads-short-lines",
		Does:   "Lines are read into a buffer of 64 KiB; a longer one ends the stream.",
		Breaks: []string{"stream/long-lines"},
		Make: hooks.OnBytes(func(b []byte) []byte {
			at := 0
			for line := range bytes.Lines(b) {
				if len(line) > longest {
					return b[:at]
				}
				at += len(line)
			}
			return b
		}),
	},
	{
		Name:      "stream/looks-for-the-end-mark-anywhere",
		Does:      "A line with the end mark anywhere in it is passed over, also where the mark is in a text.",
		Reports:   []string{"https://github.com/rahilp/second-brain-cloudflare/issues/353"},
		Unless:    neutral.AWSFrames | neutral.Lines,
		Elsewhere: "a stream is binary messages, each with its length; its last line says that it is.",
		Breaks:    []string{"outcome/final-text"},
		InItems:   []string{"outcome/completed", "limits/no-request-after-the-end"}, // the end of a response repeats its text
		InSteps:   []string{"outcome/final-text"},
		Make: onLines(func(line string) string {
			if strings.Contains(line, "[DONE]") && strings.Contains(line, "{") && !strings.Contains(line, "\r") {
				return ""
			}
			return line
		}),
	},
	{
		Name:      "stream/waits-for-the-connection",
		Does:      "A stream is read until its connection is closed.",
		Reports:   []string{"https://github.com/agentscope-ai/agentscope-java/issues/2073"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "nothing but the end of the connection ends a stream.",
		Breaks:    []string{"stream/ends-at-done"},
		Make:      func() hooks.Mutation { return hooks.Mutation{Waits: true} },
	},
}
