package refloop

import (
	"encoding/json"

	"github.com/loopproof/loopproof/internal/refloop/messages"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// The transcript as messages of content blocks:
// https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use

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

// anthropicMessages puts all results of a turn into one user message. Turns that failed are no
// messages of this form.
func anthropicMessages(_ string, entries []entry, own bool) any {
	all := []keptMessage{}
	for _, e := range entries {
		switch {
		case e.prompt != nil:
			all = append(all, keptMessage{Role: "user", Content: *e.prompt})
		case e.turn != nil && !e.failed:
			all = append(all, keptMessage{Role: "assistant", Content: blocksOf(e.turn, own)})
		case len(e.results) > 0:
			var results []keptBlock
			for _, r := range e.results {
				results = append(results, keptBlock{Type: "tool_result", ToolUseID: r.CallID, Content: &r.Text, IsError: r.Failed})
			}
			all = append(all, keptMessage{Role: "user", Content: results})
		}
	}
	return all
}

// blocksOf returns the turn as it came, or put into blocks where the provider has none of this
// form.
func blocksOf(t *neutral.Turn, own bool) any {
	if own {
		if blocks, err := messages.Blocks(messages.Returned(t.Parts)); err == nil {
			return blocks
		}
	}
	blocks := []keptBlock{} // a turn may have nothing but items of the provider
	if text := t.Text(); text != "" {
		blocks = append(blocks, keptBlock{Type: "text", Text: text})
	}
	for _, c := range t.Calls() {
		blocks = append(blocks, keptBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: objectOf(c.Arguments)})
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
