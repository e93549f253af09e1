package converse

import (
	"encoding/json"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// The types of https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html, as
// far as a loop needs them.
type (
	request struct {
		Messages  []message       `json:"messages"`
		System    []block         `json:"system,omitempty"`
		Inference *inference      `json:"inferenceConfig,omitempty"`
		Tools     *toolConfig     `json:"toolConfig,omitempty"`
		Output    *outputConfig   `json:"outputConfig,omitempty"`
		Tier      *tier           `json:"serviceTier,omitempty"`
		More      json.RawMessage `json:"additionalModelRequestFields,omitempty"` // of the model's maker
	}
	message struct {
		Role    string            `json:"role"`
		Content []json.RawMessage `json:"content"`
	}
	block struct {
		Text   *string  `json:"text,omitempty"`
		Call   *toolUse `json:"toolUse,omitempty"`
		Result *result  `json:"toolResult,omitempty"`
		Image  *media   `json:"image,omitempty"`
		File   *media   `json:"document,omitempty"`
		Reason *reason  `json:"reasoningContent,omitempty"`
	}
	toolUse struct {
		ID    string          `json:"toolUseId,omitempty"`
		Name  string          `json:"name,omitempty"`
		Input json.RawMessage `json:"input,omitempty"`
	}
	result struct {
		ID      string  `json:"toolUseId,omitempty"`
		Content []block `json:"content"`
		Status  string  `json:"status,omitempty"`
	}
	media struct {
		Format string `json:"format"`
		Name   string `json:"name,omitempty"` // of a document
		Source source `json:"source"`
	}
	source struct {
		Bytes []byte `json:"bytes"` // encoding/json writes base64
	}
	reason struct {
		Text   *reasonText `json:"reasoningText,omitempty"`
		Sealed string      `json:"redactedContent,omitempty"`
	}
	reasonText struct {
		Text      string `json:"text"`
		Signature string `json:"signature,omitempty"`
	}
	inference struct {
		MaxTokens   int      `json:"maxTokens,omitempty"`
		Temperature *float64 `json:"temperature,omitempty"`
		Stop        []string `json:"stopSequences,omitempty"`
	}
	toolConfig struct {
		Tools  []tool                     `json:"tools"`
		Choice map[string]json.RawMessage `json:"toolChoice,omitempty"`
	}
	tool struct {
		Spec toolSpec `json:"toolSpec"`
	}
	toolSpec struct {
		Name        string      `json:"name,omitempty"`
		Description string      `json:"description,omitempty"`
		InputSchema inputSchema `json:"inputSchema"`
		Strict      *bool       `json:"strict,omitempty"`
	}
	inputSchema struct {
		JSON json.RawMessage `json:"json"`
	}
	tier struct {
		Type string `json:"type"`
	}
	outputConfig struct {
		Format *textFormat `json:"textFormat,omitempty"`
		Effort string      `json:"effort,omitempty"`
	}
	textFormat struct {
		Type      string    `json:"type"`
		Structure structure `json:"structure"`
	}
	structure struct {
		Schema jsonSchema `json:"jsonSchema"`
	}
	jsonSchema struct {
		Schema string `json:"schema"` // JSON in a text
	}
)

// Write writes a request.
func (Dialect) Write(r *neutral.Request) ([]byte, error) {
	body := request{Messages: []message{}, Tools: toolsOf(r), Output: outputOf(r.Settings), More: thinkingFor(r)}
	if r.System != "" {
		body.System = []block{{Text: &r.System}}
	}
	switch word := r.Settings.Tier; word {
	case "":
	case "auto":
		body.Tier = &tier{"default"}
	default:
		body.Tier = &tier{word}
	}
	if s := r.Settings; s.Temperature != nil || s.StopAt != nil {
		body.Inference = &inference{Temperature: s.Temperature, Stop: s.StopAt}
	}
	for _, m := range r.Messages {
		role := m.Role
		if role == neutral.Tool { // the user hands the results over
			role = neutral.User
		}
		said := message{Role: string(role), Content: []json.RawMessage{}}
		for _, p := range m.Parts {
			b, err := neutral.JSON(blockOf(p))
			if err != nil {
				return nil, err
			}
			said.Content = append(said.Content, b)
		}
		if last := len(body.Messages) - 1; m.Role == neutral.User && len(m.Parts) > 0 && last >= 0 && body.Messages[last].Role == said.Role { // two in a row are refused
			body.Messages[last].Content = append(body.Messages[last].Content, said.Content...)
			continue
		}
		body.Messages = append(body.Messages, said)
	}
	return neutral.JSON(body)
}

func toolsOf(r *neutral.Request) *toolConfig {
	if r.Tools == nil {
		return nil
	}
	c := &toolConfig{Tools: []tool{}} // an empty list, if a fault needs one
	for _, t := range r.Tools {
		spec := toolSpec{Name: t.Name, Description: t.Description, InputSchema: inputSchema{t.Parameters}}
		if strict, said := r.Settings.Strict[t.Name]; said {
			spec.Strict = &strict
		}
		c.Tools = append(c.Tools, tool{spec})
	}
	switch r.Settings.Choice {
	case neutral.ChoiceAuto:
		c.Choice = map[string]json.RawMessage{"auto": json.RawMessage("{}")}
	case neutral.ChoiceRequired:
		c.Choice = map[string]json.RawMessage{"any": json.RawMessage("{}")}
	}
	return c
}

func outputOf(s neutral.Settings) *outputConfig {
	if s.AnswerSchema == nil && s.Effort == "" {
		return nil
	}
	c := &outputConfig{Effort: s.Effort}
	if s.AnswerSchema != nil {
		c.Format = &textFormat{Type: "json_schema", Structure: structure{jsonSchema{string(s.AnswerSchema)}}}
	}
	return c
}

// thinkingFor asks for the model's reasoning in the words of its maker.
func thinkingFor(r *neutral.Request) json.RawMessage {
	switch {
	case r.Settings.NoThinking:
		return nil
	case r.Task.Profile == "bedrock-nova": // https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
		return json.RawMessage(`{"reasoningConfig":{"type":"enabled","maxReasoningEffort":"low"}}`)
	}
	return json.RawMessage(`{"thinking":{"type":"adaptive"}}`)
}

// blockOf writes a part: what the model said as it came, but for what was changed of it.
func blockOf(p neutral.Part) any {
	switch p := p.(type) {
	case *neutral.Text:
		return block{Text: &p.Text}
	case *neutral.Reasoning:
		if p.Data != "" {
			return block{Reason: &reason{Sealed: p.Data}}
		}
		return block{Reason: &reason{Text: &reasonText{p.Text, p.Signature}}}
	case *neutral.Call:
		return block{Call: &toolUse{p.ID, p.Name, neutral.ObjectArguments(p.Arguments)}}
	case *neutral.Result:
		return block{Result: resultOf(p)}
	case *neutral.Image:
		return mediaOf(p)
	case *neutral.Foreign:
		return p.Raw
	}
	panic("converse: there is no other part")
}

// resultOf writes a result. A tool that returned nothing has a list without blocks, since a text that
// says nothing is refused.
func resultOf(r *neutral.Result) *result {
	written := &result{ID: r.CallID, Content: []block{}}
	if r.Failed {
		written.Status = "error"
	}
	if strings.TrimSpace(r.Text) != "" {
		written.Content = append(written.Content, block{Text: &r.Text})
	}
	if r.Image != nil {
		written.Content = append(written.Content, mediaOf(r.Image))
	}
	return written
}

// mediaOf writes an image, or a document:
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
func mediaOf(p *neutral.Image) block {
	_, format, _ := strings.Cut(p.MediaType, "/")
	m := &media{Format: format, Source: source{p.Data}}
	if p.IsPDF() {
		m.Name = "document"
		return block{File: m}
	}
	return block{Image: m}
}
