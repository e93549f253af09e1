package rules

// streamBytes are the rules about the bytes of a stream that the standard of server-sent events allows.
var streamBytes = []Rule{
	{
		ID:       "stream/line-ends",
		Level:    Should,
		Text:     "Lines of a stream end in a line feed, a carriage return, or both.",
		Why:      "No event is ever seen, and the answer is lost.",
		Needs:    streams,
		Quirks:   []string{"line-ends-cr", "line-ends-crlf"},
		Evidence: "what a loop did after a stream with other line ends",
		Sources: []Source{
			{sseSpec, "lines end in LF, CRLF or CR"},
			{"https://github.com/openai/openai-node/pull/708", "line ends in pieces broke events"},
		},
	},
	{
		ID:       "stream/byte-order-mark",
		Level:    Should,
		Text:     "A byte order mark in front of a stream is skipped.",
		Why:      "The first event is lost.",
		Needs:    streams,
		Quirks:   []string{"byte-order-mark"},
		Evidence: "what a loop did after a stream with a byte order mark",
		Sources: []Source{
			{sseSpec, "one leading byte order mark is dropped"},
		},
	},
	{
		ID:       "stream/space-is-optional",
		Level:    Should,
		Text:     "The space behind the colon of a field may be missing.",
		Why:      "No event is ever seen, and the answer is lost.",
		Needs:    streams,
		Quirks:   []string{"no-space-after-colon"},
		Evidence: "what a loop did after a stream without these spaces",
		Sources: []Source{
			{sseSpec, "a space behind the colon is dropped where there is one"},
		},
	},
	{
		ID:       "stream/data-lines",
		Level:    Should,
		Text:     "The data of an event may come in several lines.",
		Why:      "Each line is parsed for itself, which is no JSON.",
		Needs:    streams,
		Quirks:   []string{"data-lines"},
		Evidence: "what a loop did after a stream with data in several lines",
		Sources: []Source{
			{sseSpec, "data fields of one event are joined with line feeds"},
			{"https://github.com/langchain4j/langchain4j/issues/5531", "fields of data trimmed before they were joined"},
		},
	},
	{
		ID:       "stream/named-events",
		Level:    Should,
		Text:     "Fields besides data, such as the name and the id of an event, do not change what its data say.",
		Why:      "A reader that knows only lines of data breaks, or skips the events.",
		Needs:    streams,
		Quirks:   []string{"named-events"},
		Evidence: "what a loop did after a stream with names and ids",
		Sources: []Source{
			{sseSpec, "the fields event, id and retry"},
			{"https://github.com/aaif-goose/goose/issues/11297", "a line with an id broke the reader"},
		},
	},
	{
		ID:       "stream/idle-events",
		Level:    Should,
		Text:     "Events without data, or with empty data, are no chunks; between chunks there may be a pause.",
		Why:      "Proxies send them to keep the connection alive, and the loop fails to parse nothing.",
		Needs:    streams,
		Quirks:   []string{"events-without-data", "data-empty", "slow"},
		Evidence: "what a loop did after a stream with such events",
		Sources: []Source{
			{sseSpec, "an event without data is not dispatched"},
			{"https://github.com/openclaw/openclaw/pull/52740", "an empty line of data ended the run"},
			{"https://github.com/brainlid/langchain/issues/485", "a keep-alive event crashed the stream"},
		},
	},
	{
		ID:       "stream/long-lines",
		Level:    Should,
		Text:     "A line of a stream may be as long as it likes.",
		Why:      "Whole arguments and signatures come in one line; a buffer of 64 KiB ends the stream.",
		Needs:    streams,
		Quirks:   []string{"long-line"},
		Evidence: "what a loop did after a stream with a line of 100 kB",
		Sources: []Source{
			{"https://github.com/openai/openai-go/blob/main/packages/ssestream/ssestream.go", "the buffer was raised beyond that of a bufio.Scanner"},
			{sseSpec, "no bound is set"},
		},
	},
	{
		ID:       "stream/ends-at-done",
		Level:    Should,
		Text:     "The end mark ends a stream: nothing behind it counts, and nobody waits for the connection to close.",
		Why:      "The loop waits until a timeout, or adds what is none of the answer.",
		Needs:    streams,
		Quirks:   []string{"done-unfinished", "left-open", "more-after-done"},
		Evidence: "what a loop did after a stream with something, or nothing, behind its end mark",
		Sources: []Source{
			{"https://platform.openai.com/docs/api-reference/chat-streaming", "the stream is terminated by data: [DONE]"},
			{"https://github.com/openai/openai-python/blob/main/src/openai/_streaming.py", "reading ends at [DONE]"},
		},
		Run: endsAtDone,
	},
}
