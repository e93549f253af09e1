package refloop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// reply is an answer, whole or a chunk of a stream.
type reply struct {
	Choices []struct {
		Message *delta          `json:"message"`
		Delta   *delta          `json:"delta"`
		Finish  string          `json:"finish_reason"`
		Usage   *usage          `json:"usage"` // so does Moonshot: https://platform.moonshot.ai/docs/api/chat
		Error   json.RawMessage `json:"error"`
	} `json:"choices"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
	Base  struct {
		Code int `json:"status_code"`
	} `json:"base_resp"` // of MiniMax
}

// failed reports whether the provider says after all that it failed. null and "" for the error are none.
func (r *reply) failed() bool {
	for _, choice := range r.Choices {
		if says(choice.Error) || choice.Finish == "error" {
			return true
		}
	}
	return says(r.Error) || r.Base.Code != 0
}

func says(failure json.RawMessage) bool {
	return len(failure) > 0 && string(failure) != "null" && string(failure) != `""`
}

type delta struct {
	Content          *content          `json:"content"`
	Refusal          *string           `json:"refusal"`
	ReasoningContent *string           `json:"reasoning_content"`
	Reasoning        *string           `json:"reasoning"`
	ReasoningDetails []json.RawMessage `json:"reasoning_details"`
	ToolCalls        []callDelta       `json:"tool_calls"`
}

var errBroken = errors.New("the answer broke off")

func (h *chatHistory) readWhole(body io.Reader) (*turn, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, &failure{err: fmt.Errorf("%w: %v", errBroken, err), again: true}
	}
	var a assembly
	if err := a.add(data); err != nil {
		return nil, a.brokenBy(err)
	}
	return a.finish(a.chosen)
}

func (h *chatHistory) readStream(body io.Reader) (*turn, error) {
	var a assembly
	events := eventReader{lines: newLineReader(body)}
	for {
		name, data, err := events.next()
		switch {
		case err == io.EOF:
			return a.finish(false)
		case err != nil:
			return nil, a.brokenBy(fmt.Errorf("%w: %v", errBroken, err))
		case string(data) == "[DONE]":
			return a.finish(true)
		case len(data) == 0: // sent by some to keep the connection alive
			continue
		case name == "error":
			return nil, a.brokenBy(reported(data))
		}
		if err := a.add(data); err != nil {
			return nil, a.brokenBy(err)
		}
	}
}

func reported(data []byte) error {
	return fmt.Errorf("the provider reported an error: %s", errorText(data))
}

// assembly puts a turn together from the chunks of a stream, or from one whole answer.
type assembly struct {
	turn    turn
	chosen  bool // there was a choice
	calls   callList
	details detailList
}

func (a *assembly) add(data []byte) error {
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		return fmt.Errorf("the answer is not JSON: %w", err)
	}
	if r.failed() {
		return reported(data)
	}
	if r.Usage != nil {
		a.turn.Usage = *r.Usage // the last one counts, some providers send it more than once
	}
	for _, choice := range r.Choices {
		a.chosen = true
		if choice.Usage != nil {
			a.turn.Usage = *choice.Usage
		}
		if choice.Finish != "" {
			a.turn.Finish = choice.Finish
		}
		if choice.Message != nil {
			a.addDelta(choice.Message, a.calls.open)
		}
		if choice.Delta != nil {
			a.addDelta(choice.Delta, a.calls.add)
		}
	}
	return nil
}

func (a *assembly) addDelta(d *delta, addCall func(callDelta)) {
	if d.Content != nil {
		a.turn.Text += d.Content.text
		a.turn.Thought += d.Content.thought
	}
	if d.Refusal != nil {
		a.turn.Refusal += *d.Refusal
	}
	appendTo(&a.turn.ReasoningContent, d.ReasoningContent)
	appendTo(&a.turn.Reasoning, d.Reasoning)
	for _, block := range d.ReasoningDetails {
		a.details.add(block)
	}
	for _, c := range d.ToolCalls {
		addCall(c)
	}
}

// appendTo keeps the difference between reasoning that is empty and none at all.
func appendTo(to **string, piece *string) {
	switch {
	case piece == nil:
	case *to == nil:
		text := *piece
		*to = &text
	default:
		**to += *piece
	}
}

// finish returns the turn. It is whole when the provider has said so: by a finish word, or by the end mark of a stream
// or of the document. What merely stops coming is not, however complete it looks.
func (a *assembly) finish(ended bool) (*turn, error) {
	if a.turn.Finish == "" && (!ended || !a.chosen) {
		return nil, a.brokenBy(errBroken)
	}
	a.turn.Calls = a.calls.whole()
	a.turn.Details = a.details.blocks()
	a.turn.Truncated = a.turn.Finish == "length" || a.turn.Finish == "content_filter"
	return &a.turn, nil
}

// brokenBy returns the failure of an answer that did not come to its end. Another attempt may bring a whole one.
func (a *assembly) brokenBy(err error) *failure {
	a.turn.Details = a.details.blocks()
	return &failure{err: err, again: true, part: &a.turn}
}
