package wire

import (
	"bytes"
	"slices"
	"strings"
	"time"
)

// The standards that allow every provider to write a stream so.
const (
	eventStreams = "https://html.spec.whatwg.org/multipage/server-sent-events.html"
	jsonTexts    = "https://www.rfc-editor.org/rfc/rfc8259#section-2"
)

// FramingQuirks returns the quirks about the bytes of a stream that the standards of server-sent
// events and of JSON allow every provider, whatever the events say, and those of a dialect itself.
// One that has its name takes the place of the common one.
func FramingQuirks(own ...Quirk) []Quirk {
	common := []Quirk{
		{Name: "line-ends-cr", Does: "ends lines with a carriage return alone", AllowedBy: eventStreams, Framing: func(f *Framing) { f.LineEnd = "\r" }},
		{Name: "line-ends-crlf", Does: "ends lines with a carriage return and a line feed", AllowedBy: eventStreams, Framing: func(f *Framing) { f.LineEnd = "\r\n" }},
		{Name: "byte-order-mark", Does: "begins a stream with a byte order mark", AllowedBy: eventStreams, Framing: func(f *Framing) { f.BOM = true }},
		{Name: "charset-missing", Does: "names no charset in the content type of a stream", AllowedBy: eventStreams, Framing: func(f *Framing) { f.NoCharset = true }},
		{Name: "no-space-after-colon", Does: "sends data without a space after the colon", AllowedBy: eventStreams, Framing: func(f *Framing) { f.NoSpace = true }},
		{Name: "data-lines", Does: "sends the data of an event in several lines", AllowedBy: eventStreams, Framing: func(f *Framing) { f.DataLines = true }},
		{Name: "data-empty", Does: "sends events with empty data between the others", AllowedBy: eventStreams, Events: Between(Event{Data: []byte{}})},
		{Name: "named-events", Does: "sends a name, an id and a retry time with every event", AllowedBy: eventStreams, Events: nameEvents},
		{Name: "events-without-data", Does: "sends events without data between the others", AllowedBy: eventStreams, Events: Between(Event{Lines: []string{"event: keepalive"}})},
		{Name: "slow", Does: "sends a stream slowly", AllowedBy: eventStreams, Framing: func(f *Framing) { f.Pause = 5 * time.Millisecond }},
		{Name: "spaces-in-payloads", Does: "sends payloads with spaces before the last bracket", AllowedBy: jsonTexts, Events: spacesInPayloads},
	}
	return withOwn(common, own)
}

// LeftOpen is the quirk of a stream whose connection is not closed after the end mark, for the
// dialects that have such a mark.
func LeftOpen() Quirk {
	return Quirk{Name: "left-open", Does: "leaves the connection open after the end mark", Framing: func(f *Framing) { f.LeftOpen = true }}
}

// CommentsBetween is the quirk of comments between the events of a stream, for the dialects in
// which they are not a delivery of their own.
func CommentsBetween() Quirk {
	return Quirk{
		Name: "comments", Does: "sends comments between the events", AllowedBy: eventStreams, Needs: OddComments,
		Events: Between(Event{Comment: " keep-alive"}),
	}
}

// nameEvents gives every event an id and a retry time, and a name where it has none. message is
// what an event without a name is.
func nameEvents(events []Event) []Event {
	changed := slices.Clone(events)
	for i, e := range changed {
		lines := []string{"id: 7", "retry: 3000"}
		if !slices.ContainsFunc(e.Lines, func(line string) bool { return strings.HasPrefix(line, "event: ") }) {
			lines = slices.Insert(lines, 0, "event: message")
		}
		if e.Data != nil || e.Lines != nil { // else it is a comment
			changed[i].Lines = append(lines, e.Lines...)
		}
	}
	return changed
}

func spacesInPayloads(events []Event) []Event {
	changed := slices.Clone(events)
	for i, e := range changed {
		if body, ok := bytes.CutSuffix(e.Data, []byte("}")); ok {
			changed[i].Data = slices.Concat(body, []byte("     }"))
		}
	}
	return changed
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
