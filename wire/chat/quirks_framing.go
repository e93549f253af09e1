package chat

import (
	"time"

	"github.com/loopproof/loopproof/wire"
)

// framingQuirks are about the bytes of a stream, which the standard of server-sent events lets anybody write so.
func framingQuirks() []wire.Quirk {
	return []wire.Quirk{
		{Name: "line-ends-cr", Does: "ends lines with a carriage return alone", Framing: func(f *wire.Framing) { f.LineEnd = "\r" }},
		{Name: "line-ends-crlf", Does: "ends lines with a carriage return and a line feed", Framing: func(f *wire.Framing) { f.LineEnd = "\r\n" }},
		{Name: "byte-order-mark", Does: "begins a stream with a byte order mark", Framing: func(f *wire.Framing) { f.BOM = true }},
		{Name: "no-space-after-colon", Does: "sends data without a space behind the colon", Framing: func(f *wire.Framing) { f.NoSpace = true }},
		{Name: "data-lines", Does: "sends the data of an event in several lines", Framing: func(f *wire.Framing) { f.DataLines = true }},
		{
			Name:    "named-events",
			Does:    "sends a name, an id and a time for retries with every event",
			Framing: func(f *wire.Framing) { f.Fields = []string{"event: message", "id: 7", "retry: 3000"} },
		},
		{Name: "events-without-data", Does: "sends events without data between the others", Events: between(wire.Event{Lines: []string{"event: keepalive"}})},
		{Name: "data-empty", Does: "sends events with empty data between the others", Events: between(wire.Event{Data: []byte{}})},
		{Name: "slow", Does: "sends a stream slowly", Framing: func(f *wire.Framing) { f.Pause = 5 * time.Millisecond }},
		{Name: "done-unfinished", Does: "ends a stream without the blank line behind its end mark", Framing: func(f *wire.Framing) { f.Unfinished = true }},
		{Name: "left-open", Does: "leaves the connection open behind the end mark", Framing: func(f *wire.Framing) { f.LeftOpen = true }},
		{Name: "more-after-done", Does: "sends more behind the end mark", Events: moreAfterDone},
	}
}

// between puts an event in front of each other one.
func between(idle wire.Event) func([]wire.Event) []wire.Event {
	return func(events []wire.Event) []wire.Event {
		var changed []wire.Event
		for _, e := range events {
			changed = append(changed, idle, e)
		}
		return changed
	}
}

// moreAfterDone sends the first text again, and an error.
func moreAfterDone(events []wire.Event) []wire.Event {
	text := wire.Fields{{Key: "choices", Value: []wire.Fields{{{Key: "index", Value: 0}, {Key: "delta", Value: wire.Fields{{Key: "content", Value: " Or not."}}}}}}}
	failure := wire.Fields{{Key: "error", Value: wire.Fields{{Key: "message", Value: "the connection was idle"}}}}
	return append(events, wire.Event{Data: text.JSON()}, wire.Event{Data: failure.JSON()})
}
