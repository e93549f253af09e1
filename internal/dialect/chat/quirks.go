package chat

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Quirks returns the known ways in which the answers of providers depart from the regular shape of
// their profile.
func Quirks() []wire.Quirk {
	return wire.WithNeeds(slices.Concat(indexQuirks(), idQuirks(), nameQuirks(), argumentQuirks(), togetherQuirks(), reasoningQuirks(), chunkQuirks(), finishQuirks(), usageQuirks(), errorQuirks(), wire.IdleQuirks(), framingQuirks()), needs)
}

// needs are what a dialect has to be able to say before answers can have these quirks.
var needs = map[wire.Abilities][]string{
	wire.CallIndexes: {"call-index-from-one", "call-index-sparse", "call-index-negative", "call-index-huge", "call-index-shared"},
	wire.CallPieces:  {"arguments-by-letter", "arguments-empty-pieces"},
	wire.CallPieces | wire.CallDeltas: {
		"call-id-empty-later", "call-id-null-later", "call-id-repeated", "call-id-changing", "call-name-repeated", "call-name-empty-later", "call-name-in-pieces",
		"call-name-late", "arguments-null-first", "arguments-missing-first", "arguments-braces-first", "arguments-parse-early", "call-ends-in-nothing",
		"call-in-one-delta", "calls-in-one-delta", "call-index-missing", "fragment-index-missing",
	},
	wire.CallTypes:       {"call-type-missing", "call-type-null"},
	wire.CallLists:       {"call-list-empty", "call-list-null"},
	wire.TextArguments:   {"arguments-object"},
	wire.TextBesideCalls: {"text-beside-call", "empty-text-beside-call"},
	wire.ReasoningBeside: {"reasoning-beside-call", "reasoning-beside-text", "reasoning-behind-call", "text-inside-call"},
	wire.ReasoningNames:  {"reasoning-twice"},
	wire.SignedCalls:     {"call-signature-behind"},
	wire.AnswerChoices:   {"choices-empty-first", "choices-missing", "choices-null", "candidates-none", "error-beside-choices", "error-in-choice"},
	wire.FinishWords:     {"finish-null", "finish-empty", "finish-missing", "finish-key-missing", "finish-empty-before-the-end"},
	wire.CallsFinish:     {"finish-calls-without-call"},
	wire.UsageInPieces:   {"usage-three-times", "usage-in-every-chunk"},
	wire.EndMark:         {"done-unfinished", "left-open", "more-after-done"},
}

// rechunk replaces every chunk by other events. Comments and the end mark stay.
func rechunk(instead func(e wire.Event, chunk *wire.Node) []wire.Event) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		var changed []wire.Event
		for _, e := range events {
			chunk := wire.Parsed(e.Data)
			if chunk == nil {
				changed = append(changed, e)
				continue
			}
			changed = append(changed, instead(e, chunk)...)
		}
		return changed
	}
}

// eachChoice changes the choice of every chunk that has one.
func eachChoice(change func(choice *wire.Node)) func([]wire.Event) []wire.Event {
	return wire.EachPayload(func(chunk *wire.Node) {
		if choice := chunk.Path("choices", 0); choice != nil {
			change(choice)
		}
	})
}

// inMessage changes the message of an answer that is not streamed.
func inMessage(change func(message *wire.Node)) func([]byte) []byte {
	return wire.InBody(func(body *wire.Node) {
		if message := body.Path("choices", 0, "message"); message != nil {
			change(message)
		}
	})
}

// likeChunk is an event that looks like a chunk, with another delta and neither a finish reason nor
// token counts.
func likeChunk(chunk *wire.Node, delta any) wire.Event {
	like := chunk.Clone()
	choice := like.Path("choices", 0)
	choice.Set("delta", delta)
	if choice.Has("finish_reason") {
		choice.Set("finish_reason", nil)
	}
	if like.Path("usage").Is(wire.Object) {
		like.Remove("usage")
	}
	return wire.Event{Data: like.JSON()}
}
