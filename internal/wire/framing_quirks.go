package wire

import (
	"slices"
	"time"
)

// FramingQuirks returns the quirks about the bytes of a stream. The standard of server-sent events
// lets every provider write so, whatever the events say; each dialect has them among its own.
func FramingQuirks() []Quirk {
	return []Quirk{
		{Name: "line-ends-cr", Does: "ends lines with a carriage return alone", Framing: func(f *Framing) { f.LineEnd = "\r" }},
		{Name: "line-ends-crlf", Does: "ends lines with a carriage return and a line feed", Framing: func(f *Framing) { f.LineEnd = "\r\n" }},
		{Name: "byte-order-mark", Does: "begins a stream with a byte order mark", Framing: func(f *Framing) { f.BOM = true }},
		{Name: "charset-missing", Does: "names no charset in the content type of a stream", Framing: func(f *Framing) { f.NoCharset = true }},
		{Name: "no-space-after-colon", Does: "sends data without a space after the colon", Framing: func(f *Framing) { f.NoSpace = true }},
		{Name: "data-lines", Does: "sends the data of an event in several lines", Framing: func(f *Framing) { f.DataLines = true }},
		{Name: "data-empty", Does: "sends events with empty data between the others", Events: Between(Event{Data: []byte{}})},
		{Name: "slow", Does: "sends a stream slowly", Framing: func(f *Framing) { f.Pause = 5 * time.Millisecond }},
		{Name: "left-open", Does: "leaves the connection open after the end mark", Framing: func(f *Framing) { f.LeftOpen = true }},
	}
}

// Between puts an event before each other one.
func Between(idle Event) func([]Event) []Event {
	return func(events []Event) []Event {
		var changed []Event
		for _, e := range events {
			changed = append(changed, idle, e)
		}
		return changed
	}
}

// AtTheEnd puts events after all others.
func AtTheEnd(more ...Event) func([]Event) []Event {
	return func(events []Event) []Event { return slices.Concat(events, more) }
}
