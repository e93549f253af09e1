package wire

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Delivery is a way in which the bytes of an answer reach a loop. What a loop does must not depend
// on it. The name of one of a stream begins with the word of its [Framer], and ends with how bytes
// are cut: lines-merged.
type Delivery string

// The deliveries of dialects whose streams are server-sent events. By these names scenarios, rules
// and claims speak of all that are cut alike, whatever the framer: see [Delivery.Like].
const (
	DeliverJSON     Delivery = "json"         // one body, not streamed
	DeliverSSE      Delivery = "sse"          // one event a write
	DeliverMerged   Delivery = "sse-merged"   // all events in one write
	DeliverBytes    Delivery = "sse-bytes"    // one byte a write; 61 bytes in the middle of a long stream
	DeliverSplit    Delivery = "sse-split"    // lines end in \r\n; writes end inside runes, inside "data" and between \r and \n
	DeliverComments Delivery = "sse-comments" // comments and keep-alives between the events

	// DeliverSocket is a stream over a WebSocket, each event of which is a message: see [Socket].
	DeliverSocket Delivery = "socket"
)

// Deliveries returns the deliveries of dialects whose streams are server-sent events.
func Deliveries() []Delivery { return SSE.withJSON() }

func (f *Framer) withJSON() []Delivery { return append([]Delivery{DeliverJSON}, f.Deliveries()...) }

// AllDeliveries returns the deliveries of all dialects.
func AllDeliveries() []Delivery {
	all := []Delivery{DeliverJSON}
	for _, f := range Framers() {
		all = append(all, f.Deliveries()...)
	}
	return append(all, DeliverSocket)
}

// parts returns the framer of a stream, and how its bytes are cut.
func (d Delivery) parts() (*Framer, Cut) {
	word, cut, _ := strings.Cut(string(d), "-")
	for _, f := range Framers() {
		if f.Word == word {
			return f, Cut(cut)
		}
	}
	return SSE, Whole
}

// Framer returns how a stream is framed.
func (d Delivery) Framer() *Framer {
	by, _ := d.parts()
	return by
}

// In returns the delivery of a framer in which bytes are cut alike; of a cut that it does not have,
// the one with one event a write.
func (d Delivery) In(f *Framer) Delivery {
	_, cut := d.parts()
	switch {
	case !d.Streams():
		return d
	case cut == Whole || !slices.Contains(f.Cuts, cut):
		return Delivery(f.Word)
	default:
		return Delivery(f.Word + "-" + string(cut))
	}
}

// Like returns the delivery of server-sent events in which bytes are cut alike, by which rules and
// scenarios speak of it: sse-merged for lines-merged.
func (d Delivery) Like() Delivery { return d.In(SSE) }

// Ordinary reports whether an answer comes as most do: as one body, as one event a write, or as one a
// message of a socket.
func (d Delivery) Ordinary() bool { return d == DeliverJSON || d.Like() == DeliverSSE }

// StreamDeliveries returns the names of the [Deliveries] of a stream.
func StreamDeliveries() (names []string) {
	for _, d := range Deliveries() {
		if d.Streams() {
			names = append(names, string(d))
		}
	}
	return names
}

// Streams reports whether the answer comes as a stream.
func (d Delivery) Streams() bool { return d != DeliverJSON }

// Event is one event of a stream, or a comment between events.
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
	by, cut := d.parts()
	switch cut {
	case Merged:
		return [][]byte{bytes.Join(by.frames(events, f), nil)}
	case Bytes:
		return everyByte(bytes.Join(by.frames(events, f), nil))
	case Split:
		return by.splits(events, f)
	case Comments:
		return by.frames(withComments(events), f)
	default:
		return by.frames(events, f)
	}
}

// splits returns writes that end in places where a careless reader fails.
func (f *Framer) splits(events []Event, how Framing) [][]byte {
	if f.split != nil {
		return f.split(f.frames(events, how))
	}
	how.LineEnd = "\r\n"
	return splitAwkwardly(bytes.Join(f.frames(events, how), nil))
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

// splitInside ends a write inside the head of every frame, inside every rune of more than one byte,
// and before the last byte of every frame, so that the next write begins with that one.
func splitInside(frames [][]byte) [][]byte {
	var writes [][]byte
	var begun []byte
	for _, frame := range frames {
		last := len(frame) - 1
		for i, b := range frame {
			if i == 2 && last > 2 || i == last && last > 0 || i > 2 && i < last && !utf8.RuneStart(b) && utf8.RuneStart(frame[i-1]) {
				writes, begun = append(writes, begun), nil
			}
			begun = append(begun, b)
		}
	}
	return append(writes, begun)
}

func withComments(events []Event) []Event {
	mixed := []Event{{Comment: " connected"}}
	for _, e := range events {
		mixed = append(mixed, e, Event{Comment: " keep-alive"})
	}
	return append(mixed, Event{Comment: ""})
}
