package stream

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// byteRules are the rules about the bytes of a stream that the standard of server-sent events
// allows.
var byteRules = []rules.Rule{
	{
		ID:    "stream/line-ends",
		Level: trace.Should,
		Text:  "Lines of a stream end in a line feed, a carriage return, or both.",
		Why:   "Otherwise no event is found, and the answer is lost.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "line-ends-cr", In: "weather"},
			{Name: "line-ends-crlf", In: "weather"},
		},
		Evidence: "what a loop did after a stream with other line ends",
		Sources: []rules.Source{
			{URL: sseSpec, Says: "lines end in LF, CRLF or CR"},
			{URL: "https://github.com/openai/openai-node/pull/708", Says: "line ends in pieces broke events"},
		},
	},
	{
		ID:       "stream/utf-8-without-a-charset",
		Level:    trace.Should,
		Text:     "A stream whose content type names no charset is read as UTF-8.",
		Why:      "Several clients take texts without a charset for ISO-8859-1, or what the system prefers: letters come out wrong, and a byte in them may end a line.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "charset-missing", In: "letters-beyond-ascii"}},
		Evidence: "what a loop did after a stream without a charset that has letters beyond ASCII",
		Sources: []rules.Source{
			{URL: sseSpec, Says: "event streams are always decoded as UTF-8"},
			{URL: "https://github.com/aixplain/aiXplain/pull/923", Says: "every letter beyond ASCII came out wrong"},
			{URL: "https://github.com/Moyf/moys-asr-workflow/issues/123", Says: "a letter was taken for a line end, and the event could not be read"},
			{URL: "https://github.com/langchain4j/langchain4j/issues/3776", Says: "read in the charset of the system"},
		},
	},
	{
		ID:       "stream/byte-order-mark",
		Level:    trace.Should,
		Text:     "A byte order mark in front of a stream is skipped.",
		Why:      "The first event is lost.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "byte-order-mark", In: "weather"}},
		Evidence: "what a loop did after a stream with a byte order mark",
		Sources: []rules.Source{
			{URL: sseSpec, Says: "one leading byte order mark is dropped"},
		},
	},
	{
		ID:       "stream/space-is-optional",
		Level:    trace.Should,
		Text:     "The space after the colon of a field may be missing.",
		Why:      "Otherwise no event is found, and the answer is lost.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "no-space-after-colon", In: "weather", Case: "stream/space-is-optional"}},
		Evidence: "what a loop did after a stream without these spaces",
		Sources: []rules.Source{
			{URL: sseSpec, Says: "a space after the colon is dropped where there is one"},
			{URL: "https://github.com/aaif-goose/goose/pull/7929", Says: "no event of Kimi's API was seen"},
			{URL: "https://github.com/openai/openai-python/issues/498", Says: "the streams of a proxy were not seen"},
		},
	},
	{
		ID:       "stream/data-lines",
		Level:    trace.Should,
		Text:     "The data of an event may come in several lines.",
		Why:      "A single line is not valid JSON.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "data-lines", In: "weather"}},
		Evidence: "what a loop did after a stream with data in several lines",
		Sources: []rules.Source{
			{URL: sseSpec, Says: "data fields of one event are joined with line feeds"},
			{URL: "https://github.com/langchain4j/langchain4j/issues/5531", Says: "fields of data trimmed before they were joined"},
		},
	},
	{
		ID:       "stream/named-events",
		Level:    trace.Should,
		Text:     "Other fields than data, such as event and id, do not change the meaning of the data.",
		Why:      "A reader that expects only data lines fails, or skips the events.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "named-events", In: "weather"}},
		Evidence: "what a loop did after a stream with names and ids",
		Sources: []rules.Source{
			{URL: sseSpec, Says: "the fields event, id and retry"},
			{URL: "https://github.com/aaif-goose/goose/issues/11297", Says: "a line with an id broke the reader"},
		},
	},
	{
		ID:    "stream/idle-events",
		Level: trace.Should,
		Text:  "Comments, and events without data or with empty data, are not chunks; there may be pauses between chunks.",
		Why:   "Proxies send them to keep the connection alive; some loops fail to parse them.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "events-without-data", In: "weather"},
			{Name: "data-empty", In: "weather"},
			{Name: "comments", In: "weather", Case: "stream/comments-between"},
			{Name: "slow", In: "weather"},
		},
		Evidence: "what a loop did after a stream with such events",
		Sources: []rules.Source{
			{URL: sseSpec, Says: "an event without data is not dispatched"},
			{URL: "https://github.com/openclaw/openclaw/pull/52740", Says: "an empty line of data ended the run"},
			{URL: "https://github.com/brainlid/langchain/issues/485", Says: "a keep-alive event crashed the stream"},
			{URL: "https://github.com/anthropics/anthropic-sdk-typescript/pull/903", Says: "the name of an event without data: Unexpected end of JSON input"},
		},
	},
	{
		ID:       "stream/long-lines",
		Level:    trace.Should,
		Text:     "A line of a stream may have any length.",
		Why:      "Whole arguments and signatures come in one line; a buffer of 64 KiB ends the stream.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "long-line", In: "weather", Case: "stream/long-lines"}},
		Evidence: "what a loop did after a stream with a line of 100 kB",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-go/issues/368", Says: "bufio.Scanner: token too long, at an event of more than 64 KiB"},
			{URL: "https://github.com/infiniflow/ragflow/issues/15381", Says: "streams of some twenty providers ended at such a line"},
			{URL: "https://github.com/maximhq/bifrost/pull/1904", Says: "the same over Anthropic's events"},
			{URL: sseSpec, Says: "no bound is set"},
		},
	},
	{
		ID:    "stream/ends-at-done",
		Level: trace.Should,
		Text:  "The end mark ends a stream: nothing after it counts, and the loop does not wait for the connection to close.",
		Why:   "Otherwise the loop waits until a timeout, or adds data that does not belong to the answer.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "done-unfinished", In: "weather"},
			{Name: "left-open", In: "call"},
			{Name: "more-after-done", In: "weather"},
			{Name: "done-after-stop", In: "weather-after-a-text"},
		},
		Evidence: "what a loop did after a stream with something, or nothing, after its end mark",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/api-reference/chat-streaming", Says: "the stream is terminated by data: [DONE]"},
			{URL: "https://github.com/openai/openai-python/blob/main/src/openai/_streaming.py", Says: "reading ends at [DONE]"},
			{URL: "https://github.com/agentscope-ai/agentscope-java/issues/2073", Says: "gateways keep the connection open; a loop that waited for its end stood still for a minute"},
			{URL: "https://github.com/earendil-works/pi/issues/5592", Says: "the same after message_stop: the tool ran 76 seconds later"},
			{URL: "https://github.com/earendil-works/pi/issues/3708", Says: "[DONE] after message_stop: Unexpected token D"},
		},
		RunQuirks: endsAtDone,
	},
}
