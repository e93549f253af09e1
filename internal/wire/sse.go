package wire

import (
	"bytes"
	"strings"
)

// ReadEvents reads the bytes of a stream of server-sent events as a client does, and returns the
// data of each event. Comments, other fields and an event without its blank line are left out, as
// the standard says.
func ReadEvents(stream []byte) [][]byte { return SSE.Payloads(stream) }

func readSSE(stream []byte) (events []Event) {
	text := strings.TrimPrefix(string(stream), byteOrderMark)
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	var next Event
	for line := range strings.Lines(text) {
		line, whole := strings.CutSuffix(line, "\n")
		switch field, value, _ := strings.Cut(line, ":"); {
		case line == "" && whole:
			if next.Data != nil {
				next.Data = bytes.TrimSuffix(next.Data, []byte("\n"))
				events = append(events, next)
			}
			next = Event{}
		case field == "data":
			next.Data = append(append(next.Data, strings.TrimPrefix(value, " ")...), '\n')
		case field == "event":
			next.Lines = []string{"event: " + strings.TrimPrefix(value, " ")}
		}
	}
	return events
}

// EventLength returns the length in bytes of the first event of a stream of server-sent events,
// with the blank line that ends it, and 0 if it has not ended yet. It is known not to end before
// the offset from. Lines end in any of the ways of the standard.
func EventLength(stream []byte, from int) int {
	for i := max(0, from-len(blankLines[0])); ; i++ {
		next := bytes.IndexAny(stream[i:], "\r\n")
		if next < 0 {
			return 0
		}
		i += next
		for _, end := range blankLines {
			if bytes.HasPrefix(stream[i:], []byte(end)) {
				return i + len(end)
			}
		}
	}
}

// blankLines are the line ends before and behind nothing, the longest first.
var blankLines = []string{"\r\n\r\n", "\n\n", "\r\r"}
