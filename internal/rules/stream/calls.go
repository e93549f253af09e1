package stream

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

var parallelStreams = []protocol.Feature{protocol.Streaming, protocol.ParallelCalls}

// callRules are the rules about tool calls that come in other pieces than OpenAI's.
var callRules = []rules.Rule{
	{
		ID:    "stream/index-missing",
		Level: trace.Must,
		Text:  "Streamed tool calls without an index are distinguished by their ids; a piece without either belongs to the call before it.",
		Why:   "Gemini's compatible API and several servers leave the index out; otherwise calls are merged or lost.",
		Needs: parallelStreams,
		Quirks: []rules.Quirk{
			{Name: "call-index-missing", In: "two-cities", Case: "stream/index-missing"},
			{Name: "fragment-index-missing", In: "two-cities", Case: "stream/index-missing-in-pieces"},
		},
		Evidence: "what a loop did after a stream with calls without an index",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/blob/main/packages/provider-utils/src/streaming-tool-call-tracker.ts", Says: "Google does not send an index"},
			{URL: "https://github.com/langchain-ai/langchain/issues/34654", Says: "pieces without an index stayed separate: 422 on the next turn"},
			{URL: "https://github.com/continuedev/continue/issues/5508", Says: "pieces without index and id were ignored"},
		},
	},
	{
		ID:    "stream/index-odd",
		Level: trace.Should,
		Text:  "The index of a streamed tool call, or of an item, is an identifier, not a list position: it may begin at 1, have gaps or be negative.",
		Why:   "A list that is filled by index gets gaps, or the loop panics.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "call-index-from-one", In: "two-cities", Case: "stream/index-from-one"},
			{Name: "call-index-sparse", In: "two-cities", Case: "stream/index-sparse"},
			{Name: "call-index-negative", In: "call", Case: "stream/index-negative"},
		},
		Evidence: "what a loop did after a stream with calls whose indexes are unusual",
		Sources: []rules.Source{
			{URL: "https://github.com/trpc-group/trpc-agent-go/issues/127", Says: "a first index above 0 gave an empty call"},
			{URL: "https://github.com/cline/cline/pull/13123", Says: "a crash at indexes that do not begin at 0 or have gaps"},
			{URL: "https://github.com/openai/openai-go/issues/464", Says: "a panic at the index -1, which Bedrock sends"},
			{URL: "https://github.com/openai/openai-python/pull/3126", Says: "pieces of items whose indexes have gaps"},
		},
	},
	{
		ID:       "stream/index-huge",
		Level:    trace.Should,
		Text:     "A call with a very large index is accepted, or reported as a failure.",
		Why:      "A list of that length exhausts the memory; a call that is left out is lost silently.",
		Needs:    parallelStreams,
		Quirks:   []rules.Quirk{{Name: "call-index-huge", In: "two-cities-again", Case: "stream/index-huge"}},
		Evidence: "what a loop that used tools did after a stream with a call of the index 1000000",
		Sources: []rules.Source{
			{URL: "https://github.com/FerroxLabs/wayland-core/pull/155", Says: "an index of 4000000000 made the list of calls grow until the memory was gone"},
			{URL: "https://github.com/openai/openai-go/pull/822", Says: "an index that no list should have is refused"},
		},
		RunQuirks: callsTakenOrReported,
	},
	{
		ID:       "stream/index-shared",
		Level:    trace.Should,
		Text:     "A new id with an index that is in use begins a new tool call.",
		Why:      "Ollama gave all calls the index 0, and some gateways do; otherwise the arguments of two calls are merged into invalid JSON.",
		Needs:    parallelStreams,
		Quirks:   []rules.Quirk{{Name: "call-index-shared", In: "two-cities", Case: "stream/index-shared"}},
		Evidence: "what a loop did after a stream whose calls all have the index 0",
		Sources: []rules.Source{
			{URL: "https://github.com/trpc-group/trpc-agent-go/issues/949", Says: "two calls with the index 0 were glued"},
			{URL: "https://github.com/langchain-ai/langchain/issues/34807", Says: "the same index, other ids: calls glued"},
			{URL: "https://github.com/huggingface/smolagents/issues/1569", Says: "the arguments of two calls glued"},
			{URL: "https://github.com/decolua/9router/issues/2611", Says: "reasoning and a call under one output_index: the call was dropped"},
		},
	},
	{
		ID:    "stream/id-empty-later",
		Level: trace.Must,
		Text:  "An id that is empty or null in a later piece is ignored: the piece belongs to the call of its index.",
		Why:   "The id of the call is lost, or its arguments go to a call that does not exist.",
		Needs: parallelStreams,
		Quirks: []rules.Quirk{
			{Name: "call-id-empty-later", In: "two-cities", Case: "stream/id-empty-later"},
			{Name: "call-id-null-later", In: "two-cities", Case: "stream/id-null-later"},
		},
		Evidence: "what a loop did after a stream with empty ids in later pieces",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/tree/main/packages/alibaba/src/__fixtures__", Says: "recorded: id \"\" in the later pieces of Qwen's calls"},
			{URL: "https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/venice", Says: "recorded: id and name null in later pieces"},
			{URL: "https://github.com/spring-projects/spring-ai/issues/6374", Says: "later pieces began new calls; the arguments stayed empty"},
			{URL: "https://github.com/nlpodyssey/openai-agents-go/issues/2", Says: "the id was overwritten with the empty one"},
		},
	},
	{
		ID:       "stream/id-repeated",
		Level:    trace.Should,
		Text:     "An id that is repeated in later pieces of a call does not change the call.",
		Why:      "Otherwise the id is doubled, or one call becomes several.",
		Needs:    parallelStreams,
		Quirks:   []rules.Quirk{{Name: "call-id-repeated", In: "two-cities", Case: "stream/id-repeated"}},
		Evidence: "what a loop did after a stream with the id in every piece",
		Sources: []rules.Source{
			{URL: "https://github.com/nlpodyssey/openai-agents-go/commit/5d53fac", Says: "ids of later pieces were appended"},
			{URL: "https://github.com/vercel/ai/pull/8108", Says: "every piece began the call again"},
		},
	},
	{
		ID:       "stream/id-changing",
		Level:    trace.Should,
		Text:     "A piece with another id, but with the index of an unfinished call and without a name, belongs to that call.",
		Why:      "Otherwise each piece becomes a separate call, with a part of the arguments and no tool.",
		Needs:    parallelStreams,
		Quirks:   []rules.Quirk{{Name: "call-id-changing", In: "two-cities", Case: "stream/id-changing"}},
		Evidence: "what a loop did after a stream with another id in each piece of a call",
		Sources: []rules.Source{
			{URL: "https://github.com/poolsideai/pool/issues/9", Says: "the API of Poolside: an id in the first piece, and another one in all others"},
			{URL: "https://github.com/cubist38/mlx-openai-server/pull/216", Says: "a server that gave every piece an id of its own"},
			{URL: "https://github.com/vercel/ai/pull/8108", Says: "every piece with an id began the call again"},
		},
	},
	{
		ID:    "stream/id-missing",
		Level: trace.Should,
		Text:  "A tool call without an id is run, and goes back under an id of the loop's own that its result has too. Where results name the tool, as over Ollama's own API, both may be without one.",
		Why:   "Some servers send no ids; otherwise the result cannot be matched, or the call is dropped.",
		Needs: parallelStreams,
		Quirks: []rules.Quirk{
			{Name: "call-id-missing", In: "two-cities", Case: "stream/id-missing"},
			{Name: "call-id-empty", In: "two-cities", Case: "stream/id-empty"},
		},
		Evidence: "what a loop did after calls without an id",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-node/pull/1958", Says: "a missing id: the result had none, or the stream threw"},
			{URL: "https://github.com/vercel/ai/pull/19091", Says: "an empty id was treated as an id"},
			{URL: "https://github.com/zed-industries/zed/issues/47696", Says: "an empty id sent back: 400"},
		},
	},
	{
		ID:    "stream/ids-of-any-form",
		Level: trace.Should,
		Text:  "The id of a tool call is any text and goes back as it came: longer than 64 characters, with dots, colons or bars.",
		Why:   "The provider does not know the call under another id, and gateways hide signatures in long ones.",
		Needs: parallelStreams,
		Quirks: []rules.Quirk{
			{Name: "call-id-long", In: "two-cities", Case: "stream/id-long"},
			{Name: "call-id-punctuated", In: "two-cities", Case: "stream/id-punctuated"},
		},
		Evidence: "what a loop did after calls with odd ids",
		Sources: []rules.Source{
			{URL: "https://github.com/open-webui/open-webui/issues/28570", Says: "ids such as search_web:0"},
			{URL: "https://github.com/RooCodeInc/Roo-Code/pull/10763", Says: "ids of more than 64 characters"},
		},
	},
	{
		ID:    "stream/name-not-doubled",
		Level: trace.Must,
		Text:  "The name of the tool in later pieces of a call, repeated or empty, does not change the name.",
		Why:   "There is no tool get_weatherget_weather, and none without a name.",
		Needs: parallelStreams,
		Quirks: []rules.Quirk{
			{Name: "call-name-repeated", In: "two-cities", Case: "stream/name-repeated"},
			{Name: "call-name-empty-later", In: "two-cities", Case: "stream/name-empty-later"},
		},
		Evidence: "what a loop did after a stream with the name in every piece",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/tree/main/packages/mistral/src/__fixtures__", Says: "recorded: an empty name in the later pieces of Mistral's calls"},
			{URL: "https://github.com/agno-agi/agno/issues/6989", Says: "the name was appended for each piece"},
			{URL: "https://github.com/agno-agi/agno/issues/7132", Says: "the name was overwritten with the empty one"},
		},
	},
	{
		ID:    "stream/name-in-pieces",
		Level: trace.Should,
		Text:  "The name of the tool may come in pieces, or after the first piece of the arguments.",
		Why:   "Otherwise the tool is looked up by a part of its name, or the stream is rejected.",
		Needs: parallelStreams,
		Quirks: []rules.Quirk{
			{Name: "call-name-in-pieces", In: "two-cities", Case: "stream/name-in-pieces"},
			{Name: "call-name-late", In: "two-cities", Case: "stream/name-late"},
		},
		Evidence: "what a loop did after a stream with the name in pieces or late",
		Sources: []rules.Source{
			{URL: "https://github.com/MoonshotAI/Kimi-K2/blob/main/docs/tool_call_guidance.md", Says: "the sample for streams appends names"},
			{URL: "https://github.com/vercel/ai/issues/14722", Says: "the name came in the second piece, and the stream threw"},
		},
	},
	{
		ID:    "stream/type-missing",
		Level: trace.Should,
		Text:  "A tool call whose type is missing or null is a call of a function.",
		Why:   "Azure, Mistral and Ollama have left it out; some loops reject the stream.",
		Needs: parallelStreams,
		Quirks: []rules.Quirk{
			{Name: "call-type-missing", In: "two-cities", Case: "stream/type-missing"},
			{Name: "call-type-null", In: "two-cities", Case: "stream/type-null"},
		},
		Evidence: "what a loop did after calls without a type",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/issues/12770", Says: "no type: Expected 'function' type"},
			{URL: "https://github.com/vercel/ai/pull/5800", Says: "type null was refused"},
			{URL: "https://github.com/charmbracelet/fantasy/issues/113", Says: "pieces without a type ended the stream"},
		},
	},
}
