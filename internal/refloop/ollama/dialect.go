// Package ollama is the reference loop's half of Ollama's /api/chat:
// https://docs.ollama.com/api/chat
package ollama

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

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
	return neutral.ResultMessages | neutral.SystemMessages | neutral.PlainReasoning | neutral.WholeCalls | neutral.LooseEnds | neutral.WordlessEnds |
		neutral.ImagesInResults | neutral.NeverBarred | neutral.CallsByName |
		neutral.TextReasoning | neutral.PlainContents | neutral.Keyless | neutral.Lines
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

		Format  json.RawMessage `json:"format,omitempty"` // the schema of the answer
		Options *options        `json:"options,omitempty"`
		Think   any             `json:"think,omitempty"`
	}
	options struct {
		Temperature *float64 `json:"temperature,omitempty"`
		Stop        []string `json:"stop,omitempty"`
	}
	message struct {
		Role     string   `json:"role"`
		Content  string   `json:"content"`
		Images   [][]byte `json:"images,omitempty"` // encoding/json writes base64
		Thinking string   `json:"thinking,omitempty"`
		Calls    []call   `json:"tool_calls,omitempty"`
		ToolName string   `json:"tool_name,omitempty"`
		CallID   string   `json:"tool_call_id,omitempty"`
	}
	call struct {
		ID       string   `json:"id,omitempty"`
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
	body := request{Model: r.Model, Stream: r.Stream, Format: r.Settings.AnswerSchema, Think: thinkOf(r.Settings)}
	if s := r.Settings; s.Temperature != nil || s.StopAt != nil {
		body.Options = &options{s.Temperature, s.StopAt}
	}
	if r.System != "" {
		body.Messages = append(body.Messages, message{Role: "system", Content: r.System})
	}
	var shown []message // by the user, behind the results
	for _, m := range r.Messages {
		if m.Role != neutral.Tool {
			body.Messages, shown = append(body.Messages, shown...), nil
		}
		for _, result := range m.Results() {
			said := message{Role: "tool", Content: result.Text, ToolName: result.Name}
			if r.ByIDs {
				said.CallID = result.CallID
			}
			if result.Image != nil {
				said.show(result.Image)
			}
			body.Messages = append(body.Messages, said)
		}
		said := message{Role: string(m.Role), Content: m.Text()}
		for _, thought := range m.Reasoning() {
			said.Thinking += thought.Text
		}
		for _, image := range neutral.Of[*neutral.Image](m.Parts) {
			said.show(image)
		}
		for _, c := range m.Calls() {
			made := call{Function: function{Name: c.Name, Arguments: neutral.ObjectArguments(c.Arguments)}}
			if r.ByIDs {
				made.ID = c.ID
			}
			said.Calls = append(said.Calls, made)
		}
		switch {
		case m.Role != neutral.Tool:
			body.Messages = append(body.Messages, said)
		case len(m.Results()) < len(m.Parts):
			said.Role = "user"
			shown = append(shown, said)
		}
	}
	body.Messages = append(body.Messages, shown...)
	for _, t := range r.Tools {
		body.Tools = append(body.Tools, tool{"function", function{Name: t.Name, Description: t.Description, Parameters: t.Parameters}})
	}
	return neutral.JSON(body)
}

// show shows an image. There is no place for a file, so that the model is told of it.
func (m *message) show(p *neutral.Image) {
	if p.IsPDF() {
		m.Content = strings.TrimSpace(m.Content + "\n(a file of the type " + p.MediaType + ")")
		return
	}
	m.Images = append(m.Images, p.Data)
}

// thinkOf returns how hard the model is to think, nil where that is left to it.
func thinkOf(s neutral.Settings) any {
	switch {
	case s.NoThinking:
		return false
	case s.Effort != "":
		return s.Effort
	}
	return nil
}

// Read reads a whole answer.
func (d Dialect) Read(document []byte) ([]neutral.Piece, error) {
	return neutral.ReadWhole(d.Stream(), document)
}

// Stream reads the lines of an answer.
func (Dialect) Stream() neutral.Stream { return &reader{} }

// reader puts an answer together. A call is whole in its line. One without an id gets one.
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
		made := &neutral.Call{ID: cmp.Or(c.ID, "call_"+rand.Text()[:24]), Name: c.Function.Name, Arguments: neutral.WrittenArguments(c.Function.Arguments)}
		pieces = append(pieces, neutral.Piece{At: made.ID, Part: made})
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
