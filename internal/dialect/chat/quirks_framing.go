package chat

import "github.com/loopproof/loopproof/internal/wire"

// framingQuirks are about the bytes of a stream and about the events between and after its chunks.
func framingQuirks() []wire.Quirk {
	return wire.FramingQuirks(
		wire.LeftOpen(),
		wire.Quirk{
			Name:   "unknown-events",
			Does:   "sends events of unknown types",
			Events: wire.BehindFirst(wire.ToolProgress()),
		},
		wire.Quirk{Name: "done-unfinished", Does: "ends a stream without the blank line after its end mark", Framing: func(f *wire.Framing) { f.Unfinished = true }},
		wire.Quirk{Name: "more-after-done", Does: "sends more events after the end mark", Events: moreAfterDone},
	)
}

// moreAfterDone sends the first text again, and an error.
func moreAfterDone(events []wire.Event) []wire.Event {
	text := wire.Fields{{Key: "choices", Value: []wire.Fields{{{Key: "index", Value: 0}, {Key: "delta", Value: wire.Fields{{Key: "content", Value: " Or not."}}}}}}}
	failure := wire.Fields{{Key: "error", Value: wire.Fields{{Key: "message", Value: "the connection was idle"}}}}
	return append(events, wire.Event{Data: text.JSON()}, wire.Event{Data: failure.JSON()})
}
