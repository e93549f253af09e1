package refloop

import (
	"bufio"
	"bytes"
	"io"
)

// eventReader reads server-sent events:
// https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
type eventReader struct{ lines *lineReader }

// next returns the name and the data of the next event. At the end of the stream it returns io.EOF;
// an event that the stream cut off before its blank line is dropped, as the specification demands.
func (r *eventReader) next() (name string, payload []byte, err error) {
	var data []byte // nil if the event has none yet
	for {
		line, err := r.lines.next()
		if err != nil {
			return "", nil, err
		}
		if len(line) == 0 {
			if len(data) == 0 { // no event, or one with empty data, which says nothing
				name, data = "", nil
				continue
			}
			return name, data, nil
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) { // comments have no field name; other fields do not matter here
		case "data":
			if data == nil {
				data = append([]byte{}, value...)
			} else {
				data = append(append(data, '\n'), value...)
			}
		case "event":
			name = string(value)
		}
	}
}

// lineReader reads lines that end in \n, \r\n or \r.
type lineReader struct {
	r       *bufio.Reader
	afterCR bool // a \n that comes next belongs to the line before
	line    []byte
}

func newLineReader(r io.Reader) *lineReader {
	b := bufio.NewReader(r)
	if bom, err := b.Peek(3); err == nil && string(bom) == "\xef\xbb\xbf" {
		b.Discard(3)
	}
	return &lineReader{r: b}
}

// next returns the next line, which is overwritten by the one after it.
func (l *lineReader) next() ([]byte, error) {
	l.line = l.line[:0]
	for {
		arrived, err := l.arrived()
		if err != nil {
			return nil, err
		}
		end := bytes.IndexAny(arrived, "\r\n")
		if end < 0 {
			l.line = append(l.line, arrived...)
			l.r.Discard(len(arrived))
			continue
		}
		l.line = append(l.line, arrived[:end]...)
		l.afterCR = arrived[end] == '\r'
		l.r.Discard(end + 1)
		return l.line, nil
	}
}

// arrived waits for bytes, and returns all that are there.
func (l *lineReader) arrived() ([]byte, error) {
	if l.afterCR {
		l.afterCR = false
		if next, err := l.r.Peek(1); err == nil && next[0] == '\n' {
			l.r.Discard(1)
		}
	}
	if _, err := l.r.Peek(1); err != nil {
		return nil, err
	}
	return l.r.Peek(l.r.Buffered())
}
