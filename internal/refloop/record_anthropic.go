package refloop

import "encoding/json"

// The transcript as messages of content blocks: https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use

type keptMessage struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // a text, or blocks
}

type keptBlock struct {
	Type string `json:"type"`

	Text string `json:"text,omitempty"`

	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`

	ToolUseID string  `json:"tool_use_id,omitempty"`
	Content   *string `json:"content,omitempty"`
	IsError   bool    `json:"is_error,omitempty"`
}

// anthropicMessages puts all results of a turn into one user message. Turns that failed are no messages of this form.
func anthropicMessages(_ string, entries []entry) any {
	messages := []keptMessage{}
	for _, e := range entries {
		switch {
		case e.prompt != nil:
			messages = append(messages, keptMessage{Role: "user", Content: *e.prompt})
		case e.turn != nil && !e.failed:
			messages = append(messages, keptMessage{Role: "assistant", Content: e.turn.blocks()})
		case len(e.results) > 0:
			var results []keptBlock
			for _, r := range e.results {
				results = append(results, keptBlock{Type: "tool_result", ToolUseID: r.call.ID, Content: &r.text, IsError: r.failed})
			}
			messages = append(messages, keptMessage{Role: "user", Content: results})
		}
	}
	return messages
}

// blocks returns the turn as it came, or put into blocks where the provider has none.
func (t *turn) blocks() any {
	if len(t.Blocks) > 0 {
		return t.Blocks
	}
	var blocks []keptBlock
	if text := t.Text + t.Refusal; text != "" {
		blocks = append(blocks, keptBlock{Type: "text", Text: text})
	}
	for _, c := range t.Calls {
		blocks = append(blocks, keptBlock{Type: "tool_use", ID: c.ID, Name: c.Function.Name, Input: objectOf(c.Function.Arguments)})
	}
	return blocks
}

// objectOf returns arguments as an object, which is empty when the model wrote something else.
func objectOf(arguments string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &object) != nil || object == nil {
		return json.RawMessage("{}")
	}
	return json.RawMessage(arguments)
}
