package cohere

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// reply is an answer that is not streamed, and what is under the key delta of the last event.
type reply struct {
	ID      string   `json:"id"`
	Message *content `json:"message"`
	Finish  string   `json:"finish_reason"`
	Error   string   `json:"error"`
	Usage   struct {
		Tokens struct {
			Input  *int `json:"input_tokens"`
			Output *int `json:"output_tokens"`
		} `json:"tokens"`
	} `json:"usage"`
}

type content struct {
	Blocks []block `json:"content"`
	Plan   string  `json:"tool_plan"`
	Calls  []call  `json:"tool_calls"`
}

// Read reads a whole answer.
func (Dialect) Read(document []byte) ([]neutral.Piece, error) {
	var r reply
	switch err := json.Unmarshal(document, &r); {
	case !json.Valid(document):
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	case err != nil || r.Message == nil && r.Finish == "": // an error has a text for the message
		return nil, neutral.Reported(document)
	case r.Message == nil:
		return nil, neutral.ErrBroken
	}
	pieces := []neutral.Piece{{Begins: &neutral.Beginning{ID: r.ID}}}
	for i, b := range r.Message.Blocks {
		if part := b.part(); part != nil {
			pieces = append(pieces, neutral.Piece{At: "content " + strconv.Itoa(i), Part: part})
		}
	}
	if r.Message.Plan != "" {
		pieces = append(pieces, neutral.Piece{At: plan, Part: &neutral.Text{Text: r.Message.Plan}})
	}
	for i, c := range r.Message.Calls {
		pieces = append(pieces, neutral.Piece{At: callAt(i), Part: c.part()})
	}
	end, err := r.end(document)
	return append(pieces, end), err
}

const plan = "plan"

func callAt(index int) string { return "call " + strconv.Itoa(index) }

func (b block) part() neutral.Part {
	switch {
	case b.Thinking != nil:
		return &neutral.Reasoning{Text: *b.Thinking}
	case b.Text != nil:
		return &neutral.Text{Text: *b.Text}
	}
	return nil
}

func (c call) part() *neutral.Call {
	made := &neutral.Call{ID: c.ID, Name: c.Function.Name}
	if c.Function.Arguments != nil {
		made.Arguments = *c.Function.Arguments
	}
	return made
}

// end says why the model stopped. One that failed, or that took too long, gave no answer.
func (r *reply) end(document []byte) (neutral.Piece, error) {
	switch r.Finish {
	case "ERROR", "TIMEOUT":
		return neutral.Piece{}, neutral.Reported([]byte(`{"message":` + strconv.Quote(r.Finish+" "+r.Error) + `}`))
	case "":
		return neutral.Piece{}, neutral.ErrBroken
	}
	return neutral.Piece{Finish: finishOf(r.Finish), Word: r.Finish, Usage: &neutral.Usage{Input: r.Usage.Tokens.Input, Output: r.Usage.Tokens.Output}}, nil
}

// event is an event of a stream: https://docs.cohere.com/docs/tool-use-streaming
type event struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Index int             `json:"index"`
	Delta json.RawMessage `json:"delta"`
}

// said is the message in the delta of an event that adds to it.
type said struct {
	Message struct {
		Content block  `json:"content"`
		Plan    string `json:"tool_plan"`
		Call    call   `json:"tool_calls"`
	} `json:"message"`
}

// Stream reads a stream of events.
func (Dialect) Stream() neutral.Stream { return &reader{} }

// reader reads the events of a stream. Events that it does not know it skips.
type reader struct{ planned, ended bool }

// Event reads an event. The mark [DONE] ends the answer.
func (r *reader) Event(_ string, data []byte) (pieces []neutral.Piece, done bool, err error) {
	if string(data) == "[DONE]" {
		_, err := r.End()
		return nil, true, err
	}
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, false, fmt.Errorf("the answer is not JSON: %w", err)
	}
	var d said
	switch e.Type {
	case "message-start":
		return []neutral.Piece{{Begins: &neutral.Beginning{ID: e.ID}}}, false, nil
	case "message-end":
		var last reply
		if err := json.Unmarshal(e.Delta, &last); err != nil {
			return nil, false, fmt.Errorf("the end of the answer is not JSON: %w", err)
		}
		r.ended = true
		end, err := last.end(data)
		return []neutral.Piece{end}, false, err
	case "content-start", "content-delta", "tool-plan-delta", "tool-call-start", "tool-call-delta":
		if err := json.Unmarshal(e.Delta, &d); err != nil {
			return nil, false, fmt.Errorf("an event of the answer is not JSON: %w", err)
		}
	}
	return r.grow(e, d), false, nil
}

func (r *reader) grow(e event, d said) []neutral.Piece {
	m := d.Message
	p := neutral.Piece{At: "content " + strconv.Itoa(e.Index)}
	switch e.Type {
	case "content-start":
		if p.Part = m.Content.part(); p.Part == nil {
			return nil
		}
	case "content-delta":
		switch {
		case m.Content.Text != nil:
			p.Text = *m.Content.Text
		case m.Content.Thinking != nil:
			p.Text = *m.Content.Thinking
		}
	case "tool-plan-delta":
		p = neutral.Piece{At: plan, Text: m.Plan}
		if !r.planned {
			r.planned, p.Part = true, &neutral.Text{}
		}
	case "tool-call-start":
		p = neutral.Piece{At: callAt(e.Index), Part: m.Call.part()}
	case "tool-call-delta":
		if m.Call.Function.Arguments == nil {
			return nil
		}
		p = neutral.Piece{At: callAt(e.Index), Arguments: *m.Call.Function.Arguments}
	default:
		return nil
	}
	return []neutral.Piece{p}
}

// End is called when a stream has no mark at its end. The answer before it is whole if it said why the
// model stopped.
func (r *reader) End() ([]neutral.Piece, error) {
	if r.ended {
		return nil, nil
	}
	return nil, neutral.ErrBroken
}
