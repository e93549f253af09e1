package gemini

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// placeQuirks are about what is together in a chunk, and about the ids of calls.
func placeQuirks() []wire.Quirk {
	return []wire.Quirk{
		{
			Name:   "finish-twice",
			Does:   "says in the first chunk of a stream, which has no parts, that the model stopped, and again in the last one",
			Events: stoppedFirst,
		},
		{
			Name:   "text-beside-call",
			Does:   "sends the last of a text and a call in one chunk",
			Events: textBesideCall,
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
		{
			Name:   "call-id-long",
			Does:   "sends calls with ids of more than 64 characters",
			Answer: ids(func(id string) string { return id + strings.Repeat("EsUBCpIBAXLI2n", 5) }),
		},
		{
			Name:   "call-id-punctuated",
			Does:   "sends calls with dots, colons and vertical bars in their ids",
			Answer: ids(func(id string) string { return "get.weather:" + id + "|0" }),
		},
	}
}

// ids changes the ids of calls that have one.
func ids(change func(id string) string) func(*wire.Answer) {
	return func(a *wire.Answer) {
		for i, c := range a.Calls {
			if c.ID != "" {
				a.Calls[i].ID = change(c.ID)
			}
		}
	}
}

func calls(parts *wire.Node) bool {
	return slices.ContainsFunc(parts.All(), func(p *wire.Node) bool { return p.Has("functionCall") })
}

// stoppedFirst begins a stream with a chunk that says that the model stopped.
func stoppedFirst(events []wire.Event) []wire.Event {
	first := wire.Parsed(events[0].Data)
	first.Path("candidates", 0, "content").Set("parts", []any{})
	first.Path("candidates", 0).Set("finishReason", "STOP")
	return slices.Insert(slices.Clone(events), 0, wire.Event{Data: first.JSON()})
}

// textBesideCall joins a chunk with a text and the chunk after it, which has calls.
func textBesideCall(events []wire.Event) []wire.Event {
	for i := 1; i < len(events); i++ {
		before, chunk := wire.Parsed(events[i-1].Data), wire.Parsed(events[i].Data)
		said, called := before.Path("candidates", 0, "content", "parts"), chunk.Path("candidates", 0, "content", "parts")
		if !calls(called) || calls(said) || len(said.All()) == 0 {
			continue
		}
		called.SetItems(slices.Concat(said.Items, called.Items)...)
		together := events[i]
		together.Data = chunk.JSON()
		return slices.Concat(events[:i-1], []wire.Event{together}, events[i+1:])
	}
	return events
}
