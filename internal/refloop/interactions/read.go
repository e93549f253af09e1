package interactions

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// interaction is an answer that is not streamed, and what the first and the last event of a stream say
// of it.
type interaction struct {
	ID     string            `json:"id"`
	Status string            `json:"status"`
	Steps  []json.RawMessage `json:"steps"`
	Usage  *struct {
		Input   *int `json:"total_input_tokens"`
		Output  *int `json:"total_output_tokens"`
		Thought int  `json:"total_thought_tokens"`
	} `json:"usage"`
}

// Read reads a whole answer.
func (Dialect) Read(document []byte) ([]neutral.Piece, error) {
	var i interaction
	if err := json.Unmarshal(document, &i); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	if i.Status == "" && i.Steps == nil {
		if neutral.Given(neutral.Keys(document).Values["error"]) {
			return nil, neutral.Reported(document)
		}
		return nil, neutral.ErrBroken
	}
	pieces := []neutral.Piece{{Begins: &neutral.Beginning{ID: i.ID}}}
	for n, raw := range i.Steps {
		part, err := partOf(raw)
		if err != nil {
			return pieces, err
		}
		pieces = append(pieces, neutral.Piece{At: strconv.Itoa(n), Part: part})
	}
	end, err := i.end(document)
	return append(pieces, end...), err
}

// end returns why the model stopped, and the token counts. What the model thinks is counted apart.
func (i interaction) end(document []byte) (pieces []neutral.Piece, err error) {
	if u := i.Usage; u != nil {
		output := u.Output
		if output != nil {
			output = new(*output + u.Thought)
		}
		pieces = append(pieces, neutral.Piece{Usage: &neutral.Usage{Input: u.Input, Output: output}})
	}
	switch i.Status {
	case "failed", "cancelled":
		return pieces, neutral.Reported(document)
	case "", "in_progress", "queued":
		return pieces, neutral.ErrBroken
	}
	return append(pieces, neutral.Piece{Finish: words.Finish(i.Status), Word: i.Status}), nil
}

// said is what a loop reads of a step.
type said struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Signature string          `json:"signature"`
	Content   []textContent   `json:"content"`
	Summary   []textContent   `json:"summary"`
}

type textContent struct {
	Text string `json:"text"`
}

func joined(all []textContent) (text string) {
	for _, c := range all {
		text += c.Text
	}
	return text
}

// partOf reads a step. What this loop does not know stays as it is.
func partOf(raw json.RawMessage) (neutral.Part, error) {
	var s said
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("a step is not of the form that it should have: %w", err)
	}
	switch s.Type {
	case "model_output":
		return &neutral.Text{Text: joined(s.Content)}, nil
	case "function_call":
		return &neutral.Call{ID: s.ID, Name: s.Name, Arguments: string(s.Arguments)}, nil
	case "thought":
		return &neutral.Reasoning{Text: joined(s.Summary), Signature: s.Signature, Raw: raw}, nil
	}
	return &neutral.Foreign{Raw: raw}, nil
}

// event is an event of a stream: https://ai.google.dev/gemini-api/docs/interactions/streaming
type event struct {
	Type        string          `json:"event_type"`
	Index       int             `json:"index"`
	Interaction interaction     `json:"interaction"`
	Step        json.RawMessage `json:"step"`
	Delta       struct {
		Type      string      `json:"type"`
		Text      string      `json:"text"`
		Content   textContent `json:"content"`
		Signature string      `json:"signature"`
		Arguments string      `json:"arguments"`
	} `json:"delta"`
}

// Stream reads a stream of events.
func (Dialect) Stream() neutral.Stream { return &reader{} }

// reader reads the events of a stream. Events that it does not know it skips.
type reader struct{ steps, ended int }

// Event reads an event.
func (r *reader) Event(_ string, data []byte) (pieces []neutral.Piece, done bool, err error) {
	if string(data) == "[DONE]" {
		return nil, false, neutral.ErrBroken // interaction.completed comes before it
	}
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, false, fmt.Errorf("the answer is not JSON: %w", err)
	}
	at := strconv.Itoa(e.Index)
	switch e.Type {
	case "error":
		return nil, false, neutral.Reported(data)
	case "interaction.created":
		*r = reader{}
		return []neutral.Piece{{Begins: &neutral.Beginning{ID: e.Interaction.ID}}}, false, nil
	case "step.start":
		r.steps++
		part, err := partOf(e.Step)
		if call, is := part.(*neutral.Call); is && call.Arguments == "{}" { // which come in deltas
			call.Arguments = ""
		}
		return []neutral.Piece{{At: at, Part: part}}, false, err
	case "step.delta":
		d := e.Delta
		return []neutral.Piece{{At: at, Text: d.Text + d.Content.Text, Signature: d.Signature, Arguments: d.Arguments}}, false, nil
	case "step.stop":
		r.ended++
	case "interaction.completed":
		if r.ended < r.steps {
			return nil, false, neutral.ErrBroken
		}
		pieces, err := e.Interaction.end(data)
		return pieces, err == nil, err
	}
	return nil, false, nil
}

// End is called when a stream has no interaction.completed.
func (r *reader) End() ([]neutral.Piece, error) { return nil, neutral.ErrBroken }
