package wire

import (
	"bytes"
	"unicode/utf8"
)

// Delivery is a way in which the bytes of an answer reach a loop. What a loop does must not depend
// on it.
type Delivery string

// The deliveries. All but JSON are server-sent events.
const (
	DeliverJSON     Delivery = "json"         // one body, not streamed
	DeliverSSE      Delivery = "sse"          // one event a write
	DeliverMerged   Delivery = "sse-merged"   // all events in one write
	DeliverBytes    Delivery = "sse-bytes"    // one byte a write; 61 bytes in the middle of a long stream
	DeliverSplit    Delivery = "sse-split"    // lines end in \r\n; writes end inside runes, inside "data" and between \r and \n
	DeliverComments Delivery = "sse-comments" // comments and keep-alives between the events
)

// Deliveries returns all deliveries.
func Deliveries() []Delivery {
	return []Delivery{DeliverJSON, DeliverSSE, DeliverMerged, DeliverBytes, DeliverSplit, DeliverComments}
}

// StreamDeliveries returns the names of the deliveries of a stream.
func StreamDeliveries() (names []string) {
	for _, d := range Deliveries() {
		if d.Streams() {
			names = append(names, string(d))
		}
	}
	return names
}

// Streams reports whether the answer comes as server-sent events.
func (d Delivery) Streams() bool { return d != DeliverJSON }

// Event is one server-sent event, or a comment between events.
type Event struct {
	Data    []byte   // the payload of its data line
	Lines   []string // fields besides the data: "event: error"
	Comment string   // instead of all that: the text after the colon
	Finish  bool     // the event says why the model stopped
	Failure bool     // the event is an error after the status 200
}

// Writes returns the events as the bytes of each single write to the connection, framed as most
// providers do.
func (d Delivery) Writes(events []Event) [][]byte { return d.FramedWrites(events, Framing{}) }

// FramedWrites is [Delivery.Writes] with another framing of the events.
func (d Delivery) FramedWrites(events []Event, f Framing) [][]byte {
	switch d {
	case DeliverMerged:
		return [][]byte{bytes.Join(f.frames(events), nil)}
	case DeliverBytes:
		return everyByte(bytes.Join(f.frames(events), nil))
	case DeliverSplit:
		f.LineEnd = "\r\n"
		return splitAwkwardly(bytes.Join(f.frames(events), nil))
	case DeliverComments:
		return f.frames(withComments(events))
	default:
		return f.frames(events)
	}
}

// How a stream is cut into single bytes: a write for each of them takes time, on a busy machine a
// second for four thousand, and by then every place in an event has been one where a write ends. So
// in the middle of a long stream more bytes share a write.
const (
	singleFirst = 4 << 10
	singleLast  = 4 << 10
	together    = 61 // a prime number, so that writes end at other places in each event
)

// everyByte returns the bytes one by one, but for the middle of a long stream.
func everyByte(all []byte) [][]byte {
	writes := make([][]byte, 0, min(len(all), singleFirst+singleLast+1+len(all)/together))
	for at := 0; at < len(all); {
		size := 1
		if at >= singleFirst {
			size = max(1, min(together, len(all)-singleLast-at))
		}
		writes = append(writes, all[at:at+size])
		at += size
	}
	return writes
}

// splitAwkwardly ends a write inside every rune of more than one byte, inside the name of every
// data field and between every \r and \n.
func splitAwkwardly(all []byte) [][]byte {
	var writes [][]byte
	start := 0
	cut := func(at int) {
		writes = append(writes, all[start:at])
		start = at
	}
	for i := 0; i < len(all); {
		_, size := utf8.DecodeRune(all[i:])
		switch {
		case size > 1:
			cut(i + 1)
		case all[i] == '\r', all[i] == 't' && hasSuffix(all[:i], "\nda"):
			cut(i + 1)
		}
		i += size
	}
	return append(writes, all[start:])
}

func withComments(events []Event) []Event {
	mixed := []Event{{Comment: " connected"}}
	for _, e := range events {
		mixed = append(mixed, e, Event{Comment: " keep-alive"})
	}
	return append(mixed, Event{Comment: ""})
}
