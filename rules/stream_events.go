package rules

const streamingDocs = "https://platform.claude.com/docs/en/build-with-claude/streaming"

// streamEvents are the rules of the area stream about the events of the dialect messages.
var streamEvents = []Rule{
	{
		ID:       "stream/unknown-events",
		Level:    Should,
		Dialects: onlyMessages,
		Text:     "Events and deltas of unknown types, and citations, are skipped or kept; the rest of the stream is read as always.",
		Why:      "The provider adds types at any time.",
		Needs:    streams,
		Quirks:   []string{"unknown-events", "unknown-deltas", "citations"},
		Evidence: "what a loop did after a stream with such events",
		Sources: []Source{
			{streamingDocs, "new event types may be added: handle unknown ones gracefully"},
			{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/lib/MessageStream.ts", "citations_delta beside text_delta"},
		},
	},
	{
		ID:       "stream/pings-anywhere",
		Level:    Should,
		Dialects: onlyMessages,
		Text:     "A ping may come behind any event, and means nothing.",
		Why:      "A loop that expects a certain event next loses the turn.",
		Needs:    streams,
		Quirks:   []string{"pings-anywhere"},
		Evidence: "what a loop did after a stream with pings",
		Sources: []Source{
			{streamingDocs, "event streams may include any number of ping events"},
			{"https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_anthropic", "recorded: between the start of a block and its first delta"},
		},
	},
	{
		ID:       "stream/payloads-are-json",
		Level:    Should,
		Dialects: onlyMessages,
		Text:     "Payloads are read as JSON, whatever spaces they have.",
		Why:      "The provider pads them; a loop that compares texts does not know them again.",
		Needs:    streams,
		Quirks:   []string{"spaces-in-payloads"},
		Evidence: "what a loop did after a stream with padded payloads",
		Sources: []Source{
			{"https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_anthropic", "recorded: spaces before the last bracket"},
		},
	},
}
