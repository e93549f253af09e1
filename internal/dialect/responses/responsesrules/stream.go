package responsesrules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

const responsesStreaming = "https://platform.openai.com/docs/api-reference/responses-streaming"

// responsesStream are the rules about how streams of the dialect responses bring their items.
var responsesStream = []rules.Rule{
	{
		ID:       "stream/item-ids-change",
		Level:    trace.Should,
		Text:     "Pieces belong to the item of their output_index, whatever item id their events have.",
		Why:      "Some servers write another id into each event: a loop that matches by id loses the answer, or runs a call twice.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "item-ids-changing", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a stream whose items change their ids",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/pull/18548", Says: "recorded of GitHub Copilot: a fresh id in each event, a stable output_index"},
			{URL: "https://github.com/BerriAI/litellm/pull/30072", Says: "the same: \"text part not found\""},
			{URL: "https://github.com/NousResearch/hermes-agent/pull/94961", Says: "a call confirmed under a new item id ran twice"},
		},
	},
	{
		ID:       "stream/items-done-twice",
		Level:    trace.Should,
		Text:     "An item that ends twice is one item.",
		Why:      "The same call is run a second time.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "items-done-twice", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a stream with items that end twice",
		Sources: []rules.Source{
			{URL: "https://github.com/QuantumNous/new-api/issues/6278", Says: "the end of the response repeats the call, which became a second one"},
			{URL: "https://github.com/openai/codex/pull/680", Says: "each message shown twice"},
		},
	},
	{
		ID:    "stream/items-unannounced",
		Level: trace.Should,
		Text:  "Pieces of an item that no event has announced are read, or the whole item is read at its end.",
		Why:   "The loop crashes at the first of them, and the answer is lost.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "items-unannounced", In: "two-cities-after-a-text"},
			{Name: "parts-unannounced", In: "two-cities-after-a-text"},
		},
		Evidence: "what a loop did after a stream without the events that announce items",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/codex/pull/16803", Says: "deltas before an item is active made the program panic"},
			{URL: "https://github.com/open-webui/open-webui/pull/28312", Says: "a delta before its item cut the answer short"},
			{URL: "https://github.com/Wei-Shaw/sub2api/issues/2875", Says: "a gateway without content_part.added"},
		},
	},
	{
		ID:       "stream/items-when-done",
		Level:    trace.Should,
		Text:     "An item that comes only at its end is read.",
		Why:      "A loop that builds items from their pieces alone has none.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "items-when-done", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a stream with items that come only at their end",
		Sources: []rules.Source{
			{URL: "https://github.com/vllm-project/vllm/issues/48274", Says: "items without pieces come without what goes before them"},
			{URL: responsesStreaming, Says: "output_item.done has the whole item"},
		},
	},
	{
		ID:       "stream/text-when-done",
		Level:    trace.Should,
		Text:     "A text that comes only in its done event is read.",
		Why:      "A loop that puts pieces together has an empty answer.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "text-when-done", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a stream with texts that come only when they are done",
		Sources: []rules.Source{
			{URL: responsesStreaming, Says: "response.output_text.done has the whole text"},
			{URL: "https://github.com/agentgateway/agentgateway/pull/2281", Says: "clients that read the last events, and clients that read the pieces, see another answer"},
		},
	},
	{
		ID:    "stream/output-at-the-end",
		Level: trace.Should,
		Text:  "If the response at the end of a stream has no output, the items before it are the answer.",
		Why:   "A loop that takes the output from the end alone has none, and no call is run.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "output-empty-at-the-end", In: "two-cities-after-a-text"},
			{Name: "output-missing-at-the-end", In: "two-cities-after-a-text"},
		},
		Evidence: "what a loop did after a stream whose last response has no output",
		Sources: []rules.Source{
			{URL: "https://github.com/BerriAI/litellm/pull/32724", Says: "ChatGPT's backend ends its streams with an empty output"},
			{URL: "https://github.com/open-webui/open-webui/pull/27800", Says: "an empty output at the end wiped what had come"},
			{URL: "https://github.com/decolua/9router/issues/705", Says: "no output at all: a TypeError"},
		},
	},
	{
		ID:    "stream/status-events",
		Level: trace.Should,
		Text:  "Status events of a stream, such as queued or in_progress, do not change its items.",
		Why:   "Otherwise an unexpected event ends the run, or the part of the answer before it is lost.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "queued-first", In: "two-cities-after-a-text"},
			{Name: "in-progress-again", In: "two-cities-after-a-text"},
		},
		Evidence: "what a loop did after a stream with more of such events",
		Sources: []rules.Source{
			{URL: responsesStreaming, Says: "response.queued, response.in_progress"},
			{URL: "https://github.com/openai-php/client/pull/712", Says: "response.queued was an unknown event that ended the stream"},
		},
	},
	{
		ID:       "stream/created-missing",
		Level:    trace.Should,
		Text:     "A stream may begin with the first item.",
		Why:      "A loop that waits for response.created reads nothing.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "created-missing", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a stream without response.created",
		Sources: []rules.Source{
			{URL: "https://github.com/vllm-project/vllm/issues/48274", Says: "a server that leaves events out"},
			{URL: "https://github.com/openai/openai-python/blob/main/src/openai/lib/streaming/responses/_responses.py", Says: "RuntimeError: expected to have received `response.created` before"},
		},
	},
	{
		ID:       "stream/indexes-missing",
		Level:    trace.Should,
		Text:     "Events without an output_index belong to the item of their item_id.",
		Why:      "A loop that takes a missing index for 0 gives all arguments to the first item, and runs the other calls with none.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "indexes-missing", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a stream whose events have no indexes",
		Sources: []rules.Source{
			{URL: "https://github.com/tontinton/maki/pull/514", Says: "llama.cpp's events have none: all pieces of arguments went to the first call"},
			{URL: "https://github.com/davidmigloz/ai_clients_dart/pull/243", Says: "a client that required the index could not read the stream"},
			{URL: "https://github.com/lemonade-sdk/lemonade/issues/3607", Says: "a server without indexes, whose streams a client rejected"},
		},
	},
	{
		ID:       "stream/sequence-missing",
		Level:    trace.Should,
		Text:     "Events without a sequence_number are read.",
		Why:      "Compatible servers and gateways leave it out; a loop that requires it loses the turn.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "sequence-missing", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a stream whose events are not numbered",
		Sources: []rules.Source{
			{URL: "https://github.com/Effect-TS/effect/pull/8037", Says: "a gateway whose events have no sequence_number"},
			{URL: "https://github.com/Wei-Shaw/sub2api/pull/7129", Says: "missing field `sequence_number` ended the run"},
		},
	},
	{
		ID:       "stream/provider-items",
		Level:    trace.Should,
		Text:     "A call that the provider ran itself is not run by the loop.",
		Why:      "Otherwise the loop looks for a tool that it does not have, and answers a call that it did not get.",
		Quirks:   []rules.Quirk{{Name: "provider-items", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a turn with an item of the provider's own tool",
		Sources: []rules.Source{
			{URL: responsesStreaming, Says: "web_search_call and its events: the provider has run it"},
			{URL: responsesStreaming, Says: "OutputItem: calls of the provider's own tools alongside function_call"},
		},
	},
}

// argumentsWhenDone is the rule of the area arguments about calls of the dialect responses.
var argumentsWhenDone = []rules.Rule{
	{
		ID:       "arguments/when-done",
		Level:    trace.Should,
		Text:     "Arguments that come only in their done event are read.",
		Why:      "The tool is run with {}.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "arguments-when-done", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a stream with arguments that come only when they are done",
		Sources: []rules.Source{
			{URL: "https://github.com/earendil-works/pi/issues/2745", Says: "gpt-5.3-codex-spark sends them so"},
			{URL: "https://github.com/BerriAI/litellm/issues/27144", Says: "the arguments were dropped, and the call was left with {}"},
			{URL: "https://github.com/Wei-Shaw/sub2api/pull/6629", Says: "the same"},
		},
	},
}
