package wire

import (
	"bytes"
	"encoding/json"
)

// items returns the payloads of events as the items of an array: the first write opens it, and the
// last one closes it.
func items(events []Event, how Framing) [][]byte {
	var written [][]byte
	before := "["
	for _, e := range withData(events) {
		written = append(written, append([]byte(before), e.Data...))
		before = "\n,\n"
	}
	last := len(written) - 1
	switch {
	case last < 0:
		return [][]byte{[]byte("[]\n")}
	case how.Torn:
		return tear(written)
	case !how.Unfinished:
		written[last] = append(written[last], "\n]\n"...)
	}
	return written
}

// readItems reads the items of an array, of one that is cut off those that are whole.
func readItems(stream []byte) (events []Event) {
	d := json.NewDecoder(bytes.NewReader(stream))
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return nil
	}
	for d.More() {
		var item json.RawMessage
		if d.Decode(&item) != nil {
			break
		}
		events = append(events, Event{Data: item})
	}
	return events
}

// jsonLines returns each payload as a line: https://github.com/ndjson/ndjson-spec
func jsonLines(events []Event, how Framing) [][]byte {
	var written [][]byte
	for _, e := range withData(events) {
		written = append(written, append(oneLine(e.Data), '\n'))
	}
	last := len(written) - 1
	switch {
	case how.Torn:
		return tear(written)
	case how.Unfinished && last >= 0:
		written[last] = bytes.TrimSuffix(written[last], []byte("\n"))
	}
	return written
}

// oneLine returns a copy of a JSON text without line ends. What is no JSON keeps its other bytes.
func oneLine(payload []byte) []byte {
	if !bytes.ContainsAny(payload, "\r\n") {
		return bytes.Clone(payload)
	}
	var line bytes.Buffer
	if json.Compact(&line, payload) == nil {
		return line.Bytes()
	}
	return bytes.Map(func(r rune) rune {
		if r == '\r' || r == '\n' {
			return ' '
		}
		return r
	}, payload)
}

// readLines reads lines as clients do: those that are empty are left out, and the last one may lack
// its end if it is whole.
func readLines(stream []byte) (events []Event) {
	for line := range bytes.Lines(stream) {
		payload, ended := bytes.CutSuffix(line, []byte("\n"))
		if payload = bytes.TrimSpace(payload); len(payload) > 0 && (ended || json.Valid(payload)) {
			events = append(events, Event{Data: payload})
		}
	}
	return events
}

func lineLength(stream []byte, from int) int { return from + bytes.IndexByte(stream[from:], '\n') + 1 }
