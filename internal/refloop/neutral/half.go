package neutral

import (
	"encoding/json"
	"slices"

	"github.com/loopproof/loopproof/protocol"
)

// GoesBackWhole are the methods of a dialect in which a turn goes back as it came, and behind it one
// message with all results. Where each is a message of its own on the wire, Write makes several of it.
type GoesBackWhole struct{}

// Echo returns the turn as a message.
func (GoesBackWhole) Echo(_ protocol.Task, t *Turn) []Message {
	return []Message{{Role: Assistant, Parts: t.Parts}}
}

// Answer returns one message with all results.
func (GoesBackWhole) Answer(_ protocol.Task, results []*Result) []Message {
	m := Message{Role: Tool}
	for _, r := range results {
		m.Parts = append(m.Parts, r)
	}
	return []Message{m}
}

// ReadWhole reads a document of a dialect in which a whole answer looks like the last event of a
// stream.
func ReadWhole(s Stream, document []byte) ([]Piece, error) {
	pieces, done, err := s.Event("", document)
	if err == nil && !done {
		err = ErrBroken
	}
	return pieces, err
}

// Words are the words of a dialect for the reasons to stop.
type Words [Other + 1]string

// Finish returns the reason of a word; no word is none, and one that is not known is [Other].
func (w *Words) Finish(word string) Finish {
	if word == "" {
		return NoReason
	}
	if known := slices.Index(w[1:Other], word); known >= 0 {
		return Finish(known + 1)
	}
	return Other
}

// ObjectArguments returns the arguments of a call for an API that has them as an object. What is not
// JSON goes back as a text.
func ObjectArguments(written string) json.RawMessage {
	if json.Valid([]byte(written)) {
		return json.RawMessage(written)
	}
	text, _ := json.Marshal(written) // a text can always be written
	return text
}

// WrittenArguments returns the arguments of a call as the model wrote them, from what
// [ObjectArguments] returns.
func WrittenArguments(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
		return text
	}
	return string(raw)
}
