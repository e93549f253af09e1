package wire

import (
	"bytes"
	"strings"
	"time"
)

// Framing is in which details a provider writes a stream otherwise than most do. All are possible in
// server-sent events, whose syntax is
// https://html.spec.whatwg.org/multipage/server-sent-events.html; other framers leave out what they
// have no place for. The zero value is what most providers do.
type Framing struct {
	LineEnd    string        // "" is a line feed
	NoCharset  bool          // the content type of the response names no charset
	BOM        bool          // the stream begins with a byte order mark
	NoSpace    bool          // no space is after the colon of a field
	DataLines  bool          // the data of an event comes in several lines, cut where JSON allows white space
	Unfinished bool          // the last event lacks its blank line
	Torn       bool          // the last event ends in the middle
	Pause      time.Duration // between writes
	LeftOpen   bool          // the connection stays open after the last byte
	Damaged    Damage        // where frames have checksums
}

// Damage is what happened to a frame on its way, which its checksums tell.
type Damage struct {
	Of DamagedPart
	At int // the number of the event, from 0
}

// DamagedPart is which part of a frame is not what its checksum was made of; "" is none.
type DamagedPart string

// The parts that have a checksum each.
const (
	DamagedPrelude DamagedPart = "prelude" // the lengths
	DamagedMessage DamagedPart = "message" // what the event says
)

// DamagedParts returns the parts of a frame that can be damaged.
func DamagedParts() []DamagedPart { return []DamagedPart{DamagedPrelude, DamagedMessage} }

const byteOrderMark = "\ufeff"

// frame appends an event to bytes.
func (f Framing) frame(to []byte, e Event) []byte {
	if e.Data == nil && len(e.Lines) == 0 {
		to = append(append(to, ':'), e.Comment...)
		return append(append(to, f.eol()...), f.eol()...)
	}
	for _, text := range e.Lines {
		field, value, _ := strings.Cut(text, ": ")
		to = appendLine(f, to, field, value)
	}
	if e.Data != nil && !f.DataLines {
		to = appendLine(f, to, "data", e.Data)
	} else {
		for _, data := range f.lines(e.Data) {
			to = appendLine(f, to, "data", data)
		}
	}
	return append(to, f.eol()...)
}

func appendLine[Text string | []byte](f Framing, to []byte, field string, value Text) []byte {
	to = append(append(to, field...), ':')
	if !f.NoSpace {
		to = append(to, ' ')
	}
	return append(append(to, value...), f.eol()...)
}

// room is about how many bytes events take.
func (f Framing) room(events []Event) int {
	perEvent := len("data: ") + 2*len(f.eol())
	room := perEvent * len(events)
	for _, e := range events {
		room += len(e.Data) + len(e.Comment)
		for _, line := range e.Lines {
			room += len(line) + len(f.eol())
		}
	}
	return room
}

func (f Framing) eol() string {
	if f.LineEnd == "" {
		return "\n"
	}
	return f.LineEnd
}

// lines returns the data of an event as the values of its data fields, cut where JSON allows white
// space.
func (f Framing) lines(data []byte) [][]byte {
	if data == nil {
		return nil
	}
	tree := Parsed(data)
	if tree == nil {
		return [][]byte{data}
	}
	return bytes.Split(tree.lines(), []byte("\n"))
}

// frames returns the bytes of each event. They are parts of one piece of memory, since a stream may
// be open for long.
func (f Framing) frames(events []Event) [][]byte {
	written, all := make([][]byte, len(events)), make([]byte, 0, f.room(events))
	for i, e := range events {
		begin := len(all)
		all = f.frame(all, e)
		written[i] = all[begin:len(all):len(all)]
	}
	if last := len(written) - 1; f.Unfinished && last >= 0 {
		written[last] = written[last][:len(written[last])-len(f.eol())]
	}
	if last := len(written) - 1; f.Torn && last >= 0 {
		written[last] = written[last][:len(written[last])/2]
	}
	if f.BOM {
		written = append([][]byte{[]byte(byteOrderMark)}, written...)
	}
	return written
}
