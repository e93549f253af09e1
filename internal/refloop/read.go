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

type callDelta struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

var errBroken = errors.New("the answer broke off")

func readWhole(body io.Reader) (*turn, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, &failure{err: fmt.Errorf("%w: %v", errBroken, err), again: true}
	}
	var a assembly
	if err := a.add(data); err != nil {
		return nil, err
	}
	return a.finish()
}

func readStream(body io.Reader) (*turn, error) {
	var a assembly
	events := eventReader{lines: newLineReader(body)}
	for {
		data, err := events.next()
		switch {
		case err == io.EOF:
			return a.finish()
		case err != nil:
			return nil, &failure{err: fmt.Errorf("%w: %v", errBroken, err), again: true}
		case string(data) == "[DONE]":
			return a.finish()
		}
		if err := a.add(data); err != nil {
			return nil, err
		}
	}
}

// assembly puts a turn together from the chunks of a stream, or from one whole answer.
type assembly struct {
	turn    turn
	byIndex map[int]int // index of a call in the stream to its place in the turn
	details detailList
}

func (a *assembly) add(data []byte) error {
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		return &failure{err: fmt.Errorf("the answer is not JSON: %w", err), again: true}
	}
	if failed := r.Error; len(failed) > 0 && string(failed) != "null" && string(failed) != `""` {
		return &failure{err: fmt.Errorf("the provider reported an error: %s", errorText(data)), again: true}
	}
	if r.Usage != nil {
		a.turn.Usage = *r.Usage // the last one counts, some providers send it more than once
	}
	for _, choice := range r.Choices {
		if choice.Finish != "" {
			a.turn.Finish = choice.Finish
		}
		for _, d := range []*delta{choice.Message, choice.Delta} {
			if d != nil {
				a.addDelta(d)
			}
		}
	}
	return nil
}

func (a *assembly) addDelta(d *delta) {
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
		a.addCall(c)
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

// addCall adds a fragment to the call of its index. In a whole answer the calls have none and stand one by one.
func (a *assembly) addCall(c callDelta) {
	at, known := 0, false
	if c.Index != nil {
		at, known = a.byIndex[*c.Index]
	}
	if !known {
		at = len(a.turn.Calls)
		a.turn.Calls = append(a.turn.Calls, call{Type: "function"})
		if c.Index != nil {
			if a.byIndex == nil {
				a.byIndex = map[int]int{}
			}
			a.byIndex[*c.Index] = at
		}
	}
	to := &a.turn.Calls[at]
	if c.ID != "" {
		to.ID = c.ID
	}
	if c.Function.Name != "" {
		to.Function.Name = c.Function.Name
	}
	to.Function.Arguments += c.Function.Arguments
}

// finish returns the turn. Without a finish word the answer is not whole, however complete it looks.
func (a *assembly) finish() (*turn, error) {
	if a.turn.Finish == "" {
		return nil, &failure{err: errBroken, again: true}
	}
	a.turn.Details = a.details.blocks()
	return &a.turn, nil
}
