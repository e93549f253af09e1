package refloop

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// messageReply is an answer that is not streamed, or the message with which a stream starts.
type messageReply struct {
	ID         string            `json:"id"`
	Content    []json.RawMessage `json:"content"`
	StopReason string            `json:"stop_reason"`
	Usage      messagesUsage     `json:"usage"`
	Error      json.RawMessage   `json:"error"`
	Container  container         `json:"container"`
}

type container struct {
	ID string `json:"id"`
}

type messagesUsage struct {
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
}

func (h *messagesHistory) readWhole(body io.Reader) (*turn, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, &failure{err: fmt.Errorf("%w: %v", errBroken, err), again: true}
	}
	var r messageReply
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, &failure{err: fmt.Errorf("the answer is not JSON: %w", err), again: true}
	}
	if len(r.Error) > 0 {
		return nil, &failure{err: fmt.Errorf("the provider reported an error: %s", errorText(data)), again: true}
	}
	t, err := blockTurn(r.ID, r.Content, r.StopReason, usage{r.Usage.InputTokens, r.Usage.OutputTokens})
	if err != nil {
		return nil, err
	}
	t.Container = r.Container.ID
	return t, nil
}

// blockTurn reads a turn from its blocks. Without a reason to stop it is not whole, however complete it looks.
func blockTurn(id string, blocks []json.RawMessage, stop string, u usage) (*turn, error) {
	if stop == "" {
		return nil, &failure{err: errBroken, again: true}
	}
	t := &turn{ID: id, Blocks: blocks, Finish: stop, Usage: u}
	t.Truncated = stop == "max_tokens" || stop == "refusal" || stop == "model_context_window_exceeded"
	for _, raw := range blocks {
		var b struct {
			Type  string          `json:"type"`
			Text  string          `json:"text"`
			ID    string          `json:"id"`
			Name  string          `json:"name"`
			Input json.RawMessage `json:"input"`
		}
		if err := json.Unmarshal(raw, &b); err != nil {
			return nil, &failure{err: fmt.Errorf("a block is not JSON: %w", err), again: true}
		}
		switch b.Type {
		case "text":
			t.Text += b.Text
		case "tool_use":
			t.Calls = append(t.Calls, call{ID: b.ID, Function: function{Name: b.Name, Arguments: string(b.Input)}})
		}
	}
	return t, nil
}

// messageEvent is an event of a stream: https://platform.claude.com/docs/en/build-with-claude/streaming
type messageEvent struct {
	Type    string          `json:"type"`
	Index   int             `json:"index"`
	Message messageReply    `json:"message"`
	Block   json.RawMessage `json:"content_block"`
	Delta   struct {
		Type       string    `json:"type"`
		Text       string    `json:"text"`
		Thinking   string    `json:"thinking"`
		Signature  string    `json:"signature"`
		Fragment   string    `json:"partial_json"`
		StopReason string    `json:"stop_reason"`
		Container  container `json:"container"`
	} `json:"delta"`
	Usage *messagesUsage `json:"usage"`
}

func (h *messagesHistory) readStream(body io.Reader) (*turn, error) {
	var m messageAssembly
	events := eventReader{lines: newLineReader(body)}
	for {
		_, data, err := events.next()
		if err != nil { // before message_stop, which ends every whole stream
			return nil, m.brokenBy(fmt.Errorf("%w: %v", errBroken, err))
		}
		if !isObject(data) { // sent by some to keep the connection alive
			continue
		}
		var e messageEvent
		if err := json.Unmarshal(data, &e); err != nil {
			return nil, m.brokenBy(fmt.Errorf("the answer is not JSON: %w", err))
		}
		switch e.Type {
		case "error":
			return nil, m.brokenBy(fmt.Errorf("the provider reported an error: %s", errorText(data)))
		case "message_stop":
			return m.turn()
		default:
			m.add(e)
		}
	}
}

// isObject reports whether a payload is an object, as that of every event is. What is no JSON at all is for its reader.
func isObject(payload []byte) bool {
	var value any
	if err := json.Unmarshal(payload, &value); err != nil {
		return len(payload) > 0
	}
	_, is := value.(map[string]any)
	return is
}

// messageAssembly puts a turn together from the events of a stream. Events that it does not know it skips.
type messageAssembly struct {
	id        string
	blocks    []*growingBlock
	stop      string
	container string
	usage     usage
}

// growingBlock is a block as it began and what came to it since.
type growingBlock struct {
	start                              json.RawMessage
	text, thinking, signature, partial strings.Builder
}

func (m *messageAssembly) add(e messageEvent) {
	switch e.Type {
	case "message_start": // what came before, when anything did, broke off on its way
		m.blocks, m.stop = nil, ""
		m.id, m.usage = e.Message.ID, usage{e.Message.Usage.InputTokens, e.Message.Usage.OutputTokens}
	case "content_block_start":
		m.blocks = append(m.blocks, &growingBlock{start: e.Block})
	case "content_block_delta":
		if e.Index < len(m.blocks) {
			b := m.blocks[e.Index]
			b.text.WriteString(e.Delta.Text)
			b.thinking.WriteString(e.Delta.Thinking)
			b.signature.WriteString(e.Delta.Signature)
			b.partial.WriteString(e.Delta.Fragment)
		}
	case "message_delta":
		m.stop, m.container = e.Delta.StopReason, e.Delta.Container.ID
		if e.Usage != nil { // the counts are of the whole message
			m.usage.CompletionTokens = e.Usage.OutputTokens
		}
	}
}

// brokenBy is the failure of an answer, with what its model had said by then. Its calls may be cut: they are left out.
func (m *messageAssembly) brokenBy(err error) error {
	part := &turn{Usage: m.usage}
	for _, b := range m.blocks {
		part.Text += b.text.String()
	}
	return &failure{err: err, again: true, part: part}
}

func (m *messageAssembly) turn() (*turn, error) {
	var blocks []json.RawMessage
	for _, b := range m.blocks {
		raw, err := b.whole()
		if err != nil && m.stop == "max_tokens" {
			break // the model was cut off in the middle of this one
		}
		if err != nil {
			return nil, &failure{err: fmt.Errorf("%w: %v", errBroken, err), again: true}
		}
		blocks = append(blocks, raw)
	}
	t, err := blockTurn(m.id, blocks, m.stop, m.usage)
	if err != nil {
		return nil, err
	}
	t.Container = m.container
	return t, nil
}

// whole returns the block with all that came to it. Keys that this loop does not know stay as they are.
func (b *growingBlock) whole() (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b.start, &fields); err != nil {
		return nil, err
	}
	var kind string
	json.Unmarshal(fields["type"], &kind)
	switch kind {
	case "text":
		fields["text"] = block(b.text.String())
	case "thinking":
		fields["thinking"] = block(b.thinking.String())
		if signature := b.signature.String(); signature != "" { // not every server signs
			fields["signature"] = block(signature)
		}
	case "tool_use":
		if partial := b.partial.String(); partial != "" {
			fields["input"] = json.RawMessage(partial)
		}
	}
	return json.Marshal(fields)
}
