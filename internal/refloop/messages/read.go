package messages

import (
	"crypto/rand"
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

// Read reads a whole answer. Some servers do not say why the model stopped.
func (Dialect) Read(document []byte) ([]neutral.Piece, error) {
	var r reply
	if err := json.Unmarshal(document, &r); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	if neutral.Given(r.Error) {
		return nil, neutral.Reported(document)
	}
	if r.Content == nil && r.StopReason == "" { // JSON of another kind, and no message
		return nil, neutral.ErrBroken
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
		id := block.Text("id")
		if id == "" { // it goes back with the call and its result, to match them
			id = "toolu_" + rand.Text()[:24]
		}
		return &neutral.Call{ID: id, Name: block.Text("name"), Arguments: string(block.Values["input"]), Raw: raw}, nil
	}
	return &neutral.Foreign{Raw: raw}, nil
}

// event is an event of a stream: https://platform.claude.com/docs/en/build-with-claude/streaming
type event struct {
	Type    string          `json:"type"`
	Index   *int            `json:"index"`
	Error   json.RawMessage `json:"error"`
	Message reply           `json:"message"`
	Block   json.RawMessage `json:"content_block"`
	Delta   struct {
		Type       string    `json:"type"`
		Text       string    `json:"text"`
		Thinking   string    `json:"thinking"`
		Signature  string    `json:"signature"`
		Fragment   string    `json:"partial_json"`
		Content    *string   `json:"content"` // of what stands for the history, whole
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
	at     map[int]int // where in blocks the last one of an index is, which need not be its position
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
	if neutral.NoObject(data) { // sent by some to keep the connection alive
		return nil, false, nil
	}
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, false, fmt.Errorf("the answer is not JSON: %w", err)
	}
	if e.Type == "error" || e.Type == "" && neutral.Given(e.Error) {
		return nil, false, neutral.Reported(data)
	}
	switch e.Type {
	case "message_start": // what came before, when anything did, broke off on its way
		r.blocks, r.at, r.stop = nil, map[int]int{}, ""
		counted := &neutral.Usage{Input: &e.Message.Usage.InputTokens, Output: &e.Message.Usage.OutputTokens}
		return []neutral.Piece{{Begins: &neutral.Beginning{ID: e.Message.ID}, Usage: counted}}, false, nil
	case "content_block_start":
		pieces, err = r.begin(e)
		return pieces, false, err
	case "content_block_delta":
		return r.grow(e), false, nil
	case "content_block_stop":
		return r.fill(r.place(e)), false, nil
	case "message_delta":
		if e.Delta.StopReason != "" {
			r.stop = e.Delta.StopReason
		}
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

// begin reads the start of a block, with its keys in order.
func (r *reader) begin(e event) ([]neutral.Piece, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(e.Block, &keys); err != nil {
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
	if e.Index != nil && r.at != nil {
		r.at[*e.Index] = len(r.blocks) - 1
	}
	return []neutral.Piece{{At: place(len(r.blocks) - 1), Part: part}}, nil
}

// place returns the position of the block that an event is about: the last one that began with its
// index, or the last one of all where no index is said. It is -1 for none.
func (r *reader) place(e event) int {
	if e.Index == nil {
		return len(r.blocks) - 1
	}
	if at, begun := r.at[*e.Index]; begun {
		return at
	}
	return -1
}

// grow reads what is added to a block. The first piece of an input replaces the empty one with
// which a call starts.
func (r *reader) grow(e event) []neutral.Piece {
	at := r.place(e)
	if at < 0 {
		return nil
	}
	b := r.blocks[at]
	if content := e.Delta.Content; content != nil && b.keys != nil {
		written, _ := json.Marshal(*content) // a text can always be written
		b.keys["content"] = written
		return []neutral.Piece{{At: place(at), Item: b.whole()}}
	}
	anew := b.input == "" && e.Delta.Fragment != ""
	b.input += e.Delta.Fragment
	return []neutral.Piece{{
		At: place(at), Text: e.Delta.Text + e.Delta.Thinking, Signature: e.Delta.Signature, Arguments: e.Delta.Fragment, Anew: anew,
	}}
}

// fill puts the input into a call of one of the provider's own tools, which comes in pieces like
// those of others.
func (r *reader) fill(index int) []neutral.Piece {
	if index < 0 || r.blocks[index].keys == nil || !isInput(r.blocks[index].input) {
		return nil
	}
	b := r.blocks[index]
	b.keys["input"] = json.RawMessage(b.input)
	return []neutral.Piece{{At: place(index), Item: b.whole()}}
}

// whole writes a block that this loop does not know, with its keys in order.
func (b *block) whole() json.RawMessage {
	whole, _ := json.Marshal(b.keys) // what was read can be written
	return whole
}

// End is called when a stream has no message_stop.
func (r *reader) End() ([]neutral.Piece, error) {
	return nil, fmt.Errorf("%w: %v", neutral.ErrBroken, io.EOF)
}

// wholeness tells whether a stream that ended is whole. An answer whose model was stopped in the
// middle of an input is, up to that. In any other, an input that is not JSON is a mistake of the
// model.
func (r *reader) wholeness() ([]neutral.Piece, error) {
	for i, b := range r.blocks {
		if b.call && b.input != "" && !isInput(b.input) && finishOf(r.stop).Cuts() {
			return []neutral.Piece{{At: place(i), Cut: true}}, nil
		}
	}
	return nil, nil
}

var finishes = map[string]neutral.Finish{
	"end_turn": neutral.Stop, "tool_use": neutral.Calls, "max_tokens": neutral.Length, "refusal": neutral.Filter,
	"model_context_window_exceeded": neutral.Window, "pause_turn": neutral.Pause, "compaction": neutral.Pause,
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
