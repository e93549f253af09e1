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
		Message *delta `json:"message"`
		Delta   *delta `json:"delta"`
		Finish  string `json:"finish_reason"`
		Usage   *usage `json:"usage"` // so does Moonshot: https://platform.moonshot.ai/docs/api/chat
	} `json:"choices"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type delta struct {
	Content          *string           `json:"content"`
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
	return a.finish()
}

func (h *chatHistory) readStream(body io.Reader) (*turn, error) {
	var a assembly
	events := eventReader{lines: newLineReader(body)}
	for {
		data, err := events.next()
		switch {
		case err == io.EOF:
			return a.finish()
		case err != nil:
			return nil, a.brokenBy(fmt.Errorf("%w: %v", errBroken, err))
		case string(data) == "[DONE]":
			return a.finish()
		}
		if err := a.add(data); err != nil {
			return nil, a.brokenBy(err)
		}
	}
}

// assembly puts a turn together from the chunks of a stream, or from one whole answer.
type assembly struct {
	turn    turn
	calls   callList
	details detailList
}

func (a *assembly) add(data []byte) error {
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		return fmt.Errorf("the answer is not JSON: %w", err)
	}
	if failed := r.Error; len(failed) > 0 && string(failed) != "null" && string(failed) != `""` {
		return fmt.Errorf("the provider reported an error: %s", errorText(data))
	}
	if r.Usage != nil {
		a.turn.Usage = *r.Usage // the last one counts, some providers send it more than once
	}
	for _, choice := range r.Choices {
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
		a.turn.Text += *d.Content
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

// finish returns the turn. Without a finish word the answer is not whole, however complete it looks.
func (a *assembly) finish() (*turn, error) {
	switch a.turn.Finish {
	case "":
		return nil, a.brokenBy(errBroken)
	case "error": // so Mistral and OpenRouter end an answer that failed
		return nil, a.brokenBy(errors.New("the provider ended its answer with an error"))
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
