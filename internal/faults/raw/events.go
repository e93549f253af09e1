package raw

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
)

// endMark is where the end mark of a stream is, however its lines end.
var endMark = regexp.MustCompile(`(^|[\r\n])data: ?\[DONE\]`)

// ReadToDone reads a stream up to its end mark, or to its end.
func ReadToDone(body io.Reader) ([]byte, error) {
	var data []byte
	buffer := make([]byte, 32<<10)
	for {
		n, err := body.Read(buffer)
		data = append(data, buffer[:n]...)
		if at := findEnd(data); at != nil {
			return append(data[:at[1]:at[1]], lineEnds(data)...), nil
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return data, err
		}
	}
}

// messageStop is the event that ends a stream of the dialect messages.
var messageStop = []byte(`"type":"message_stop"`)

// lastResponses are the events that end a stream of the dialect responses, and blankLine is what
// ends an event.
var (
	lastResponses = [][]byte{[]byte(`"type":"response.completed"`), []byte(`"type":"response.incomplete"`), []byte(`"type":"response.failed"`)}
	blankLine     = regexp.MustCompile(`\r\n\r\n|\n\n|\r\r`)
)

// findEnd returns where the end mark is, or nil. It looks only where a mark may be, since streams
// are long.
func findEnd(data []byte) []int {
	if at := bytes.Index(data, messageStop); at >= 0 {
		begin := max(0, bytes.LastIndexByte(data[:at], '{'))
		for end := at; ; {
			bracket := bytes.IndexByte(data[end:], '}')
			if bracket < 0 {
				break
			}
			if end += bracket + 1; json.Valid(data[begin:end]) { // keys with objects of their own may be after it
				return []int{at, end}
			}
		}
	}
	for _, last := range lastResponses {
		if at := bytes.Index(data, last); at >= 0 {
			if end := blankLine.FindIndex(data[at:]); end != nil {
				return []int{at, at + end[0]}
			}
		}
	}
	mark := []byte("[DONE]")
	for from := 0; ; {
		at := bytes.Index(data[from:], mark)
		if at < 0 {
			return nil
		}
		end := from + at + len(mark)
		begin := max(0, from+at-len("\ndata: "))
		if found := endMark.FindIndex(data[begin:end]); found != nil {
			return []int{begin + found[0], begin + found[1]}
		}
		from = end
	}
}

// lineEnds returns the end of a line and a blank line, as a stream writes them.
func lineEnds(data []byte) string {
	switch text := string(data); {
	case strings.Contains(text, "\r\n"):
		return "\r\n\r\n"
	case strings.Contains(text, "\n"):
		return "\n\n"
	default:
		return "\r\r"
	}
}

var oneLineEnd = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// payloads returns the data of the events of a stream. An error that is said by the name of an
// event or of a field is put into words that all profiles know.
func payloads(stream string) []string {
	var all []string
	for _, block := range strings.SplitAfter(oneLineEnd.Replace(strings.TrimPrefix(stream, "\ufeff")), "\n\n") {
		if !strings.HasSuffix(block, "\n\n") {
			continue
		}
		var data []string
		failure := strings.Contains(block, "event: error\n")
		for line := range strings.Lines(block) {
			field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
			failure = failure || field == "error"
			if field == "data" || field == "error" {
				data = append(data, strings.TrimPrefix(value, " "))
			}
		}
		switch payload := strings.Join(data, "\n"); {
		case failure:
			all = append(all, `{"error":`+payload+`}`)
		case payload != "":
			all = append(all, payload)
		}
	}
	return all
}
