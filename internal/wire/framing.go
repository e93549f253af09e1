package wire

import (
	"bytes"
	"slices"
	"strings"
	"time"
)

// Framing is how the events of a stream become bytes, in the syntax of
// https://html.spec.whatwg.org/multipage/server-sent-events.html. The zero value is what most providers do.
type Framing struct {
	LineEnd    string        // "" is a line feed
	BOM        bool          // the stream begins with a byte order mark
	NoSpace    bool          // no space is after the colon of a field
	Fields     []string      // lines before the data of every event: "event: message"
	DataLines  bool          // the data of an event comes in several lines, cut where JSON allows white space
	Unfinished bool          // the last event lacks its blank line
	Torn       bool          // the last event ends in the middle
	Pause      time.Duration // between writes
	LeftOpen   bool          // the connection stays open after the last byte
	Array      bool          // the payloads are the items of one JSON array, and no events
}

const byteOrderMark = "\ufeff"

// frame writes an event.
func (f Framing) frame(e Event) []byte {
	var b bytes.Buffer
	line := func(field, value string) {
		b.WriteString(field + ":")
		if !f.NoSpace {
			b.WriteByte(' ')
		}
		b.WriteString(value + f.eol())
	}
	switch {
	case e.Data == nil && len(e.Lines) == 0:
		b.WriteString(":" + e.Comment + f.eol())
	default:
		for _, text := range slices.Concat(f.Fields, e.Lines) {
			field, value, _ := strings.Cut(text, ": ")
			line(field, value)
		}
		for _, data := range f.lines(e.Data) {
			line("data", string(data))
		}
	}
	b.WriteString(f.eol())
	return b.Bytes()
}

func (f Framing) eol() string {
	if f.LineEnd == "" {
		return "\n"
	}
	return f.LineEnd
}

// lines returns the data of an event as the values of its data fields.
func (f Framing) lines(data []byte) [][]byte {
	switch {
	case data == nil:
		return nil
	case !f.DataLines:
		return [][]byte{data}
	}
	tree := Parsed(data)
	if tree == nil {
		return [][]byte{data}
	}
	return bytes.Split(tree.lines(), []byte("\n"))
}

// frames returns the bytes of each event.
func (f Framing) frames(events []Event) [][]byte {
	if f.Array {
		return f.items(events)
	}
	written := make([][]byte, len(events))
	for i, e := range events {
		written[i] = f.frame(e)
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

// items returns the payloads of events as the items of an array: the first write opens it, and the last one closes it.
func (f Framing) items(events []Event) [][]byte {
	var written [][]byte
	before := "["
	for _, e := range events {
		if e.Data != nil {
			written = append(written, append([]byte(before), e.Data...))
			before = "\n,\n"
		}
	}
	last := len(written) - 1
	switch {
	case last < 0:
		return [][]byte{[]byte("[]\n")}
	case f.Torn:
		written[last] = written[last][:len(written[last])/2]
	case !f.Unfinished:
		written[last] = append(written[last], "\n]\n"...)
	}
	return written
}
