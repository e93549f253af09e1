package messages

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// reply is an answer that is not streamed, or the message with which a stream starts.
type reply struct {
	ID         string            `json:"id"`
	Content    []json.RawMessage `json:"content"`
	StopReason string            `json:"stop_reason"`
	Usage      usage             `json:"usage"`
	Error      json.RawMessage   `json:"error"`
	Container  container         `json:"container"`
}

type container struct {
	ID string `json:"id"`
}

type usage struct {
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
}

// Read reads a whole answer. Without a reason to stop it is not whole, however complete it looks.
func (Dialect) Read(document []byte) ([]neutral.Piece, error) {
	var r reply
	if err := json.Unmarshal(document, &r); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	if len(r.Error) > 0 {
		return nil, neutral.Reported(document)
	}
	pieces := []neutral.Piece{{
		Begins: &neutral.Beginning{ID: r.ID}, Container: r.Container.ID,
		Usage: &neutral.Usage{Input: &r.Usage.InputTokens, Output: &r.Usage.OutputTokens},
	}}
	for i, raw := range r.Content {
		part, err := partOf(raw)
		if err != nil {
			return pieces, err
		}
		pieces = append(pieces, neutral.Piece{At: place(i), Part: part})
	}
	if r.StopReason == "" {
		return pieces, neutral.ErrBroken
	}
	return append(pieces, neutral.Piece{Finish: finishOf(r.StopReason), Word: r.StopReason}), nil
}

func place(block int) string { return "block " + strconv.Itoa(block) }

// partOf reads a block. What this loop does not know stays as it is.
func partOf(raw json.RawMessage) (neutral.Part, error) {
	var is struct{ Type string }
	if err := json.Unmarshal(raw, &is); err != nil {
		return nil, fmt.Errorf("a block is not JSON: %w", err)
	}
	block := neutral.Keys(raw)
	switch is.Type {
	case "text":
		return &neutral.Text{Text: block.Text("text"), Raw: raw}, nil
	case "thinking", "redacted_thinking":
		return &neutral.Reasoning{Text: block.Text("thinking"), Signature: block.Text("signature"), Data: block.Text("data"), Raw: raw}, nil
	case "tool_use":
		return &neutral.Call{ID: block.Text("id"), Name: block.Text("name"), Arguments: string(block.Values["input"]), Raw: raw}, nil
	}
	return &neutral.Foreign{Raw: raw}, nil
}

// event is an event of a stream: https://platform.claude.com/docs/en/build-with-claude/streaming
type event struct {
	Type    string          `json:"type"`
	Index   int             `json:"index"`
	Message reply           `json:"message"`
	Block   json.RawMessage `json:"content_block"`
	Delta   struct {
		Type       string    `json:"type"`
		Text       string    `json:"text"`
		Thinking   string    `json:"thinking"`
		Signature  string    `json:"signature"`
		Fragment   string    `json:"partial_json"`
		StopReason string    `json:"stop_reason"`
		Container  container `json:"container"`
	} `json:"delta"`
	Usage *usage `json:"usage"`
}

// Stream reads a stream of events.
func (Dialect) Stream() neutral.Stream { return &reader{} }

// reader reads the events of a stream. Events that it does not know it skips.
type reader struct {
	blocks []*block
	stop   string
}

// block is the state of a block: the input of a call so far.
type block struct {
	call  bool
	input string
	keys  map[string]json.RawMessage // with which a block began that this loop does not know
}

// Event reads an event. message_stop ends every whole stream.
func (r *reader) Event(_ string, data []byte) (pieces []neutral.Piece, done bool, err error) {
	if !isObject(data) { // sent by some to keep the connection alive
		return nil, false, nil
	}
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, false, fmt.Errorf("the answer is not JSON: %w", err)
	}
	switch e.Type {
	case "error":
		return nil, false, neutral.Reported(data)
	case "message_start": // what came before, when anything did, broke off on its way
		r.blocks, r.stop = nil, ""
		counted := &neutral.Usage{Input: &e.Message.Usage.InputTokens, Output: &e.Message.Usage.OutputTokens}
		return []neutral.Piece{{Begins: &neutral.Beginning{ID: e.Message.ID}, Usage: counted}}, false, nil
	case "content_block_start":
		pieces, err = r.begin(e.Block)
		return pieces, false, err
	case "content_block_delta":
		return r.grow(e), false, nil
	case "content_block_stop":
		return r.fill(e.Index), false, nil
	case "message_delta":
		r.stop = e.Delta.StopReason
		p := neutral.Piece{Finish: finishOf(r.stop), Word: r.stop, Container: e.Delta.Container.ID}
		if e.Usage != nil { // the counts are of the whole message
			p.Usage = &neutral.Usage{Output: &e.Usage.OutputTokens}
		}
		return []neutral.Piece{p}, false, nil
	case "message_stop":
		pieces, err = r.wholeness()
		return pieces, true, err
	}
	return nil, false, nil
}

// isObject reports whether a payload is an object, as that of every event is. What is not JSON at
// all is for its reader.
func isObject(payload []byte) bool {
	var value any
	if err := json.Unmarshal(payload, &value); err != nil {
		return len(payload) > 0
	}
	_, is := value.(map[string]any)
	return is
}

// begin reads the start of a block, with its keys in order.
func (r *reader) begin(raw json.RawMessage) ([]neutral.Piece, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil {
		return nil, fmt.Errorf("%w: %v", neutral.ErrBroken, err)
	}
	sorted, err := json.Marshal(keys)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", neutral.ErrBroken, err)
	}
	part, err := partOf(sorted)
	if err != nil {
		return nil, err
	}
	b := &block{}
	_, b.call = part.(*neutral.Call)
	if _, foreign := part.(*neutral.Foreign); foreign {
		b.keys = keys
	}
	r.blocks = append(r.blocks, b)
	return []neutral.Piece{{At: place(len(r.blocks) - 1), Part: part}}, nil
}

// grow reads what is added to a block. The first piece of an input replaces the empty one with
// which a call starts.
func (r *reader) grow(e event) []neutral.Piece {
	if e.Index < 0 || e.Index >= len(r.blocks) {
		return nil
	}
	b := r.blocks[e.Index]
	anew := b.input == "" && e.Delta.Fragment != ""
	b.input += e.Delta.Fragment
	return []neutral.Piece{{
		At: place(e.Index), Text: e.Delta.Text + e.Delta.Thinking, Signature: e.Delta.Signature, Arguments: e.Delta.Fragment, Anew: anew,
	}}
}

// fill puts the input into a call of one of the provider's own tools, which comes in pieces like
// those of others.
func (r *reader) fill(index int) []neutral.Piece {
	if index < 0 || index >= len(r.blocks) || r.blocks[index].keys == nil || !isInput(r.blocks[index].input) {
		return nil
	}
	b := r.blocks[index]
	b.keys["input"] = json.RawMessage(b.input)
	whole, err := json.Marshal(b.keys)
	if err != nil {
		return nil
	}
	return []neutral.Piece{{At: place(index), Item: whole}}
}

// End is called when a stream has no message_stop.
func (r *reader) End() ([]neutral.Piece, error) {
	return nil, fmt.Errorf("%w: %v", neutral.ErrBroken, io.EOF)
}

// wholeness tells whether a stream that ended is whole. An answer whose model was stopped in the
// middle of an input is, up to that. In any other, an input that is not JSON is a mistake of the
// model.
func (r *reader) wholeness() ([]neutral.Piece, error) {
	if r.stop == "" {
		return nil, neutral.ErrBroken
	}
	for i, b := range r.blocks {
		if b.call && b.input != "" && !isInput(b.input) && finishOf(r.stop).Cuts() {
			return []neutral.Piece{{At: place(i), Cut: true}}, nil
		}
	}
	return nil, nil
}

var finishes = map[string]neutral.Finish{
	"end_turn": neutral.Stop, "tool_use": neutral.Calls, "max_tokens": neutral.Length, "refusal": neutral.Filter,
	"model_context_window_exceeded": neutral.Window, "pause_turn": neutral.Pause,
}

func finishOf(word string) neutral.Finish {
	f, known := finishes[word]
	switch {
	case known:
		return f
	case word == "stop_sequence":
		return neutral.Stop
	case word == "":
		return neutral.NoReason
	}
	return neutral.Other
}

// Word returns the word for a reason to stop, "" where there is none.
func (Dialect) Word(f neutral.Finish) string {
	for word, is := range finishes {
		if is == f {
			return word
		}
	}
	return ""
}
