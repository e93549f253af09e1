// Package ollama is the reference loop's half of Ollama's /api/chat:
// https://docs.ollama.com/api/chat
package ollama

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// Dialect writes and reads /api/chat.
type Dialect struct {
	neutral.AdoptsPlain
	neutral.TakesAsItCame
	neutral.KeepsNothing
	neutral.DelaysInHeaders
	neutral.GoesBackWhole
}

// Name is the dialect's.
func (Dialect) Name() string { return "ollama-chat" }

// Traits are the dialect's.
func (Dialect) Traits() neutral.Trait {
	return neutral.ResultMessages | neutral.SystemMessages | neutral.PlainReasoning | neutral.AnyIDs | neutral.WholeCalls | neutral.LooseEnds | neutral.WordlessEnds |
		neutral.Lines | neutral.Draft
}

// Transcript is the form of Open Agent Loops.
func (Dialect) Transcript() string { return "open-agent-loops" }

// Path is where to ask.
func (Dialect) Path(*neutral.Request) string { return "/api/chat" }

// Headers says who asks: https://docs.ollama.com/api/authentication
func (Dialect) Headers(r *neutral.Request, header http.Header) {
	header.Set("Authorization", "Bearer "+r.Task.APIKey)
}

// words are those of done_reason. Calls have none.
var words = neutral.Words{neutral.Stop: "stop", neutral.Length: "length"}

// Word returns the word for a reason to stop.
func (Dialect) Word(f neutral.Finish) string {
	if f == neutral.Calls {
		return words[neutral.Stop]
	}
	return words[f]
}

type (
	request struct {
		Model    string    `json:"model"`
		Stream   bool      `json:"stream"`
		Messages []message `json:"messages"`
		Tools    []tool    `json:"tools,omitempty"`

		Format json.RawMessage `json:"format,omitempty"` // the schema of the answer
	}
	message struct {
		Role     string `json:"role"`
		Content  string `json:"content"`
		Thinking string `json:"thinking,omitempty"`
		Calls    []call `json:"tool_calls,omitempty"`
		ToolName string `json:"tool_name,omitempty"`
	}
	call struct {
		Function function `json:"function"`
	}
	function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
		Arguments   json.RawMessage `json:"arguments,omitempty"`
	}
	tool struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	line struct {
		Message message         `json:"message"`
		Done    bool            `json:"done"`
		Reason  string          `json:"done_reason"`
		Prompt  *int            `json:"prompt_eval_count"`
		Count   *int            `json:"eval_count"`
		Error   json.RawMessage `json:"error"`
	}
)

// Write writes a request.
func (Dialect) Write(r *neutral.Request) ([]byte, error) {
	body := request{Model: r.Model, Stream: r.Stream, Format: r.Settings.AnswerSchema}
	if r.System != "" {
		body.Messages = append(body.Messages, message{Role: "system", Content: r.System})
	}
	for _, m := range r.Messages {
		for _, result := range m.Results() {
			body.Messages = append(body.Messages, message{Role: "tool", Content: result.Text, ToolName: result.Name})
		}
		if m.Role == neutral.Tool {
			continue
		}
		said := message{Role: string(m.Role), Content: m.Text()}
		for _, thought := range m.Reasoning() {
			said.Thinking += thought.Text
		}
		for _, c := range m.Calls() {
			said.Calls = append(said.Calls, call{function{Name: c.Name, Arguments: neutral.ObjectArguments(c.Arguments)}})
		}
		body.Messages = append(body.Messages, said)
	}
	for _, t := range r.Tools {
		body.Tools = append(body.Tools, tool{"function", function{Name: t.Name, Description: t.Description, Parameters: t.Parameters}})
	}
	return neutral.JSON(body)
}

// Read reads a whole answer.
func (d Dialect) Read(document []byte) ([]neutral.Piece, error) {
	return neutral.ReadWhole(d.Stream(), document)
}

// Stream reads the lines of an answer.
func (Dialect) Stream() neutral.Stream { return &reader{} }

// reader puts an answer together. A call is whole in its line, and has no id, so that it gets one.
type reader struct{ text, thinking, calls bool }

// Event reads a line.
func (r *reader) Event(_ string, data []byte) (pieces []neutral.Piece, done bool, err error) {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, false, fmt.Errorf("the answer is not JSON: %w", err)
	}
	if neutral.Given(l.Error) {
		return nil, false, neutral.Reported(data)
	}
	says := func(at, text string, begun *bool, part neutral.Part) {
		if text == "" {
			return
		}
		p := neutral.Piece{At: at, Text: text}
		if !*begun {
			*begun, p.Part = true, part
		}
		pieces = append(pieces, p)
	}
	says("thinking", l.Message.Thinking, &r.thinking, &neutral.Reasoning{})
	says("text", l.Message.Content, &r.text, &neutral.Text{})
	for _, c := range l.Message.Calls {
		r.calls = true
		made := &neutral.Call{ID: "call_" + rand.Text()[:24], Name: c.Function.Name, Arguments: neutral.WrittenArguments(c.Function.Arguments)}
		pieces = append(pieces, neutral.Piece{Part: made})
	}
	if !l.Done {
		return pieces, false, nil
	}
	finish := words.Finish(l.Reason)
	if finish == neutral.Stop && r.calls {
		finish = neutral.Calls
	}
	return append(pieces, neutral.Piece{Finish: finish, Word: l.Reason, Usage: &neutral.Usage{Input: l.Prompt, Output: l.Count}}), true, nil
}

// End is called when a stream ends before its last line.
func (r *reader) End() ([]neutral.Piece, error) { return nil, neutral.ErrBroken }
