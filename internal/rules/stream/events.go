package stream

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// eventRules are the rules of the area stream about the events of the dialect messages.
var eventRules = []rules.Rule{
	{
		ID:    "stream/unknown-events",
		Level: trace.Should,
		Text:  "Events and deltas of unknown types, and citations, are skipped or kept; the rest of the stream is read normally.",
		Why:   "The provider adds types at any time.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "unknown-events", In: "weather-after-a-text"},
			{Name: "unknown-deltas", In: "weather-after-a-text"},
			{Name: "citations", In: "weather-after-a-text"},
		},
		Evidence: "what a loop did after a stream with such events",
		Sources: []rules.Source{
			{URL: rules.StreamingDocs, Says: "new event types may be added: handle unknown ones gracefully"},
			{URL: "https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/lib/MessageStream.ts", Says: "citations_delta alongside text_delta"},
			{URL: "https://github.com/janhq/jan/issues/8280", Says: "an event of a name of its own between chunks: Type validation failed"},
			{URL: "https://github.com/anomalyco/opencode/issues/38106", Says: "the same ended the turn of an agent"},
		},
	},
	{
		ID:       "stream/pings-anywhere",
		Level:    trace.Should,
		Text:     "A ping may come after any event, and means nothing.",
		Why:      "A loop that expects a certain event next loses the turn.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "pings-anywhere", In: "weather-after-a-text"}},
		Evidence: "what a loop did after a stream with pings",
		Sources: []rules.Source{
			{URL: rules.StreamingDocs, Says: "event streams may include any number of ping events"},
			{URL: "https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_anthropic", Says: "recorded: between the start of a block and its first delta"},
		},
	},
	{
		ID:       "stream/payloads-are-json",
		Level:    trace.Should,
		Text:     "Payloads are read as JSON, whatever spaces they have.",
		Why:      "The provider pads them; a loop that compares texts does not recognise them.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "spaces-in-payloads", In: "weather-after-a-text"}},
		Evidence: "what a loop did after a stream with padded payloads",
		Sources: []rules.Source{
			{URL: "https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_anthropic", Says: "recorded: spaces before the last bracket"},
		},
	},
	{
		ID:       "stream/payloads-no-object",
		Level:    trace.Should,
		Text:     "A payload that is not an object, such as null or an empty list, is skipped.",
		Why:      "Some proxies send them to keep the connection alive; otherwise a good answer is lost.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "payloads-no-object", In: "weather-after-a-text"}},
		Evidence: "what a loop did after a stream with such payloads",
		Sources: []rules.Source{
			{URL: "https://github.com/langchain4j/langchain4j/issues/5353", Says: "a list in the place of an event could not be read"},
			{URL: "https://github.com/anomalyco/opencode/issues/50314", Says: "null between two chunks of Chat Completions ended the run"},
		},
	},
	{
		ID:       "stream/text-in-parts",
		Level:    trace.Should,
		Text:     "A text may come in several blocks or parts of one turn, streamed or not; all of them are the answer, and go back with their turn.",
		Why:      "A loop that reads one of them loses the rest of what the model said, and nobody notices.",
		Quirks:   []rules.Quirk{{Name: "text-in-parts", In: "long-texts"}},
		Evidence: "what a loop did after an answer with such a text",
		Sources: []rules.Source{
			{URL: rules.MessagesDocs, Says: "content: a list of blocks"},
			{URL: "https://github.com/WordPress/php-ai-client/issues/277", Says: "an answer of two sentences in seven text blocks"},
			{URL: "https://github.com/agno-agi/agno/issues/3229", Says: "only the last of three text parts was the answer"},
			{URL: "https://github.com/odysseus-dev/odysseus/pull/1255", Says: "all but the first text block were lost"},
			{URL: "https://github.com/google/adk-python/issues/606", Says: "only the text of the first part was read"},
		},
	},
	{
		ID:       "stream/unknown-blocks",
		Level:    trace.Should,
		Text:     "A block of an unknown type does not disturb those after it.",
		Why:      "The index counts all blocks; a loop that omits one assigns later pieces to the wrong blocks.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "unknown-blocks", In: "weather-after-a-text"}},
		Evidence: "what a loop did after a stream with such a block",
		Sources: []rules.Source{
			{URL: rules.StreamingDocs, Says: "the index of an event is that of the block in the content of the message"},
			{URL: "https://github.com/librefang/librefang/issues/5911", Says: "an unknown block misaligned all that followed"},
			{URL: "https://github.com/anomalyco/opencode/pull/44817", Says: "an unknown variant ended the stream"},
		},
	},
	{
		ID:       "stream/text-in-the-start",
		Level:    trace.Should,
		Text:     "A text may begin in the event that starts its step; what its deltas say goes on from there.",
		Why:      "A loop that reads the deltas alone loses the beginning of the answer.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "text-in-the-start", In: "weather-after-a-text"}},
		Evidence: "what a loop did after a stream with such a text",
		Sources: []rules.Source{
			{URL: "https://github.com/Lingtai-AI/lingtai-kernel/pull/45", Says: "step.start has the initial text of model_output"},
			{URL: rules.InteractionsTypes, Says: "StepStart: its step is a whole one, which may have a content"},
		},
	},
	{
		ID:    "stream/blank-text-blocks",
		Level: trace.Should,
		Text:  "A blank text block does not affect the calls alongside it.",
		Why:   "Models sometimes write such blocks; some loops crash, or treat the turn as an empty answer.",
		Quirks: []rules.Quirk{
			{Name: "empty-text-block", In: "call", Case: "egress/empty-text-of-the-model", Also: []string{"egress/no-empty-text"}},
			{Name: "white-text-block", In: "call", Case: "egress/white-text-of-the-model", Also: []string{"egress/no-white-text"}},
		},
		Evidence: "what a loop did after calls alongside a blank text block",
		Sources: []rules.Source{
			{URL: "https://github.com/anthropics/anthropic-sdk-python/issues/461", Says: "empty text blocks in answers"},
			{URL: "https://github.com/vercel/ai/issues/6254", Says: "a line break for a text in front of calls"},
		},
	},
	{
		ID:    "stream/message-start-bare",
		Level: trace.Should,
		Text:  "A stream is read normally if its start has no role, no output or no model.",
		Why:   "Some servers leave most of the start out; a loop that relies on it finds no message of the assistant, and runs no tool.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "message-start-bare", In: "weather-after-a-text"},
			{Name: "response-start-bare", In: "two-cities-after-a-text"},
		},
		Evidence: "what a loop did after a stream whose start is bare",
		Sources: []rules.Source{
			{URL: "https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/anthropic/serving.py", Says: "message_start is dumped without what was not set, type and role among it"},
			{URL: "https://github.com/ggml-org/llama.cpp/blob/0c1e570/tools/server/server-task.cpp", Says: "response.created has an id, a type and a status, and nothing else"},
		},
	},
}
