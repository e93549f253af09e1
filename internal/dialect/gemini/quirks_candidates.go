package gemini

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// stopWord is where chunks and answers say why the model stopped.
var stopWord = wire.StopWord{Key: "finishReason", Is: "finish reason", In: func(payload *wire.Node) *wire.Node { return payload.Path("candidates", 0) }}

// callIDs is where the calls are in a chunk and in an answer.
var callIDs = wire.CallIDs{Key: "id", In: func(payload *wire.Node) (calls []*wire.Node) {
	for _, part := range payload.Path("candidates", 0, "content", "parts").All() {
		if call := part.Get("functionCall"); call != nil {
			calls = append(calls, call)
		}
	}
	return calls
}}

// idQuirks are about the ids of calls, which are left out where they are empty.
func idQuirks() []wire.Quirk {
	all := callIDs.Quirks()
	for i, q := range all {
		if q.Name == "call-id-empty" {
			set := func(payload *wire.Node) {
				for _, call := range callIDs.In(payload) {
					call.Set(callIDs.Key, "")
				}
			}
			all[i].Events, all[i].Whole = wire.EachPayload(set), wire.InBody(set)
		}
	}
	return all
}

// earlyWords are the quirks of a reason to stop that is said before the end, where chunks have no
// key for it.
func earlyWords() []wire.Quirk {
	return []wire.Quirk{
		stoppedTwice,
		{
			Name: "finish-empty-before-the-end",
			Does: "sends an empty finish reason in every chunk before the last one",
			Events: func(events []wire.Event) []wire.Event {
				changed := slices.Clone(events)
				for i, e := range changed {
					if chunk := wire.Parsed(e.Data); !e.Finish && stopWord.In(chunk) != nil {
						stopWord.In(chunk).Set(stopWord.Key, "")
						changed[i].Data = chunk.JSON()
					}
				}
				return changed
			},
		},
	}
}

// candidateQuirks are about candidates that lack what others have, and about where errors are.
func candidateQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "choices-null",
			Does:   "sends a chunk whose candidates are null",
			Events: behindFirst(func(chunk *wire.Node) { chunk.Set("candidates", nil) }),
		},
		{
			Name: "delta-missing",
			Does: "sends candidates without a content, also after the reason to stop",
			Events: func(events []wire.Event) []wire.Event {
				more := wire.Event{Data: wire.Fields{{Key: "candidates", Value: []any{wire.Fields{{Key: "index", Value: 0}, {Key: "safetyRatings", Value: []any{}}}}}}.JSON()}
				return append(slices.Insert(slices.Clone(events), min(1, len(events)), more), more)
			},
		},
		{
			Name:   "delta-null",
			Does:   "sends null as the content of the candidate that says why it stopped",
			Events: endsIn(func(candidate *wire.Node) { candidate.Set("content", nil) }),
		},
		{Name: "nulls", Does: "sends null for all unused keys of chunks and candidates", Events: wire.EachPayload(sendNulls), Whole: wire.InBody(sendNulls)},
		{
			Name:   "text-on-finish",
			Does:   "sends the last piece of a text with the reason to stop",
			Events: textOnFinish,
		},
		{
			Name: "empty-text-after-finish",
			Does: "sends an empty text after the reason to stop",
			Events: func(events []wire.Event) []wire.Event {
				last := wire.Parsed(events[len(events)-1].Data)
				last.Path("candidates", 0).Remove("finishReason", "finishMessage")
				last.Path("candidates", 0).Set("content", wire.Raw(`{"role":"model","parts":[{"text":""}]}`))
				return append(slices.Clone(events), wire.Event{Data: last.JSON()})
			},
		},
		{
			Name:   "empty-text-block",
			Does:   "sends an empty text part with its answers",
			Answer: func(a *wire.Answer) { a.Blocks = append(a.Blocks, wire.Raw(`{"text":""}`)) },
		},
		{
			Name:   "white-text-block",
			Does:   "sends a text part that has only line breaks with its answers",
			Answer: func(a *wire.Answer) { a.Blocks = append(a.Blocks, wire.Raw(`{"text":"\n\n"}`)) },
		},
		{
			Name:   "error-beside-choices",
			Does:   "sends an error with an empty list of candidates",
			Events: onFailure(func(failure *wire.Node) { failure.Set("candidates", []any{}) }),
		},
		{
			Name:   "error-in-choice",
			Does:   "sends an error inside the candidate, with a part of the answer and the reason to stop OTHER",
			Events: onFailure(intoCandidate),
			Whole:  wire.InBody(intoCandidate),
		},
	}
}

// behindFirst sends one more chunk after the first one, which is changed from a copy of it.
func behindFirst(change func(chunk *wire.Node)) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		more := wire.Parsed(events[0].Data)
		change(more)
		return slices.Insert(slices.Clone(events), 1, wire.Event{Data: more.JSON()})
	}
}

// sendNulls gives a chunk, its candidate and its counts the keys that they do not use. Parts stay
// as they are, since they go back.
func sendNulls(chunk *wire.Node) {
	for of, keys := range map[*wire.Node][]string{
		chunk:                       {"promptFeedback", "error", "createTime"},
		chunk.Path("candidates", 0): {"finishReason", "finishMessage", "citationMetadata", "groundingMetadata", "safetyRatings", "tokenCount"},
		chunk.Get("usageMetadata"):  {"thoughtsTokenCount", "cachedContentTokenCount", "toolUsePromptTokenCount", "candidatesTokenCount"},
	} {
		for _, key := range keys {
			if !of.Has(key) {
				of.Set(key, nil)
			}
		}
	}
}

// textOnFinish puts the last text into the chunk that says why the model stopped.
func textOnFinish(events []wire.Event) []wire.Event {
	at := slices.IndexFunc(events, func(e wire.Event) bool { return e.Finish })
	if at < 1 {
		return events
	}
	said, end := wire.Parsed(events[at-1].Data).Path("candidates", 0, "content", "parts"), wire.Parsed(events[at].Data)
	into := end.Path("candidates", 0, "content", "parts")
	if !texts(said) || !texts(into) || into.Items[0].Get("text").Text() != "" {
		return events
	}
	into.Items[0].Set("text", said.Items[0].Get("text").Text())
	return slices.Concat(events[:at-1], []wire.Event{{Data: end.JSON(), Finish: true}}, events[at+1:])
}

func onFailure(change func(failure *wire.Node)) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		changed := slices.Clone(events)
		for i, e := range events {
			if failure := wire.Parsed(e.Data); e.Failure && failure != nil {
				change(failure)
				changed[i].Data = failure.JSON()
			}
		}
		return changed
	}
}

// intoCandidate puts an error into a candidate that says a little.
func intoCandidate(failure *wire.Node) {
	candidate := wire.NewNode(wire.Fields{{Key: "content", Value: wire.Raw(`{"role":"model","parts":[{"text":"It is 4 C"}]}`)}, {Key: "finishReason", Value: "OTHER"}, {Key: "index", Value: 0}})
	candidate.Set("error", failure.Get("error").Clone())
	failure.Set("candidates", []any{})
	failure.Get("candidates").SetItems(candidate)
	failure.Remove("error")
}

// framingQuirks are about the bytes of a stream and about what is between and after its chunks.
func framingQuirks() []wire.Quirk {
	return wire.FramingQuirks(
		wire.CommentsBetween(),
		wire.Quirk{
			Name:   "unknown-events",
			Does:   "sends events of a name and a form that nobody knows",
			Events: wire.BehindFirst(wire.ToolProgress()),
		},
		wire.Quirk{
			Name:   "done-after-stop",
			Does:   "sends the end mark of Chat Completions, [DONE], after the last chunk",
			Events: wire.AtTheEnd(wire.Event{Data: []byte("[DONE]")}),
		},
	)
}
