package responsesrules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// responsesEnds are the rules of the area stream about how items end, and about what is not known
// of them before.
var responsesEnds = []rules.Rule{
	{
		ID:       "stream/items-not-done",
		Level:    trace.Should,
		Text:     "If a stream ends without the done events of its items, the items are those of its last response, or else what was received of them.",
		Why:      "A loop that waits for response.output_item.done loses the call, and ends as if the model had called nothing.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "items-not-done", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a stream without the ends of its items",
		Sources: []rules.Source{
			{URL: "https://github.com/NousResearch/hermes-agent/issues/92764", Says: "a call without output_item.done was dropped in silence"},
			{URL: "https://github.com/anomalyco/opencode/issues/37159", Says: "the same"},
			{URL: "https://github.com/Portkey-AI/portkey-python-sdk/pull/421", Says: "calls that come as added and deltas, and not as done"},
		},
	},
	{
		ID:    "stream/parts-not-done",
		Level: trace.Should,
		Text:  "Texts and arguments without a done event are those at the end of their item, or else what was received of them.",
		Why:   "A loop that takes them from response.output_text.done and response.function_call_arguments.done has none.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "parts-not-done", In: "two-cities-after-a-text"},
			{Name: "pieces-not-done", In: "two-cities-after-a-text"},
		},
		Evidence: "what a loop did after a stream without the ends of texts and arguments",
		Sources: []rules.Source{
			{URL: "https://github.com/agentgateway/agentgateway/pull/2281", Says: "a gateway without response.output_text.done"},
			{URL: "https://github.com/Oaklight/llm-rosetta/issues/56", Says: "one without response.content_part.done"},
			{URL: "https://github.com/ggml-org/llama.cpp/blob/0c1e570/tools/server/server-task.cpp", Says: "no end of arguments, and none of reasoning"},
		},
	},
	{
		ID:    "stream/items-end-backwards",
		Level: trace.Should,
		Text:  "Items are in the order of their output_index, whenever and in whichever order they end.",
		Why:   "The turn goes back in another order than the model's, or the loop does not know the item that ends.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "items-end-backwards", In: "two-cities-after-a-text"},
			{Name: "items-end-together", In: "two-cities-after-a-text"},
		},
		Evidence: "what a loop did after a stream whose items end late, or in another order than they began",
		Sources: []rules.Source{
			{URL: "https://github.com/BerriAI/litellm/pull/36356", Says: "output_item.done out of the order of the indexes"},
			{URL: "https://github.com/can1357/oh-my-pi/pull/1882", Says: "llama.cpp begins all calls before it ends one: all but the last were run with {}"},
		},
	},
	{
		ID:       "stream/item-ids-missing",
		Level:    trace.Should,
		Text:     "A message or a call whose item has no id is read; a call is identified by its call_id.",
		Why:      "The loop does not find the call, or does not recognise the answer.",
		Quirks:   []rules.Quirk{{Name: "item-ids-missing", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after items without an id",
		Sources: []rules.Source{
			{URL: "https://github.com/anomalyco/opencode/pull/46885", Says: "measured: Bedrock Mantle leaves the id out"},
			{URL: "https://github.com/ggml-org/llama.cpp/pull/24882", Says: "llama-server left it out, and a client could not read the call"},
			{URL: "https://github.com/lidge-jun/opencodex/pull/2131", Says: "items without an id behind a gateway"},
		},
	},
	{
		ID:    "stream/calls-named-when-done",
		Level: trace.Should,
		Text:  "If the start of a call has no name or call_id, those at its end count, and the other way round.",
		Why:   "The loop looks for a tool without a name, and answers a call without an id: the next request is refused.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "calls-named-when-done", In: "two-cities-after-a-text"},
			{Name: "calls-unnamed-when-done", In: "two-cities-after-a-text"},
		},
		Evidence: "what a loop did after a stream with calls that are named at one of their ends",
		Sources: []rules.Source{
			{URL: "https://github.com/HEXUXIU/M365-Copilot2API/issues/77", Says: "an empty name and call_id in output_item.added: the tool was not found"},
			{URL: "https://github.com/router-for-me/CLIProxyAPI/issues/1004", Says: "an empty name in output_item.done, after the right one in output_item.added"},
			{URL: responsesStreaming, Says: "response.output_item.done has the whole item"},
		},
	},
}
