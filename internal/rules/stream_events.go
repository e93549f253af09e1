package rules

const streamingDocs = "https://platform.claude.com/docs/en/build-with-claude/streaming"

// streamEvents are the rules of the area stream about the events of the dialect messages.
var streamEvents = []Rule{
	{
		ID:       "stream/unknown-events",
		Level:    Should,
		Text:     "Events and deltas of unknown types, and citations, are skipped or kept; the rest of the stream is read as always.",
		Why:      "The provider adds types at any time.",
		Needs:    streams,
		Quirks:   []string{"unknown-events", "unknown-deltas", "citations"},
		Evidence: "what a loop did after a stream with such events",
		Sources: []Source{
			{streamingDocs, "new event types may be added: handle unknown ones gracefully"},
			{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/lib/MessageStream.ts", "citations_delta beside text_delta"},
			{"https://github.com/janhq/jan/issues/8280", "an event of a name of its own between chunks: Type validation failed"},
			{"https://github.com/anomalyco/opencode/issues/38106", "the same ended the turn of an agent"},
		},
	},
	{
		ID:       "stream/pings-anywhere",
		Level:    Should,
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
		Text:     "Payloads are read as JSON, whatever spaces they have.",
		Why:      "The provider pads them; a loop that compares texts does not know them again.",
		Needs:    streams,
		Quirks:   []string{"spaces-in-payloads"},
		Evidence: "what a loop did after a stream with padded payloads",
		Sources: []Source{
			{"https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_anthropic", "recorded: spaces before the last bracket"},
		},
	},
	{
		ID:       "stream/payloads-no-object",
		Level:    Should,
		Text:     "A payload that is no object, such as null or an empty list, is skipped.",
		Why:      "Something on the way keeps the connection alive so; the loop gives a good answer up.",
		Needs:    streams,
		Quirks:   []string{"payloads-no-object"},
		Evidence: "what a loop did after a stream with such payloads",
		Sources: []Source{
			{"https://github.com/langchain4j/langchain4j/issues/5353", "a list in the place of an event could not be read"},
			{"https://github.com/anomalyco/opencode/issues/50314", "null between two chunks of Chat Completions ended the run"},
		},
	},
	{
		ID:       "stream/unknown-blocks",
		Level:    Should,
		Text:     "A block of an unknown type does not disturb those behind it.",
		Why:      "The index counts all blocks; a loop that leaves one out puts the pieces of the others into the wrong ones.",
		Needs:    streams,
		Quirks:   []string{"unknown-blocks"},
		Evidence: "what a loop did after a stream with such a block",
		Sources: []Source{
			{streamingDocs, "the index of an event is that of the block in the content of the message"},
			{"https://github.com/librefang/librefang/issues/5911", "an unknown block misaligned all that followed"},
			{"https://github.com/anomalyco/opencode/pull/44817", "an unknown variant ended the stream"},
		},
	},
	{
		ID:       "stream/message-start-again",
		Level:    Should,
		Dialect:  onlyMessages,
		Text:     "Of a message that begins again in the same stream the last one counts, or the stream is taken for broken: two are never mixed.",
		Why:      "The blocks of two messages become one turn that nobody said, and its signatures are refused.",
		Needs:    streams,
		Quirks:   []string{"message-start-twice", "message-start-spliced"},
		Evidence: "what a loop did after a stream with two events message_start",
		Sources: []Source{
			{"https://github.com/vercel/ai/pull/18332", "both kinds, seen behind gateways; merged, and the 400 for the thinking blocks"},
			{"https://github.com/BerriAI/litellm/issues/32478", "every stream began twice"},
			{"https://github.com/MoonshotAI/Kimi-K2.5/issues/33", "29 starts in a second; the SDK throws"},
		},
		Run: lastOrReported("message-start-twice", "message-start-spliced"),
	},
	{
		ID:       "stream/blank-text-blocks",
		Level:    Should,
		Text:     "A text block that says nothing does no harm to the calls beside it.",
		Why:      "The model writes such blocks now and then; the loop crashes, or takes the turn for an empty answer.",
		Quirks:   []string{"empty-text-block", "white-text-block"},
		Evidence: "what a loop did after calls beside a blank text block",
		Sources: []Source{
			{"https://github.com/anthropics/anthropic-sdk-python/issues/461", "empty text blocks in answers"},
			{"https://github.com/vercel/ai/issues/6254", "a line break for a text in front of calls"},
		},
	},
	{
		ID:       "stream/message-start-bare",
		Level:    Should,
		Text:     "The message of a stream is one of the assistant, also where its beginning does not say so.",
		Why:      "vLLM leaves type and role out; a loop that looks for its last message of the assistant finds none, and runs no tool.",
		Needs:    streams,
		Quirks:   []string{"message-start-bare"},
		Evidence: "what a loop did after a stream whose message has no role",
		Sources: []Source{
			{"https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/anthropic/serving.py", "message_start is dumped without what was not set, type and role among it"},
		},
	},
}
