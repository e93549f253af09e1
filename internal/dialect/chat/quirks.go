package chat

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Quirks returns the known ways in which the answers of providers depart from the regular shape of
// their profile.
func Quirks() []wire.Quirk {
	return slices.Concat(indexQuirks(), idQuirks(), nameQuirks(), argumentQuirks(), togetherQuirks(), reasoningQuirks(), chunkQuirks(), finishQuirks(), usageQuirks(), errorQuirks(), framingQuirks())
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
