package rules

const responsesStreaming = "https://platform.openai.com/docs/api-reference/responses-streaming"

// responsesStream are the rules about how streams of the dialect responses bring their items.
var responsesStream = []Rule{
	{
		ID:       "stream/item-ids-change",
		Level:    Should,
		Text:     "Pieces belong to an item by its output_index, whatever id of the item their events name.",
		Why:      "Some servers write another id in each event: a loop that goes by the ids loses what the model said, or runs a call twice.",
		Needs:    streams,
		Quirks:   []string{"item-ids-changing"},
		Evidence: "what a loop did after a stream whose items change their ids",
		Sources: []Source{
			{"https://github.com/vercel/ai/pull/18548", "recorded of GitHub Copilot: a fresh id in each event, a stable output_index"},
			{"https://github.com/BerriAI/litellm/pull/30072", "the same: \"text part not found\""},
			{"https://github.com/NousResearch/hermes-agent/pull/94961", "a call confirmed under a new item id ran twice"},
		},
	},
	{
		ID:       "stream/items-done-twice",
		Level:    Should,
		Text:     "An item whose end comes twice is one item.",
		Why:      "The same call is run a second time.",
		Needs:    streams,
		Quirks:   []string{"items-done-twice"},
		Evidence: "what a loop did after a stream with items that end twice",
		Sources: []Source{
			{"https://github.com/QuantumNous/new-api/issues/6278", "the end of the response repeats the call, which became a second one"},
			{"https://github.com/openai/codex/pull/680", "each message shown twice"},
		},
	},
	{
		ID:       "stream/items-unannounced",
		Level:    Should,
		Text:     "Pieces of an item that no event has announced are read, or the whole item is at its end.",
		Why:      "The loop crashes at the first of them, and the answer is lost.",
		Needs:    streams,
		Quirks:   []string{"items-unannounced", "parts-unannounced"},
		Evidence: "what a loop did after a stream without the events that announce items",
		Sources: []Source{
			{"https://github.com/openai/codex/pull/16803", "deltas before an item is active made the program panic"},
			{"https://github.com/open-webui/open-webui/pull/28312", "a delta before its item cut the answer short"},
			{"https://github.com/Wei-Shaw/sub2api/issues/2875", "a gateway without content_part.added"},
		},
	},
	{
		ID:       "stream/items-when-done",
		Level:    Should,
		Text:     "An item that comes whole at its end, and not before, is read.",
		Why:      "A loop that builds items from their pieces alone has none.",
		Needs:    streams,
		Quirks:   []string{"items-when-done"},
		Evidence: "what a loop did after a stream with items that come only at their end",
		Sources: []Source{
			{"https://github.com/vllm-project/vllm/issues/48274", "items without pieces come without what goes before them"},
			{responsesStreaming, "output_item.done has the whole item"},
		},
	},
	{
		ID:       "stream/text-when-done",
		Level:    Should,
		Text:     "A text that comes only when it is done is the text.",
		Why:      "A loop that puts pieces together has an empty answer.",
		Needs:    streams,
		Quirks:   []string{"text-when-done"},
		Evidence: "what a loop did after a stream with texts that come only when they are done",
		Sources: []Source{
			{responsesStreaming, "response.output_text.done has the whole text"},
			{"https://github.com/agentgateway/agentgateway/pull/2281", "clients that read the last events, and clients that read the pieces, see another answer"},
		},
	},
	{
		ID:       "stream/output-at-the-end",
		Level:    Should,
		Text:     "Where the response at the end of a stream has no output, the items that came before it are the answer.",
		Why:      "A loop that takes the output from the end alone has none, and no call is run.",
		Needs:    streams,
		Quirks:   []string{"output-empty-at-the-end", "output-missing-at-the-end"},
		Evidence: "what a loop did after a stream whose last response has no output",
		Sources: []Source{
			{"https://github.com/BerriAI/litellm/pull/32724", "ChatGPT's backend ends its streams with an empty output"},
			{"https://github.com/open-webui/open-webui/pull/27800", "an empty output at the end wiped what had come"},
			{"https://github.com/decolua/9router/issues/705", "no output at all: a TypeError"},
		},
	},
	{
		ID:       "stream/status-events",
		Level:    Should,
		Text:     "What a stream says of the status of a response, be it queued or again in progress, changes nothing of its items.",
		Why:      "An event that the loop does not expect ends the run, or what had come of the answer is dropped.",
		Needs:    streams,
		Quirks:   []string{"queued-first", "in-progress-again"},
		Evidence: "what a loop did after a stream with more of such events",
		Sources: []Source{
			{responsesStreaming, "response.queued, response.in_progress"},
			{"https://github.com/openai-php/client/pull/712", "response.queued was an unknown event that ended the stream"},
		},
	},
	{
		ID:       "stream/created-missing",
		Level:    Should,
		Text:     "A stream may begin with the first item.",
		Why:      "A loop that waits for response.created reads nothing.",
		Needs:    streams,
		Quirks:   []string{"created-missing"},
		Evidence: "what a loop did after a stream without response.created",
		Sources: []Source{
			{"https://github.com/vllm-project/vllm/issues/48274", "a server that leaves events out"},
			{"https://github.com/openai/openai-python/blob/main/src/openai/lib/streaming/responses/_responses.py", "RuntimeError: expected to have received `response.created` before"},
		},
	},
	{
		ID:       "stream/output-index-gaps",
		Level:    Should,
		Text:     "The output_index tells items apart; it need not count them without gaps.",
		Why:      "A loop that keeps items in a list finds no place for the pieces, or puts them into another item.",
		Needs:    streams,
		Quirks:   []string{"output-index-gaps"},
		Evidence: "what a loop did after a stream whose items are counted with gaps",
		Sources: []Source{
			{"https://github.com/openai/openai-python/pull/3126", "pieces reach the right item also when indexes have gaps"},
		},
	},
	{
		ID:       "stream/sequence-missing",
		Level:    Should,
		Text:     "Events without a sequence_number are read.",
		Why:      "Compatible servers and gateways leave it out; a loop that demands it loses the turn.",
		Needs:    streams,
		Quirks:   []string{"sequence-missing"},
		Evidence: "what a loop did after a stream whose events are not numbered",
		Sources: []Source{
			{"https://github.com/Effect-TS/effect/pull/8037", "a gateway whose events have no sequence_number"},
			{"https://github.com/Wei-Shaw/sub2api/pull/7129", "missing field `sequence_number` ended the run"},
		},
	},
	{
		ID:       "stream/provider-items",
		Level:    Should,
		Text:     "What the provider did with a tool of its own is no call for the loop to run.",
		Why:      "The loop looks for a tool that it does not have, and answers a call that nobody made.",
		Quirks:   []string{"provider-items"},
		Evidence: "what a loop did after a turn with an item of the provider's own tool",
		Sources: []Source{
			{responsesStreaming, "web_search_call and its events: the provider has run it"},
			{responsesStreaming, "OutputItem: calls of the provider's own tools beside function_call"},
		},
	},
}

// argumentsWhenDone is the rule of the area arguments about calls of the dialect responses.
var argumentsWhenDone = []Rule{
	{
		ID:       "arguments/when-done",
		Level:    Should,
		Text:     "Arguments that come only when they are done are the arguments of the call.",
		Why:      "The tool is run with {}.",
		Needs:    streams,
		Quirks:   []string{"arguments-when-done"},
		Evidence: "what a loop did after a stream with arguments that come only when they are done",
		Sources: []Source{
			{"https://github.com/earendil-works/pi/issues/2745", "gpt-5.3-codex-spark sends them so"},
			{"https://github.com/BerriAI/litellm/issues/27144", "the arguments were dropped, and the call was left with {}"},
			{"https://github.com/Wei-Shaw/sub2api/pull/6629", "the same"},
		},
	},
}
