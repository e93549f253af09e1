package wire

import (
	"bytes"
	"slices"
	"strings"
)

// Framer is a way in which the events of a stream become bytes and are found in them again. Each
// dialect has one, and all that writes or reads a stream asks it:
//
//	events := append(shape.Stream(answer, reply), shape.End()...)
//	writes := wire.DeliverMerged.In(dialect.Frames()).Writes(events)
//	again := dialect.Frames().Payloads(bytes.Join(writes, nil))
type Framer struct {
	Word  string // with which the names of its deliveries begin: sse
	Title string // as people call it: server-sent events
	Type  string // the content type of a response

	// Charset is what the content type of a response has besides, "" for nothing.
	Charset string

	// Cuts are the ways in which its bytes can be cut, or what can be between its events, besides
	// one event a write: the ends of the names of its deliveries.
	Cuts []Cut

	// Binary says that the bytes of a stream are no text.
	Binary bool

	frames func([]Event, Framing) [][]byte
	split  func(frames [][]byte) [][]byte
	read   func(stream []byte) []Event
	length func(stream []byte, from int) int
}

// Cut is how the bytes of a stream are cut into writes: the end of the name of a [Delivery].
type Cut string

// The cuts.
const (
	Whole    Cut = ""         // one event a write
	Merged   Cut = "merged"   // all events in one write
	Bytes    Cut = "bytes"    // one byte a write; 61 bytes in the middle of a long stream
	Split    Cut = "split"    // writes end in places where a careless reader fails
	Comments Cut = "comments" // comments and keep-alives between the events
)

// The framers. Over a WebSocket, too, an answer is framed in one of them: each of its events becomes
// a message where the connection is written to.
var (
	SSE = &Framer{
		Word: "sse", Title: "server-sent events", Type: "text/event-stream", Charset: "utf-8", Cuts: []Cut{Merged, Bytes, Split, Comments},
		frames: func(events []Event, f Framing) [][]byte { return f.frames(events) },
		read:   readSSE, length: EventLength,
	}
	JSONArray = &Framer{
		Word: "array", Title: "items of one JSON array", Type: "application/json", Cuts: []Cut{Merged, Bytes, Split},
		frames: items, read: readItems, split: splitInside,
	}
	NDJSON = &Framer{
		Word: "lines", Title: "lines of JSON", Type: "application/x-ndjson", Cuts: []Cut{Merged, Bytes, Split},
		frames: jsonLines, read: readLines, split: splitInside, length: lineLength,
	}
	AWSEventStream = &Framer{
		Word: "frames", Title: "binary messages of AWS", Type: "application/vnd.amazon.eventstream", Cuts: []Cut{Merged, Bytes, Split}, Binary: true,
		frames: awsMessages, read: readAWS, split: splitInside, length: awsLength,
	}
	AWSChunks = &Framer{
		Word: "chunks", Title: "binary messages of AWS with the bytes of events", Type: AWSEventStream.Type, Cuts: []Cut{Merged, Bytes, Split}, Binary: true,
		frames: awsChunks, read: readChunks, split: splitInside, length: awsLength,
	}
)

// Framers returns all framers.
func Framers() []*Framer { return []*Framer{SSE, JSONArray, NDJSON, AWSEventStream, AWSChunks} }

// Deliveries returns the deliveries of a stream, first the one with one event a write.
func (f *Framer) Deliveries() []Delivery {
	all := []Delivery{Delivery(f.Word)}
	for _, c := range f.Cuts {
		all = append(all, Delivery(f.Word+"-"+string(c)))
	}
	return all
}

// ContentType returns the content type of a response.
func (f *Framer) ContentType(how Framing) string {
	if f.Charset == "" || how.NoCharset {
		return f.Type
	}
	return f.Type + "; charset=" + f.Charset
}

// Events returns the events in the bytes of a stream, without one that has not ended.
func (f *Framer) Events(stream []byte) []Event { return f.read(stream) }

// Payloads returns the data of each of the [Framer.Events].
func (f *Framer) Payloads(stream []byte) [][]byte {
	var all [][]byte
	for _, e := range f.read(stream) {
		all = append(all, e.Data)
	}
	return all
}

// PayloadOf returns the data in a line of a stream that is a text, and whether it has any.
func (f *Framer) PayloadOf(line []byte) (payload []byte, has bool) {
	if f == SSE {
		return bytes.CutPrefix(line, []byte("data:"))
	}
	return line, true
}

// Length returns the length in bytes of the first event of a stream, and 0 if it has not ended yet.
// It is known not to end before the offset from.
func (f *Framer) Length(stream []byte, from int) int { return f.length(stream, from) }

// Name returns the name of the event, where it has one.
func (e Event) Name() string { return e.field("event: ") }

func (e Event) field(name string) string {
	for _, line := range e.Lines {
		if value, is := strings.CutPrefix(line, name); is {
			return value
		}
	}
	return ""
}

// withData returns the payloads of events. Comments and events without data are only possible as
// server-sent events.
func withData(events []Event) []Event {
	return slices.DeleteFunc(slices.Clone(events), func(e Event) bool { return e.Data == nil })
}

// tear ends the last frame in its middle.
func tear(frames [][]byte) [][]byte {
	if last := len(frames) - 1; last >= 0 {
		frames[last] = frames[last][:len(frames[last])/2]
	}
	return frames
}
