// Package messages is the reference loop's half of Anthropic's Messages API:
// https://platform.claude.com/docs/en/api/messages
//
//	body, err := messages.Dialect{}.Write(&neutral.Request{Model: "m", Messages: history})
package messages

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Dialect writes and reads Messages.
type Dialect struct {
	neutral.DelaysInHeaders
	neutral.TakesAsItCame
}

// Name is the dialect's.
func (Dialect) Name() string { return "messages" }

// Traits are the dialect's.
func (Dialect) Traits() neutral.Trait {
	return neutral.OrderedParts | neutral.ErrorFlags | neutral.ImagesInResults | neutral.KeptHistory | neutral.Pauses | neutral.WordlessEnds | neutral.CompactedHistory
}

// Transcript is the form of the API itself.
func (Dialect) Transcript() string { return "anthropic" }

// Path is where to ask: clouds have paths of their own.
func (Dialect) Path(r *neutral.Request) string {
	if path := providers[r.Task.Profile].door.path; path != nil {
		return path(r)
	}
	return "/v1/messages"
}

// Headers says who asks, and for which version, which clouds have in the body.
func (Dialect) Headers(r *neutral.Request, header http.Header) {
	if providers[r.Task.Profile].door.path != nil {
		header.Set("Authorization", "Bearer "+r.Task.APIKey)
		return
	}
	header.Set("X-Api-Key", r.Task.APIKey)
	header.Set("Anthropic-Version", "2023-06-01")
	var betas []string
	if r.Keep {
		betas = append(betas, threadsBeta)
	}
	if r.CompactAt > 0 {
		betas = append(betas, compactionBeta)
	}
	if betas != nil {
		header.Set("Anthropic-Beta", strings.Join(betas, ","))
	}
}

// compactionBeta is the name of https://platform.claude.com/docs/en/build-with-claude/compaction
const compactionBeta = "compact-2026-01-12"

// Echo returns the turn as it came: signed blocks are refused when a byte of them changes. Only
// texts that say nothing, which a model writes now and then, are refused themselves, and so is an
// input that is not an object.
func (Dialect) Echo(_ protocol.Task, t *neutral.Turn) []neutral.Message {
	parts := slices.DeleteFunc(slices.Clone(t.Parts), func(p neutral.Part) bool {
		text, is := p.(*neutral.Text)
		return is && strings.TrimSpace(text.Text) == ""
	})
	if len(parts) == 0 {
		return nil
	}
	return []neutral.Message{{Role: neutral.Assistant, Parts: Returned(parts)}}
}

// Adopt returns what was said, with inputs that the provider takes.
func (Dialect) Adopt(m neutral.Message) neutral.Message { return neutral.PlainObjects(m) }

// Returned returns the parts of a turn with inputs that the provider takes back. One that is not
// JSON is as a text in an object, for the model to see what it wrote:
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming
func Returned(parts []neutral.Part) []neutral.Part {
	parts = slices.Clone(parts)
	for i, p := range parts {
		call, is := p.(*neutral.Call)
		if !is || isInput(call.Arguments) {
			continue
		}
		back := *call
		back.Arguments = "{}"
		if call.Arguments != "null" { // which stands for no arguments
			input, _ := json.Marshal(map[string]string{"INVALID_JSON": call.Arguments}) // a map of texts can always be written
			back.Arguments = string(input)
		}
		parts[i] = &back
	}
	return parts
}

// isInput reports whether the arguments of a call can be its input.
func isInput(arguments string) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal([]byte(arguments), &object) == nil && object != nil
}

// Answer returns one message with all results.
func (Dialect) Answer(_ protocol.Task, results []*neutral.Result) []neutral.Message {
	m := neutral.Message{Role: neutral.Tool}
	for _, r := range results {
		m.Parts = append(m.Parts, r)
	}
	return []neutral.Message{m}
}

// maxTokens is how long an answer may be, and budget how much of that the model may think.
const (
	maxTokens = 16_000
	budget    = 4_000
)

// Write writes a request.
func (Dialect) Write(r *neutral.Request) ([]byte, error) {
	body := request{
		Model: r.Model, MaxTokens: maxTokens, System: r.System, Thinking: thinkingFor(r),
		Messages: []message{}, Stream: r.Stream, Thread: threadOf(r), Container: r.Container, Context: contextOf(r), settings: settingsOf(r.Settings),
	}
	if at := providers[r.Task.Profile].door; at.path != nil {
		body.Version, body.Model, body.Stream = at.version, "", r.Stream && !at.streamsByPath
	}
	for _, m := range r.Messages {
		written, err := messageOf(m)
		if err != nil {
			return nil, err
		}
		body.Messages = append(body.Messages, written)
	}
	if r.Tools != nil {
		body.Tools = []tool{} // an empty list, if a fault needs one
	}
	for _, t := range r.Tools {
		body.Tools = append(body.Tools, toolOf(r, t))
	}
	if slices.ContainsFunc(r.Tools, func(t protocol.Tool) bool { return t.Programmatic }) {
		body.Tools = append(body.Tools, tool{Type: codeRunner, Name: "code_execution"})
	}
	return neutral.JSON(body)
}

// codeRunner is the type of the tool by which code of the provider calls tools:
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling
const codeRunner = "code_execution_20260120"

func toolOf(r *neutral.Request, t protocol.Tool) tool {
	offered := tool{Name: t.Name, Description: t.Description, InputSchema: t.Parameters}
	if t.Programmatic {
		offered.AllowedCallers = []string{"direct", codeRunner}
	}
	if strict, said := r.Settings.Strict[t.Name]; said {
		offered.Strict = &strict
	}
	return offered
}

func settingsOf(s neutral.Settings) settings {
	written := settings{Temperature: s.Temperature, StopSequences: s.StopAt, ServiceTier: s.Tier}
	if s.Choice != "" || s.SeveralCalls != nil {
		written.ToolChoice = choiceOf(s)
	}
	if s.User != "" {
		written.Metadata = &metadata{UserID: s.User}
	}
	if s.Effort != "" || s.AnswerSchema != nil {
		written.OutputConfig = &outputConfig{Effort: s.Effort}
	}
	if s.AnswerSchema != nil {
		written.OutputConfig.Format = &format{Type: "json_schema", Schema: s.AnswerSchema}
	}
	return written
}

func choiceOf(s neutral.Settings) *toolChoice {
	c := &toolChoice{Type: "auto"}
	switch s.Choice {
	case neutral.ChoiceRequired:
		c.Type = "any"
	case neutral.ChoiceNone:
		c.Type = "none"
	}
	if s.SeveralCalls != nil {
		oneCall := !*s.SeveralCalls
		c.OneCall = &oneCall
	}
	return c
}

// messageOf writes a message: a list of blocks. One without any part is an empty text of the user,
// or a turn that is null.
func messageOf(m neutral.Message) (message, error) {
	if m.Role == neutral.Tool { // the user hands the results over
		m.Role = neutral.User
	}
	if len(m.Parts) == 0 && m.Role != neutral.Assistant {
		return message{Role: string(m.Role), Content: ""}, nil
	}
	blocks, err := Blocks(m.Parts)
	return message{Role: string(m.Role), Content: blocks}, err
}

// Blocks writes parts as blocks.
func Blocks(parts []neutral.Part) ([]json.RawMessage, error) {
	var blocks []json.RawMessage
	for _, p := range parts {
		b, err := blockOf(p)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

// blockOf writes a part: as it came, but for what was changed of it.
func blockOf(p neutral.Part) (json.RawMessage, error) {
	switch p := p.(type) {
	case *neutral.Text:
		if p.Raw == nil {
			return neutral.JSON(textBlock{Type: "text", Text: p.Text})
		}
		block := neutral.Keys(p.Raw)
		block.SetText("text", p.Text)
		return block.JSON(), nil
	case *neutral.Reasoning:
		return thoughtOf(p), nil
	case *neutral.Call:
		return callOf(p), nil
	case *neutral.Result:
		return resultOf(p)
	case *neutral.Image:
		return neutral.JSON(imageOf(p))
	case *neutral.Foreign:
		return p.Raw, nil
	}
	panic("messages: there is no other part")
}

func thoughtOf(p *neutral.Reasoning) json.RawMessage {
	raw := p.Raw
	if raw == nil {
		raw = json.RawMessage(`{"type":"thinking","thinking":""}`)
	}
	block := neutral.Keys(raw)
	if block.Text("type") == "redacted_thinking" {
		block.SetOrDrop("data", p.Data)
		return block.JSON()
	}
	block.SetText("thinking", p.Text)
	block.SetOrDrop("signature", p.Signature) // not every server signs
	return block.JSON()
}

func callOf(p *neutral.Call) json.RawMessage {
	raw := p.Raw
	if raw == nil {
		raw = json.RawMessage(`{"type":"tool_use"}`)
	}
	block := neutral.Keys(raw)
	block.SetOrDrop("id", p.ID)
	block.SetOrDrop("name", p.Name)
	if json.Valid([]byte(p.Arguments)) {
		block.Set("input", json.RawMessage(p.Arguments))
	} else {
		block.SetText("input", p.Arguments)
	}
	return block.JSON()
}

// resultOf writes a result. Its content is left out when the tool said nothing: an empty text block
// is refused.
func resultOf(r *neutral.Result) (json.RawMessage, error) {
	b := resultBlock{Type: "tool_result", ToolUseID: r.CallID, IsError: r.Failed}
	var err error
	switch {
	case r.Image != nil: // https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
		blocks := []any{imageOf(r.Image)}
		if r.Text != "" {
			blocks = []any{textBlock{Type: "text", Text: r.Text}, blocks[0]}
		}
		b.Content, err = neutral.JSON(blocks)
	case r.Text != "":
		b.Content, err = neutral.JSON(r.Text)
	}
	if err != nil {
		return nil, err
	}
	return neutral.JSON(b)
}

// imageOf writes an image, or a document:
// https://platform.claude.com/docs/en/build-with-claude/pdf-support
func imageOf(p *neutral.Image) imageBlock {
	kind := "image"
	if p.IsPDF() {
		kind = "document"
	}
	return imageBlock{Type: kind, Source: imageSource{Type: "base64", MediaType: p.MediaType, Data: p.Data}}
}
