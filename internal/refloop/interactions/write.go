package interactions

import (
	"encoding/json"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// The types of https://ai.google.dev/api/interactions-api, as far as a loop needs them.
type (
	request struct {
		Model       string            `json:"model,omitempty"`
		Instruction string            `json:"system_instruction,omitempty"`
		Input       []json.RawMessage `json:"input"`
		Tools       []tool            `json:"tools,omitzero"`
		Config      config            `json:"generation_config"`
		Format      *format           `json:"response_format,omitempty"`
		Tier        string            `json:"service_tier,omitempty"`
		Stream      bool              `json:"stream,omitempty"`
		Store       bool              `json:"store"`
		Previous    string            `json:"previous_interaction_id,omitempty"`
	}
	tool struct {
		Type        string          `json:"type"`
		Name        string          `json:"name,omitempty"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	}
	config struct {
		Temperature *float64 `json:"temperature,omitempty"`
		Stop        []string `json:"stop_sequences,omitempty"`
		Choice      string   `json:"tool_choice,omitempty"`
		Level       string   `json:"thinking_level,omitempty"`
		Summaries   string   `json:"thinking_summaries,omitempty"`
	}
	format struct {
		Type      string          `json:"type"`
		MediaType string          `json:"mime_type"`
		Schema    json.RawMessage `json:"schema"`
	}
	step struct {
		Type      string          `json:"type"`
		Content   []content       `json:"content,omitzero"`
		Summary   []content       `json:"summary,omitempty"`
		Signature string          `json:"signature,omitempty"`
		ID        string          `json:"id,omitempty"`
		CallID    string          `json:"call_id,omitempty"`
		Name      string          `json:"name,omitempty"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
		Result    any             `json:"result,omitempty"` // a text, or a list of contents
		Failed    bool            `json:"is_error,omitempty"`
	}
	content struct {
		Type      string  `json:"type"`
		Text      *string `json:"text,omitempty"` // of a text
		Data      []byte  `json:"data,omitempty"` // encoding/json writes base64
		MediaType string  `json:"mime_type,omitempty"`
	}
)

// choices are the words for whether the model calls tools.
var choices = map[neutral.Choice]string{neutral.ChoiceAuto: "auto", neutral.ChoiceRequired: "any", neutral.ChoiceNone: "none"}

// Write writes a request, which asks to see what the model thinks.
func (Dialect) Write(r *neutral.Request) ([]byte, error) {
	s := r.Settings
	body := request{
		Model: r.Model, Instruction: r.System, Input: []json.RawMessage{}, Tier: s.Tier, Stream: r.Stream, Store: r.Keep, Previous: r.Previous,
		Config: config{Temperature: s.Temperature, Stop: s.StopAt, Choice: choices[s.Choice], Level: s.Effort, Summaries: "auto"},
	}
	if body.Tier == "auto" { // the word of others for it
		body.Tier = "standard"
	}
	if s.NoThinking {
		body.Config.Level, body.Config.Summaries = "minimal", "none"
	}
	if s.AnswerSchema != nil {
		body.Format = &format{Type: "text", MediaType: "application/json", Schema: s.AnswerSchema}
	}
	if r.Tools != nil {
		body.Tools = []tool{} // an empty list, if a fault needs one
	}
	for _, t := range r.Tools {
		body.Tools = append(body.Tools, tool{"function", t.Name, t.Description, t.Parameters})
	}
	messages := r.Messages
	if len(messages) > 0 && messages[0].Role == neutral.System { // there is no such step: it joins the instruction
		body.Instruction, messages = body.Instruction+"\n"+messages[0].Text(), messages[1:]
	}
	for _, m := range messages {
		for _, said := range stepsOf(m) {
			raw, err := neutral.JSON(said)
			if err != nil {
				return nil, err
			}
			body.Input = append(body.Input, raw)
		}
	}
	return neutral.JSON(body)
}

// stepsOf writes a message as steps: one for each thought, call and result, and one for the texts and
// images that are together.
func stepsOf(m neutral.Message) (steps []any) {
	kind := "user_input"
	if m.Role == neutral.Assistant {
		kind = "model_output"
	}
	var spoken []content
	say := func() {
		if spoken != nil {
			steps, spoken = append(steps, step{Type: kind, Content: spoken}), nil
		}
	}
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *neutral.Text:
			spoken = append(spoken, textOf(p.Text))
			continue
		case *neutral.Image:
			spoken = append(spoken, imageOf(p))
			continue
		default:
			say()
		}
		steps = append(steps, stepOf(p))
	}
	if say(); len(steps) == 0 && m.Role == neutral.User {
		steps = append(steps, step{Type: kind, Content: []content{}})
	}
	return steps
}

func stepOf(p neutral.Part) any {
	switch p := p.(type) {
	case *neutral.Reasoning:
		return step{Type: "thought", Summary: texts(p.Text), Signature: p.Signature + p.Data}
	case *neutral.Call:
		return step{Type: "function_call", ID: p.ID, Name: p.Name, Arguments: neutral.ObjectArguments(p.Arguments)}
	case *neutral.Result:
		return resultOf(p)
	case *neutral.Foreign:
		return p.Raw
	}
	panic("interactions: there is no other part")
}

func texts(text string) []content {
	if text == "" {
		return nil
	}
	return []content{textOf(text)}
}

func textOf(text string) content { return content{Type: "text", Text: &text} }

// resultOf writes a result, with the name of its tool: one without was seen to be refused,
// https://github.com/robocurve/inspect-robots/issues/380
func resultOf(r *neutral.Result) step {
	s := step{Type: "function_result", CallID: r.CallID, Name: r.Name, Result: r.Text, Failed: r.Failed}
	if r.Image != nil {
		s.Result = append(texts(r.Text), imageOf(r.Image))
	}
	return s
}

func imageOf(p *neutral.Image) content {
	if p.IsPDF() {
		return content{Type: "document", Data: p.Data, MediaType: p.MediaType}
	}
	return content{Type: "image", Data: p.Data, MediaType: p.MediaType}
}
