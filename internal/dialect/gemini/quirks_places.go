package gemini

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// placeQuirks are about what is together in a chunk.
func placeQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "text-beside-call",
			Does:   "sends the last of a text and a call in one chunk",
			Events: beside(texts, calls),
		},
		{
			Name:   "reasoning-beside-text",
			Does:   "sends a thought and the first of a text in one chunk",
			Events: beside(thoughts, texts),
		},
		{
			Name:   "reasoning-beside-call",
			Does:   "sends a thought and a call in one chunk",
			Events: beside(thoughts, calls),
		},
		{
			Name:   "reasoning-behind-call",
			Does:   "sends a thought after a call",
			Events: thoughtBehind,
		},
		{
			Name: "empty-text-beside-call",
			Does: "sends an empty text before each call, in the same chunk",
			Events: wire.EachPayload(func(chunk *wire.Node) {
				if parts := chunk.Path("candidates", 0, "content", "parts"); calls(parts) {
					parts.SetItems(slices.Concat([]*wire.Node{wire.NewNode(wire.Fields{{Key: "text", Value: ""}})}, parts.Items)...)
				}
			}),
		},
	}
}

// The kinds of the parts of a chunk.
func calls(parts *wire.Node) bool {
	return slices.ContainsFunc(parts.All(), func(p *wire.Node) bool { return p.Has("functionCall") })
}

func thoughts(parts *wire.Node) bool {
	return slices.ContainsFunc(parts.All(), func(p *wire.Node) bool { return p.Has("thought") })
}

func texts(parts *wire.Node) bool {
	return len(parts.All()) > 0 && !calls(parts) && !thoughts(parts)
}

// stoppedTwice is what a gateway does that translates a finish_reason of null, too:
// https://github.com/router-for-me/CLIProxyAPI/issues/5651
var stoppedTwice = wire.Quirk{
	Name:   "finish-twice",
	Does:   "says in the first chunk of a stream, which has no parts, that the model stopped, and again in the last one",
	Events: stoppedFirst,
}

// stoppedFirst begins a stream with a chunk that says that the model stopped.
func stoppedFirst(events []wire.Event) []wire.Event {
	first := wire.Parsed(events[0].Data)
	first.Path("candidates", 0, "content").Set("parts", []any{})
	first.Path("candidates", 0).Set("finishReason", "STOP")
	return slices.Insert(slices.Clone(events), 0, wire.Event{Data: first.JSON()})
}

// beside joins a chunk with parts of a kind and the chunk after it, which has parts of another
// kind.
func beside(first, second func(parts *wire.Node) bool) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		for i := 1; i < len(events); i++ {
			before, chunk := wire.Parsed(events[i-1].Data), wire.Parsed(events[i].Data)
			said, next := before.Path("candidates", 0, "content", "parts"), chunk.Path("candidates", 0, "content", "parts")
			if !first(said) || !second(next) {
				continue
			}
			next.SetItems(slices.Concat(said.Items, next.Items)...)
			together := events[i]
			together.Data = chunk.JSON()
			return slices.Concat(events[:i-1], []wire.Event{together}, events[i+1:])
		}
		return events
	}
}

// thoughtBehind puts a thought behind the call that comes after it, in the same chunk.
func thoughtBehind(events []wire.Event) []wire.Event {
	changed := beside(thoughts, calls)(events)
	if len(changed) == len(events) {
		return events
	}
	return wire.EachPayload(func(chunk *wire.Node) {
		if parts := chunk.Path("candidates", 0, "content", "parts"); thoughts(parts) && calls(parts) {
			parts.SetItems(append(slices.Clone(parts.Items[1:]), parts.Items[0])...)
		}
	})(changed)
}
