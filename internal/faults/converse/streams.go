package converse

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// message is a message of a stream.
type message struct {
	name    string
	payload gjson.Result
	whole   []byte
}

// sealed lets the checksum be that of what is in a message.
func (m message) sealed() bool {
	end := len(m.whole) - 4
	binary.BigEndian.PutUint32(m.whole[end:], crc32.ChecksumIEEE(m.whole[:end]))
	return true
}

// messages returns the messages of a stream that are kept.
func messages(stream []byte, keep func(message) bool) (kept []byte) {
	for len(stream) >= 16 {
		size := int(binary.BigEndian.Uint32(stream))
		begin := 12 + int(binary.BigEndian.Uint32(stream[4:]))
		if size < 16 || size > len(stream) || begin > size-4 {
			break
		}
		m := bytes.Clone(stream[:size])
		_, name, _ := bytes.Cut(m[12:begin], []byte(":event-type\x07"))
		if len(name) > 2 {
			name = name[2 : 2+min(int(binary.BigEndian.Uint16(name)), len(name)-2)]
		}
		if keep(message{string(name), gjson.ParseBytes(m[begin : size-4]), m}) {
			kept = append(kept, m...)
		}
		stream = stream[size:]
	}
	return append(kept, stream...)
}

// isStream reports whether an answer is a stream of messages, which is one payload to a fault.
func isStream(a *raw.Answer) bool {
	return strings.HasPrefix(a.Header.Get("Content-Type"), "application/vnd.amazon.eventstream")
}

// onStreams is a mutation of the bytes of streams.
func onStreams(change func([]byte) []byte) func() raw.Mutation {
	return raw.OnAnswer(func(a *raw.Answer) {
		if isStream(a) {
			a.Payloads[0] = string(change([]byte(a.Payloads[0])))
		}
	})
}
