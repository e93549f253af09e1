// Package cohere is the reference loop's half of Cohere's /v2/chat:
// https://docs.cohere.com/reference/chat
package cohere

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// Dialect writes and reads /v2/chat.
type Dialect struct {
	neutral.AdoptsPlain
	neutral.TakesAsItCame
	neutral.KeepsNothing
	neutral.DelaysInHeaders
	neutral.GoesBackWhole
}

// Name is the dialect's.
func (Dialect) Name() string { return "cohere-chat" }

// Traits are the dialect's.
func (Dialect) Traits() neutral.Trait {
	return neutral.TextArguments | neutral.ResultMessages | neutral.SystemMessages | neutral.AnyIDs
}

// Transcript is the form of Open Agent Loops.
func (Dialect) Transcript() string { return "open-agent-loops" }

// Path is where to ask.
func (Dialect) Path(*neutral.Request) string { return "/v2/chat" }

// Headers says who asks.
func (Dialect) Headers(r *neutral.Request, header http.Header) {
	header.Set("Authorization", "Bearer "+r.Task.APIKey)
}

// words are those of finish_reason.
var words = neutral.Words{neutral.Stop: "COMPLETE", neutral.Calls: "TOOL_CALL", neutral.Length: "MAX_TOKENS"}

// Word returns the word for a reason to stop.
func (Dialect) Word(f neutral.Finish) string { return words[f] }

func finishOf(word string) neutral.Finish {
	if word == "STOP_SEQUENCE" {
		return neutral.Stop
	}
	return words.Finish(word)
}

type (
	request struct {
		Model       string    `json:"model,omitempty"`
		Messages    []message `json:"messages"`
		Stream      bool      `json:"stream,omitempty"`
		Tools       []tool    `json:"tools,omitzero"`
		StrictTools *bool     `json:"strict_tools,omitempty"`
		Choice      string    `json:"tool_choice,omitempty"`
		Temperature *float64  `json:"temperature,omitempty"`
		Stop        []string  `json:"stop_sequences,omitempty"`
		Thinking    *thinking `json:"thinking,omitempty"`
		Format      *format   `json:"response_format,omitempty"`
	}
	message struct {
		Role    string `json:"role"`
		Content any    `json:"content,omitempty"`
		Plan    string `json:"tool_plan,omitempty"`
		Calls   []call `json:"tool_calls,omitempty"`
		CallID  string `json:"tool_call_id,omitempty"`
	}
	block struct {
		Type     string    `json:"type,omitempty"`
		Text     *string   `json:"text,omitempty"`
		Thinking *string   `json:"thinking,omitempty"`
		Image    *imageURL `json:"image_url,omitempty"`
	}
	imageURL struct {
		URL string `json:"url"`
	}
	call struct {
		ID       string   `json:"id,omitempty"`
		Type     string   `json:"type,omitempty"`
		Function function `json:"function"`
	}
	function struct {
		Name        string          `json:"name,omitempty"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
		Arguments   *string         `json:"arguments,omitempty"`
	}
	tool struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	thinking struct {
		Type string `json:"type"`
	}
	format struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"json_schema,omitempty"`
	}
)

// Write writes a request.
func (Dialect) Write(r *neutral.Request) ([]byte, error) {
	s := r.Settings
	body := request{Model: r.Model, Messages: []message{}, Stream: r.Stream, Temperature: s.Temperature, Stop: s.StopAt, Choice: choices[s.Choice]}
	if r.System != "" {
		body.Messages = append(body.Messages, message{Role: "system", Content: r.System})
	}
	for _, m := range r.Messages {
		body.Messages = append(body.Messages, messagesOf(m)...)
	}
	if r.Tools != nil {
		body.Tools = []tool{} // an empty list, if a fault needs one
	}
	for _, t := range r.Tools {
		body.Tools = append(body.Tools, tool{"function", function{Name: t.Name, Description: t.Description, Parameters: t.Parameters}})
		if strict, said := s.Strict[t.Name]; said {
			body.StrictTools = &strict // for all tools
		}
	}
	if s.NoThinking {
		body.Thinking = &thinking{"disabled"}
	}
	if s.AnswerSchema != nil {
		body.Format = &format{"json_object", s.AnswerSchema}
	}
	return neutral.JSON(body)
}

// choices are the words of tool_choice. As the model sees fit is said by none.
var choices = map[neutral.Choice]string{neutral.ChoiceRequired: "REQUIRED", neutral.ChoiceNone: "NONE"}

// messagesOf returns the messages that a neutral one is written as: each result is one of its own.
func messagesOf(m neutral.Message) (all []message) {
	if m.Role == neutral.Assistant {
		return []message{turnOf(m)}
	}
	var said []neutral.Part
	for _, p := range m.Parts {
		if r, is := p.(*neutral.Result); is {
			all = append(all, message{Role: "tool", CallID: r.CallID, Content: textOf(r)})
		} else {
			said = append(said, p)
		}
	}
	if m.Role != neutral.Tool || len(said) > 0 {
		role := m.Role
		if role == neutral.Tool { // what is alongside results the user says
			role = neutral.User
		}
		all = append(all, message{Role: string(role), Content: contentOf(said)})
	}
	return all
}

// textOf returns what a result says. It takes no image and no file, so that it says that there is one.
func textOf(r *neutral.Result) string {
	if r.Image == nil {
		return r.Text
	}
	return strings.TrimSpace(r.Text + " (with a file of the type " + r.Image.MediaType + ", which cannot be shown)")
}

// contentOf returns a text, or a list where there is more than one part.
func contentOf(parts []neutral.Part) any {
	if len(parts) == 0 {
		return ""
	}
	if t, is := parts[0].(*neutral.Text); is && len(parts) == 1 {
		return t.Text
	}
	var list []block
	for _, p := range parts {
		switch p := p.(type) {
		case *neutral.Text:
			list = append(list, block{Type: "text", Text: &p.Text})
		case *neutral.Image:
			list = append(list, block{Type: "image_url", Image: &imageURL{p.URL()}})
		}
	}
	return list
}

// turnOf writes a turn of the model. What it said beside its calls is their plan, since a text there is
// refused.
func turnOf(m neutral.Message) message {
	said := message{Role: "assistant"}
	var thoughts, texts []block
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *neutral.Reasoning:
			thoughts = append(thoughts, block{Type: "thinking", Thinking: &p.Text})
		case *neutral.Call:
			arguments := argumentsOf(p.Arguments)
			said.Calls = append(said.Calls, call{ID: p.ID, Type: "function", Function: function{Name: p.Name, Arguments: &arguments}})
		case *neutral.Text:
			texts = append(texts, block{Type: "text", Text: &p.Text})
		}
	}
	switch text := m.Text(); {
	case len(said.Calls) > 0:
		said.Plan = text
	case len(thoughts) > 0:
		thoughts = append(thoughts, texts...)
	case len(texts) > 0:
		said.Content = text
	}
	if len(thoughts) > 0 {
		said.Content = thoughts
	}
	return said
}

// argumentsOf returns the arguments of a call as the API takes them: none are an empty object.
func argumentsOf(written string) string {
	if strings.TrimSpace(written) == "" {
		return "{}"
	}
	return written
}
