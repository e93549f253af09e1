package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"slices"
)

// The messages of Amazon's event streams, as in https://smithy.io/2.0/aws/amazon-eventstream.html: a
// prelude with the lengths of the whole and of the headers and a checksum of both, the headers, the
// payload, and a checksum of all.
const (
	awsPrelude  = 12
	awsChecksum = 4
	awsText     = 7 // the type of a header whose value is a text
)

// awsMessages returns each event as a message. Its name is the type of the event, chunk for one
// that has none; an error is an exception, or has headers alone.
func awsMessages(events []Event, how Framing) [][]byte {
	var written [][]byte
	for _, e := range withData(events) {
		name, kind, message := e.Name(), ":event-type", "event"
		if name == "" {
			name = "chunk"
		}
		if e.Failure {
			kind, message = ":exception-type", "exception"
		}
		var headers []byte
		all := [][2]string{{kind, name}, {":content-type", "application/json"}, {":message-type", message}}
		if e.Failure && len(e.Data) == 0 {
			all = [][2]string{{awsErrorCode, name}, {awsErrorMessage, e.field("error-message: ")}, {":message-type", "error"}}
		}
		for _, h := range all {
			headers = append(append(headers, byte(len(h[0]))), h[0]...)
			headers = binary.BigEndian.AppendUint16(append(headers, awsText), uint16(len(h[1])))
			headers = append(headers, h[1]...)
		}
		written = append(written, awsMessage(headers, e.Data))
	}
	how.Damaged.in(written)
	if how.Torn || how.Unfinished {
		return tear(written)
	}
	return written
}

// The headers of an error that the service does not describe, which has no payload.
const (
	awsErrorCode    = ":error-code"
	awsErrorMessage = ":error-message"
)

// in changes a part of one of some messages, and leaves the checksums as they are.
func (d Damage) in(messages [][]byte) {
	if d.Of == "" || len(messages) == 0 {
		return
	}
	m := messages[min(d.At, len(messages)-1)]
	if d.Of == DamagedPrelude {
		m[3] ^= 1
		return
	}
	begin := awsPrelude + int(binary.BigEndian.Uint32(m[4:]))
	m[begin+ofSaid(m[begin:len(m)-awsChecksum])] ^= 1
}

// ofSaid returns where the first letter or digit is of what a payload says: of its last text but one,
// since the last one is the padding. It becomes another, so that only the checksum tells.
func ofSaid(payload []byte) int {
	const text = `":"`
	at := max(0, bytes.LastIndex(payload, []byte(text)))
	if before := bytes.LastIndex(payload[:at], []byte(text)); before >= 0 {
		at = before
	}
	at = min(at+len(text), len(payload)-1)
	for i, b := range payload[at:] {
		if b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'b' && b <= 'y' {
			return at + i
		}
	}
	return at
}

func awsMessage(headers, payload []byte) []byte {
	size := awsPrelude + len(headers) + len(payload) + awsChecksum
	m := binary.BigEndian.AppendUint32(make([]byte, 0, size), uint32(size))
	m = binary.BigEndian.AppendUint32(m, uint32(len(headers)))
	m = binary.BigEndian.AppendUint32(m, crc32.ChecksumIEEE(m))
	m = append(append(m, headers...), payload...)
	return binary.BigEndian.AppendUint32(m, crc32.ChecksumIEEE(m))
}

// readAWS reads messages up to one that is cut off or damaged.
func readAWS(stream []byte) (events []Event) {
	for {
		size := awsLength(stream, 0)
		if size == 0 {
			return events
		}
		m := stream[:size]
		headers := int(binary.BigEndian.Uint32(m[4:]))
		end := size - awsChecksum
		if headers > end-awsPrelude || crc32.ChecksumIEEE(m[:end]) != binary.BigEndian.Uint32(m[end:]) {
			return events
		}
		e := Event{Data: m[awsPrelude+headers : end]}
		for name, value := range awsHeaders(m[awsPrelude : awsPrelude+headers]) {
			switch name {
			case ":event-type", ":exception-type", awsErrorCode:
				e.Lines = []string{"event: " + value}
				e.Failure = name != ":event-type"
			case awsErrorMessage:
				e.Data = Fields{{Key: "message", Value: value}}.JSON()
			}
		}
		events, stream = append(events, e), stream[size:]
	}
}

// awsHeaders yields the headers that are texts, up to one that is none.
func awsHeaders(b []byte) func(yield func(name, value string) bool) {
	return func(yield func(name, value string) bool) {
		for len(b) > 0 {
			name := int(b[0]) + 1
			if len(b) < name+3 || b[name] != awsText {
				return
			}
			value := name + 3 + int(binary.BigEndian.Uint16(b[name+1:]))
			if len(b) < value || !yield(string(b[1:name]), string(b[name+3:value])) {
				return
			}
			b = b[value:]
		}
	}
}

// awsLength returns the length of the first message, 0 if it is not whole yet or is none.
func awsLength(stream []byte, _ int) int {
	if len(stream) < awsPrelude {
		return 0
	}
	size := int(binary.BigEndian.Uint32(stream))
	if size < awsPrelude+awsChecksum || size > len(stream) || crc32.ChecksumIEEE(stream[:8]) != binary.BigEndian.Uint32(stream[8:]) {
		return 0
	}
	return size
}

// awsChunk is the payload of a message of Bedrock's InvokeModelWithResponseStream: the bytes of an
// event of the model's own API, and padding, by which nobody can tell from its length what it says.
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_PayloadPart.html
type awsChunk struct {
	Bytes   []byte `json:"bytes"`
	Padding string `json:"p"`
}

const awsPadding = "abcdefghijklmnopqrstuvwxyz"

// AWSPadding returns the padding of a payload, which here follows from its length, so that answers
// are the same each time.
func AWSPadding(payload []byte) string { return awsPadding[:1+len(payload)%len(awsPadding)] }

// awsChunks returns each event as a message of the type chunk. An error is an exception of AWS
// itself.
func awsChunks(events []Event, how Framing) [][]byte {
	events = withData(events)
	for i, e := range events {
		if e.Failure {
			events[i].Lines = []string{"event: internalServerException"}
			continue
		}
		payload, _ := json.Marshal(awsChunk{e.Data, AWSPadding(e.Data)}) // bytes and a text can always be written
		events[i] = Event{Data: payload}
	}
	return awsMessages(events, how)
}

// readChunks reads the events in the messages that are chunks, and exceptions.
func readChunks(stream []byte) []Event {
	events := readAWS(stream)
	for i, e := range events {
		var chunk awsChunk
		if !e.Failure && json.Unmarshal(e.Data, &chunk) == nil {
			events[i] = Event{Data: chunk.Bytes}
		}
	}
	return slices.DeleteFunc(events, func(e Event) bool { return e.Data == nil })
}
