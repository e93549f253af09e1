package chat

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// chunkQuirks are about what a chunk holds besides what it is about.
func chunkQuirks() []wire.Quirk {
	eachDelta := func(change func(delta *wire.Node)) func([]wire.Event) []wire.Event {
		return eachChoice(func(choice *wire.Node) { change(choice.Path("delta")) })
	}
	withoutCalls := func(calls any) func(*wire.Node) {
		return func(said *wire.Node) {
			if !said.Has("tool_calls") {
				said.Set("tool_calls", calls)
			}
		}
	}
	return []wire.Quirk{
		{
			Name:   "call-list-empty",
			Does:   "sends an empty list of tool calls if there are none",
			Events: eachDelta(withoutCalls([]any{})),
			Whole:  inMessage(withoutCalls([]any{})),
		},
		{
			Name:   "call-list-null",
			Does:   "sends null for the tool calls if there are none",
			Events: eachDelta(withoutCalls(nil)),
			Whole:  inMessage(withoutCalls(nil)),
		},
		{
			Name:   "choices-empty-first",
			Does:   "begins a stream with a chunk without choices and with an empty id",
			Events: choicesEmptyFirst,
		},
		{
			Name:   "choices-null",
			Does:   "sends a chunk whose choices are null",
			Events: besides(func(chunk *wire.Node) { chunk.Set("choices", nil) }),
		},
		{
			Name:   "choices-missing",
			Does:   "sends chunks without the key choices, also as the first chunk",
			Events: choicesMissing,
		},
		{
			Name:   "delta-missing",
			Does:   "sends choices without a delta, also after the finish reason",
			Events: deltaMissing,
		},
		{
			Name:   "delta-null",
			Does:   "sends null as the delta with the finish reason",
			Events: onFinish(func(choice *wire.Node) { choice.Set("delta", nil) }),
		},
		{
			Name:   "nulls",
			Does:   "sends null for all unused keys of a delta",
			Events: eachDelta(sendNulls),
			Whole:  inMessage(sendNulls),
		},
		{
			Name:   "citations",
			Does:   "sends citations between the pieces of a text",
			Events: citations,
			Whole:  inMessage(func(message *wire.Node) { message.Set("annotations", wire.Raw("["+citation+"]")) }),
		},
		{
			Name: "candidates-none",
			Does: "answers with token counts and nothing of the model",
			Answer: func(a *wire.Answer) {
				*a = wire.Answer{Finish: wire.FinishStop, Usage: wire.Usage{Prompt: a.Usage.Prompt}}
			},
			Events: wire.EachPayload(noChoices),
			Whole:  wire.InBody(noChoices),
		},
		{
			Name:   "role-in-every-chunk",
			Does:   "repeats the role in every chunk",
			Events: eachDelta(func(delta *wire.Node) { delta.Set("role", "assistant") }),
		},
		{
			Name:   "unknown-keys",
			Does:   "sends unknown keys, at every level and of every type",
			Events: wire.EachPayload(addUnknownKeys),
			Whole:  wire.InBody(addUnknownKeys),
		},
		{
			Name:   "text-on-finish",
			Does:   "sends the last piece of a text with the finish reason",
			Events: textOnFinish,
		},
		{
			Name:   "empty-text-after-finish",
			Does:   "sends an empty text after the finish reason",
			Events: emptyAfterFinish,
		},
		{
			Name:   "long-line",
			Does:   "sends a chunk of more than 64 KiB in one line",
			Events: besides(func(chunk *wire.Node) { chunk.Set("padding", strings.Repeat("loopproof ", 10_000)) }),
		},
	}
}

// besides adds one more chunk after the first one with a choice, changed from a copy of it that
// says nothing.
func besides(change func(chunk *wire.Node)) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		first := true
		return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
			e.Data = chunk.JSON()
			if !first || chunk.Path("choices", 0) == nil {
				return []wire.Event{e}
			}
			first = false
			more := chunk.Clone()
			more.Path("choices", 0).Set("delta", wire.Fields{})
			change(more)
			return []wire.Event{e, {Data: more.JSON()}}
		})(events)
	}
}

// deltaMissing adds what the filter of Azure says of an answer that it reads alongside the model,
// as its documentation shows it: while the answer comes, and again after the finish reason.
func deltaMissing(events []wire.Event) []wire.Event {
	verdict := func(chunk *wire.Node) {
		for _, none := range (wire.Fields{{Key: "id", Value: ""}, {Key: "object", Value: ""}, {Key: "created", Value: 0}, {Key: "model", Value: ""}}) {
			chunk.Set(none.Key, none.Value)
		}
		choice := chunk.Path("choices", 0)
		choice.Remove("delta")
		choice.Set("finish_reason", nil)
		choice.Set("content_filter_offsets", wire.Fields{{Key: "check_offset", Value: 44}, {Key: "start_offset", Value: 44}, {Key: "end_offset", Value: 198}})
	}
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		if !e.Finish || chunk.Path("choices", 0) == nil {
			return []wire.Event{e}
		}
		more := chunk.Clone()
		verdict(more)
		return []wire.Event{e, {Data: more.JSON()}}
	})(besides(verdict)(events))
}

// choicesMissing puts what a gateway has to say of its own in front, and a chunk that has lost its
// choices between others.
func choicesMissing(events []wire.Event) []wire.Event {
	own := wire.Fields{{Key: "hook_results", Value: wire.Fields{{Key: "before_request_hooks", Value: []any{}}}}}
	return append([]wire.Event{{Data: own.JSON()}}, besides(func(chunk *wire.Node) { chunk.Remove("choices") })(events)...)
}

func noChoices(answer *wire.Node) { answer.Set("choices", []any{}) }

// citation is what a text rests on, as OpenAI's models that search the web say it:
// https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat
const citation = `{"type":"url_citation","url_citation":{"start_index":0,"end_index":2,"url":"https://example.com","title":"Weather"}}`

// citations sends one after each piece of a text.
func citations(events []wire.Event) []wire.Event {
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		e.Data = chunk.JSON()
		if textOf(chunk) == "" {
			return []wire.Event{e}
		}
		return []wire.Event{e, likeChunk(chunk, wire.Fields{{Key: "annotations", Value: wire.Raw("[" + citation + "]")}})}
	})(events)
}

// onFinish changes the choice that has the finish reason.
func onFinish(change func(choice *wire.Node)) func([]wire.Event) []wire.Event {
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		if choice := chunk.Path("choices", 0); e.Finish && choice != nil {
			change(choice)
		}
		e.Data = chunk.JSON()
		return []wire.Event{e}
	})
}

// choicesEmptyFirst puts the note about the filtering of the prompt in front, as Azure sends it.
func choicesEmptyFirst(events []wire.Event) []wire.Event {
	note := wire.Fields{{Key: "prompt_index", Value: 0}, {Key: "content_filter_results", Value: wire.Fields{}}}
	prelude := wire.Fields{
		{Key: "choices", Value: []any{}}, {Key: "created", Value: 0}, {Key: "id", Value: ""}, {Key: "model", Value: ""},
		{Key: "object", Value: ""}, {Key: "prompt_filter_results", Value: []wire.Fields{note}},
	}
	return append([]wire.Event{{Data: prelude.JSON()}}, events...)
}

func sendNulls(said *wire.Node) {
	for _, key := range []string{"role", "content", "refusal", "tool_calls", "function_call", "reasoning_content", "audio"} {
		if !said.Has(key) {
			said.Set(key, nil)
		}
	}
}

func addUnknownKeys(answer *wire.Node) {
	strange := wire.Fields{{Key: "list", Value: []any{1, "a", nil}}, {Key: "yes", Value: true}}
	answer.Set("latency_checkpoint", strange)
	answer.Set("provider", "Somebody")
	for _, choice := range answer.Path("choices").All() {
		choice.Set("stop_reason", 128001)
		choice.Set("content_filter_results", strange)
		for _, said := range []*wire.Node{choice.Path("delta"), choice.Path("message")} {
			said.Set("p", []any{})
			for _, call := range said.Path("tool_calls").All() {
				call.Set("provider_data", strange)
				call.Path("function").Set("parameters", nil)
			}
		}
	}
}

// textOnFinish moves the last piece of the text into the chunk with the finish reason.
func textOnFinish(events []wire.Event) []wire.Event {
	last := -1
	for i, e := range events {
		if textOf(wire.Parsed(e.Data)) != "" {
			last = i
		}
	}
	if last < 0 {
		return events
	}
	text := textOf(wire.Parsed(events[last].Data))
	rest := slices.Delete(slices.Clone(events), last, last+1)
	return onFinish(func(choice *wire.Node) { choice.Path("delta").Set("content", text) })(rest)
}

func emptyAfterFinish(events []wire.Event) []wire.Event {
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		e.Data = chunk.JSON()
		if !e.Finish {
			return []wire.Event{e}
		}
		chunk.Path("choices", 0).Set("finish_reason", nil)
		return []wire.Event{e, likeChunk(chunk, wire.Fields{{Key: "role", Value: "assistant"}, {Key: "content", Value: ""}})}
	})(events)
}
