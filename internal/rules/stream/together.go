package stream

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// togetherRules are the rules about what comes together in one delta of a stream.
var togetherRules = []rules.Rule{
	{
		ID:    "stream/calls-together",
		Level: trace.Must,
		Text:  "A streamed tool call may come whole in one delta, several in one, and in what says why the model stopped.",
		Why:   "Otherwise the loop waits for pieces, reads only the first call, makes another call of an empty piece, or ends with a call unread.",
		Needs: parallelStreams,
		Quirks: []rules.Quirk{
			{Name: "call-in-one-delta", In: "two-cities"},
			{Name: "calls-in-one-delta", In: "two-cities"},
			{Name: "calls-on-finish", In: "two-cities"},
			{Name: "call-ends-in-nothing", In: "two-cities"},
		},
		Evidence: "what a loop did after a stream with whole calls",
		Sources: []rules.Source{
			{URL: "https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/mistral", Says: "recorded: both calls in one chunk"},
			{URL: "https://github.com/endolith/open-interpreter/issues/315", Says: "only the first call of a delta was read"},
			{URL: "https://github.com/vercel/ai/pull/3960", Says: "an empty piece after a whole call made it twice"},
			{URL: "https://github.com/0xPlaygrounds/rig/issues/1308", Says: "the calls in the last line of Ollama were not read"},
			{URL: "https://github.com/QuantumNous/new-api/issues/7252", Says: "the same, and the text there"},
		},
	},
	{
		ID:    "stream/text-and-call-together",
		Level: trace.Should,
		Text:  "A delta may hold a text and a piece of a tool call; a text between the pieces of a call does not end it.",
		Why:   "Otherwise the call is dropped or cut, and the text is treated as the answer.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "text-beside-call", In: "text-before-a-call"},
			{Name: "empty-text-beside-call", In: "call"},
			{Name: "text-inside-call", In: "text-before-a-call"},
		},
		Evidence: "what a loop did after a stream with text and calls in one delta",
		Sources: []rules.Source{
			{URL: "https://github.com/charmbracelet/fantasy/commit/6b4e9b2", Says: "a delta with text and a call: the call was dropped"},
			{URL: "https://github.com/openai/openai-go/issues/756", Says: "a call alongside an empty text was never finished"},
			{URL: "https://github.com/TanStack/ai/issues/1017", Says: "a text between two pieces ended the call"},
		},
	},
	{
		ID:    "stream/empty-call-list",
		Level: trace.Should,
		Text:  "An empty list of tool calls, or null, means no tool call.",
		Why:   "Otherwise the answer is treated as a turn with calls, and the loop panics or ends.",
		Quirks: []rules.Quirk{
			{Name: "call-list-empty", In: "weather"},
			{Name: "call-list-null", In: "weather"},
		},
		Evidence: "an answer, or what followed a call, with empty lists of calls",
		Sources: []rules.Source{
			{URL: "https://github.com/microsoft/autogen/issues/5223", Says: "an empty list was treated as calls"},
			{URL: "https://github.com/trpc-group/trpc-agent-go/issues/745", Says: "an empty list alongside the finish reason: a panic"},
			{URL: "https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/venice", Says: "recorded: tool_calls null"},
		},
	},
	{
		ID:    "stream/no-choices",
		Level: trace.Should,
		Text:  "A chunk without anything of the answer, since its list is empty, null or missing, or since the chunk itself is null, is skipped, also if it is the first one.",
		Why:   "The first chunk of Azure and the last one of OpenAI have none; some loops crash.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "choices-empty-first", In: "weather"},
			{Name: "choices-null", In: "weather"},
			{Name: "choices-missing", In: "weather"},
			{Name: "chunk-null", In: "weather"},
		},
		Evidence: "what a loop did after a stream with such chunks",
		Sources: []rules.Source{
			{URL: "https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestAzureCommon", Says: "recorded: a first chunk without choices"},
			{URL: "https://github.com/pydantic/pydantic-ai/issues/5165", Says: "choices null crashed the loop"},
			{URL: "https://github.com/aaif-goose/goose/issues/4276", Says: "a panic at a chunk with empty choices"},
			{URL: "https://github.com/aaif-goose/goose/issues/10935", Says: "a first chunk of the gateway's own, without choices, ended the turn"},
			{URL: "https://github.com/Kilo-Org/kilocode/pull/3083", Says: "data: null between two chunks"},
		},
	},
	{
		ID:    "stream/no-delta",
		Level: trace.Should,
		Text:  "What comes without a delta, or with null for one, adds nothing; why the model stopped counts even so.",
		Why:   "Some loops crash at what a content filter or a gateway sends so, or write null into the text.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "delta-missing", In: "weather"},
			{Name: "delta-null", In: "weather"},
		},
		Evidence: "what a loop did after a stream in which something has no delta",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-node/issues/1015", Says: "Azure's chunk of the content filter has no delta"},
			{URL: "https://github.com/langchain-ai/langchain/issues/18977", Says: "it comes at the end of the stream, with a finish reason of null"},
			{URL: "https://github.com/microsoft/agent-framework/issues/5734", Says: "delta null alongside the finish reason crashed the loop"},
		},
	},
	{
		ID:    "stream/nulls",
		Level: trace.Should,
		Text:  "null, or a missing key, means that there is no value.",
		Why:   "Some loops crash, or write \"null\" into the answer.",
		Quirks: []rules.Quirk{
			{Name: "nulls", In: "weather"},
			{Name: "finish-key-missing", In: "weather"},
		},
		Evidence: "what a loop did after answers with nulls and missing keys",
		Sources: []rules.Source{
			{URL: "https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/venice", Says: "recorded: role and calls null"},
			{URL: "https://github.com/brainlid/langchain/issues/367", Says: "a missing finish_reason crashed the loop"},
		},
	},
	{
		ID:    "stream/unknown-keys",
		Level: trace.Should,
		Text:  "Unknown keys, and a role in every chunk, are ignored.",
		Why:   "Providers add keys at any time; otherwise chunks with such keys are lost.",
		Quirks: []rules.Quirk{
			{Name: "unknown-keys", In: "weather"},
			{Name: "role-in-every-chunk", In: "weather"},
		},
		Evidence: "what a loop did after answers with unknown keys",
		Sources: []rules.Source{
			{URL: "https://github.com/shiaho777/web-to-app/issues/413", Says: "an odd key dropped the chunk with its piece of a call"},
			{URL: "https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes", Says: "recorded: x_groq, provider, timings, p and more"},
		},
	},
	{
		ID:    "stream/text-to-the-end",
		Level: trace.Must,
		Text:  "A text continues until the end of the stream: its last piece may come with the word for why the model stopped, and an empty one after it.",
		Why:   "Otherwise the end of the answer is missing.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "text-on-finish", In: "answer"},
			{Name: "empty-text-after-finish", In: "answer"},
		},
		Evidence: "an answer whose last piece came with that word, or that had an empty piece after it",
		Sources: []rules.Source{
			{URL: "https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/mistral", Says: "recorded: text and finish reason in one chunk"},
			{URL: "https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestOpenRouterThinking", Says: "recorded: an empty text after the finish reason"},
		},
	},
}
