package converse

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// reply is an answer that is not streamed.
type reply struct {
	Output struct {
		Message struct {
			Content []json.RawMessage `json:"content"`
		} `json:"message"`
	} `json:"output"`
	StopReason string `json:"stopReason"`
	Usage      usage  `json:"usage"`
	Error      string `json:"message"`
}

type usage struct {
	Input  *int `json:"inputTokens"`
	Output *int `json:"outputTokens"`
}

// Read reads a whole answer.
func (Dialect) Read(document []byte) ([]neutral.Piece, error) {
	var r reply
	if err := json.Unmarshal(document, &r); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	switch nothing := r.Output.Message.Content == nil && r.StopReason == ""; {
	case nothing && r.Error != "":
		return nil, neutral.Reported(document)
	case nothing:
		return nil, neutral.ErrBroken
	}
	pieces := []neutral.Piece{{Begins: &neutral.Beginning{}, Usage: &neutral.Usage{Input: r.Usage.Input, Output: r.Usage.Output}}}
	for i, raw := range r.Output.Message.Content {
		part, err := partOf(raw)
		if err != nil {
			return pieces, err
		}
		pieces = append(pieces, neutral.Piece{At: strconv.Itoa(i), Part: part})
	}
	return append(pieces, neutral.Piece{Finish: finishOf(r.StopReason), Word: r.StopReason}), nil
}

// partOf reads a block. What this loop does not know stays as it is.
func partOf(raw json.RawMessage) (neutral.Part, error) {
	var b block
	if err := json.Unmarshal(raw, &b); err != nil {
		return nil, fmt.Errorf("a block is not JSON: %w", err)
	}
	switch {
	case b.Text != nil:
		return &neutral.Text{Text: *b.Text}, nil
	case b.Call != nil:
		return &neutral.Call{ID: b.Call.ID, Name: b.Call.Name, Arguments: string(b.Call.Input)}, nil
	case b.Reason != nil && b.Reason.Text != nil:
		return &neutral.Reasoning{Text: b.Reason.Text.Text, Signature: b.Reason.Text.Signature, Raw: raw}, nil
	case b.Reason != nil:
		return &neutral.Reasoning{Data: b.Reason.Sealed, Raw: raw}, nil
	}
	return &neutral.Foreign{Raw: raw}, nil
}

// event is the payload of an event of a stream:
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html
type event struct {
	Index int `json:"contentBlockIndex"`
	Start struct {
		Call *toolUse `json:"toolUse"`
	} `json:"start"`
	Delta struct {
		Text *string `json:"text"`
		Call *struct {
			Input string `json:"input"`
		} `json:"toolUse"`
		Reason *struct {
			Text      string `json:"text"`
			Signature string `json:"signature"`
			Sealed    string `json:"redactedContent"`
		} `json:"reasoningContent"`
	} `json:"delta"`
	StopReason string `json:"stopReason"`
	Usage      usage  `json:"usage"`
}

// Stream reads a stream of events.
func (Dialect) Stream() neutral.Stream { return &reader{begun: map[int]bool{}} }

// reader reads the events of a stream. Events that it does not know it skips.
type reader struct {
	begun   map[int]bool // the blocks, by their indexes
	stopped bool
}

// Event reads an event. messageStop ends the answer; the token counts come after it.
func (r *reader) Event(name string, data []byte) (pieces []neutral.Piece, done bool, err error) {
	if strings.HasSuffix(name, "Exception") {
		return nil, false, neutral.Reported(data)
	}
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, false, fmt.Errorf("the answer is not JSON: %w", err)
	}
	switch name {
	case "messageStart":
		return []neutral.Piece{{Begins: &neutral.Beginning{}}}, false, nil
	case "contentBlockStart":
		if e.Start.Call != nil {
			r.begun[e.Index] = true
			pieces = append(pieces, neutral.Piece{At: strconv.Itoa(e.Index), Part: &neutral.Call{ID: e.Start.Call.ID, Name: e.Start.Call.Name}})
		}
	case "contentBlockDelta":
		pieces = r.grow(e)
	case "messageStop":
		r.stopped = true
		pieces = append(pieces, neutral.Piece{Finish: finishOf(e.StopReason), Word: e.StopReason})
	case "metadata":
		return []neutral.Piece{{Usage: &neutral.Usage{Input: e.Usage.Input, Output: e.Usage.Output}}}, r.stopped, nil
	}
	return pieces, false, nil
}

// grow reads what is added to a block. Only calls have a start of their own.
func (r *reader) grow(e event) []neutral.Piece {
	p := neutral.Piece{At: strconv.Itoa(e.Index)}
	begin := func(part neutral.Part) {
		if !r.begun[e.Index] {
			r.begun[e.Index], p.Part = true, part
		}
	}
	switch d := e.Delta; {
	case d.Text != nil:
		begin(&neutral.Text{})
		p.Text = *d.Text
	case d.Call != nil:
		p.Arguments = d.Call.Input
	case d.Reason != nil:
		begin(&neutral.Reasoning{Data: d.Reason.Sealed, Raw: json.RawMessage("{}")}) // a block, however it is written
		p.Text, p.Signature = d.Reason.Text, d.Reason.Signature
	default:
		return nil
	}
	return []neutral.Piece{p}
}

// End is called when a stream has no metadata. The answer before it is whole.
func (r *reader) End() ([]neutral.Piece, error) {
	if r.stopped {
		return nil, nil
	}
	return nil, neutral.ErrBroken
}
