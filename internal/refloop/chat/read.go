package chat

import (
	"encoding/json"
	"fmt"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
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

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
}

// failed reports whether the provider says after all that it failed. null and "" for the error are
// none.
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

// content is a text, or a list of parts: in the answers of Mistral's reasoning models with the
// thinking before the text, https://docs.mistral.ai/capabilities/reasoning.
type content struct{ text, thought string }

// UnmarshalJSON reads either form.
func (c *content) UnmarshalJSON(data []byte) error {
	var parts []contentPart
	if json.Unmarshal(data, &c.text) == nil {
		return nil
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		c.text += p.Text
		for _, piece := range p.Thinking {
			c.thought += piece.Text
		}
	}
	return nil
}

// Read reads a whole answer.
func (Dialect) Read(document []byte) ([]neutral.Piece, error) {
	var r reader
	pieces, err := r.add(document)
	if err == nil {
		err = r.wholeness(r.chosen)
	}
	return append(pieces, r.calls.missingIDs()...), err
}

// Stream reads a stream of chunks.
func (Dialect) Stream() neutral.Stream { return &reader{} }

// reader reads the chunks of a stream, or one whole answer.
type reader struct {
	chosen   bool // there was a choice
	finished bool // and a reason to stop
	begun    map[string]bool
	calls    callList
	details  detailList
}

// Event reads a chunk.
func (r *reader) Event(name string, data []byte) (pieces []neutral.Piece, done bool, err error) {
	switch {
	case string(data) == "[DONE]":
		return r.calls.missingIDs(), true, r.wholeness(true)
	case name == "error":
		return nil, false, neutral.Reported(data)
	case neutral.NoObject(data):
		return nil, false, nil
	}
	pieces, err = r.add(data)
	return pieces, false, err
}

// End ends a stream that has no end mark.
func (r *reader) End() ([]neutral.Piece, error) { return r.calls.missingIDs(), r.wholeness(false) }

// wholeness is an error unless the provider has said that the answer is whole: by a reason to stop,
// or by the end mark of a stream or of the document. What merely stops coming is not, however
// complete it looks.
func (r *reader) wholeness(marked bool) error {
	if !r.finished && (!marked || !r.chosen) {
		return neutral.ErrBroken
	}
	return nil
}

func (r *reader) add(data []byte) ([]neutral.Piece, error) {
	var chunk reply
	if err := json.Unmarshal(data, &chunk); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	if chunk.failed() {
		return nil, neutral.Reported(data)
	}
	var pieces []neutral.Piece
	if chunk.Usage != nil {
		pieces = append(pieces, chunk.Usage.piece()) // the last one counts, some providers send it more than once
	}
	for _, choice := range chunk.Choices {
		r.chosen = true
		if choice.Usage != nil {
			pieces = append(pieces, choice.Usage.piece())
		}
		if choice.Finish != "" {
			r.finished = true
			pieces = append(pieces, neutral.Piece{Finish: finishOf(choice.Finish), Word: choice.Finish})
		}
		if choice.Message != nil {
			pieces = append(pieces, r.said(choice.Message, r.calls.open)...)
		}
		if choice.Delta != nil {
			pieces = append(pieces, r.said(choice.Delta, r.calls.add)...)
		}
	}
	return pieces, nil
}

func (u *usage) piece() neutral.Piece {
	return neutral.Piece{Usage: &neutral.Usage{Input: &u.PromptTokens, Output: &u.CompletionTokens}}
}

// said reads what the model says in a message or a delta.
func (r *reader) said(d *delta, addCall func(callDelta) neutral.Piece) []neutral.Piece {
	var pieces []neutral.Piece
	more := func(place string, piece *string, part neutral.Part) {
		if piece == nil {
			return
		}
		p := neutral.Piece{At: place, Text: *piece}
		if !r.begun[place] {
			if r.begun == nil {
				r.begun = map[string]bool{}
			}
			r.begun[place] = true
			p.Part = part
		}
		pieces = append(pieces, p)
	}
	// An empty reasoning is another thing than none.
	more(inReasoningContent, d.ReasoningContent, &neutral.Reasoning{Place: inReasoningContent})
	more(inReasoning, d.Reasoning, &neutral.Reasoning{Place: inReasoning})
	if d.Content != nil {
		more(inContent, unlessEmpty(&d.Content.thought), &neutral.Reasoning{Place: inContent})
		more("text", unlessEmpty(&d.Content.text), &neutral.Text{})
	}
	more("refusal", unlessEmpty(d.Refusal), &neutral.Text{Refusal: true})
	for _, raw := range d.ReasoningDetails {
		if piece, is := r.details.add(raw); is {
			pieces = append(pieces, piece)
		}
	}
	for _, c := range d.ToolCalls {
		pieces = append(pieces, addCall(c))
	}
	return pieces
}

func unlessEmpty(text *string) *string {
	if text == nil || *text == "" {
		return nil
	}
	return text
}

var finishes = map[string]neutral.Finish{
	"stop": neutral.Stop, "tool_calls": neutral.Calls, "length": neutral.Length, "content_filter": neutral.Filter, "pause_turn": neutral.Pause,
}

func finishOf(word string) neutral.Finish {
	if f, known := finishes[word]; known {
		return f
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
