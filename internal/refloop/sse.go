package refloop

import (
	"bufio"
	"bytes"
	"io"
)

// eventReader reads server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
type eventReader struct{ lines *lineReader }

// next returns the name and the data of the next event. At the end of the stream it returns io.EOF; an event that the stream cut
// off before its blank line is dropped, as the specification demands.
func (r *eventReader) next() (name string, payload []byte, err error) {
	var data [][]byte
	for {
		line, err := r.lines.next()
		if err != nil {
			return "", nil, err
		}
		if len(line) == 0 {
			if data == nil { // no event, though it may have had a name
				name = ""
				continue
			}
			return name, bytes.Join(data, []byte("\n")), nil
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) { // comments have no field name; other fields do not matter here
		case "data":
			data = append(data, value)
		case "event":
			name = string(value)
		}
	}
}

// lineReader reads lines that end in \n, \r\n or \r.
type lineReader struct {
	r       *bufio.Reader
	afterCR bool // a \n that comes next belongs to the line before
}

func newLineReader(r io.Reader) *lineReader {
	b := bufio.NewReader(r)
	if bom, err := b.Peek(3); err == nil && string(bom) == "\xef\xbb\xbf" {
		b.Discard(3)
	}
	return &lineReader{r: b}
}

func (l *lineReader) next() ([]byte, error) {
	var line []byte
	for {
		c, err := l.r.ReadByte()
		if err != nil {
			return nil, err
		}
		skip := l.afterCR && c == '\n'
		l.afterCR = c == '\r'
		switch {
		case skip:
		case c == '\n' || c == '\r':
			return line, nil
		default:
			line = append(line, c)
		}
	}
}
