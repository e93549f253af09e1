package wire

import (
	"bytes"
	"strings"
)

// ReadEvents reads the bytes of a stream of server-sent events as a client does, and returns the data of each event.
// Comments, other fields and an event without its blank line are left out, as the standard says.
func ReadEvents(stream []byte) [][]byte {
	text := strings.TrimPrefix(string(stream), byteOrderMark)
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	var events [][]byte
	var data []byte
	for line := range strings.Lines(text) {
		line, whole := strings.CutSuffix(line, "\n")
		switch field, value, _ := strings.Cut(line, ":"); {
		case line == "" && whole:
			if data != nil {
				events = append(events, bytes.TrimSuffix(data, []byte("\n")))
			}
			data = nil
		case field == "data":
			data = append(append(data, strings.TrimPrefix(value, " ")...), '\n')
		}
	}
	return events
}
