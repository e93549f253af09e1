package refloop

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/protocol"
)

// messagesHistory is a conversation over the Messages API: https://platform.claude.com/docs/en/api/messages
type messagesHistory struct {
	task      protocol.Task
	messages  []blockMessage
	container string  // in which tools of the provider run; "" is none
	thread    *thread // nil: the whole history goes with every request
}

type messagesRequest struct {
	Model     string         `json:"model"`
	MaxTokens int            `json:"max_tokens"`
	System    string         `json:"system,omitempty"`
	Thinking  *thinking      `json:"thinking,omitempty"`
	Messages  []blockMessage `json:"messages"`
	Tools     []messagesTool `json:"tools,omitempty"`
	Stream    bool           `json:"stream,omitempty"`
	Thread    *threadParam   `json:"thread,omitempty"`
	Container string         `json:"container,omitempty"`
}

type thinking struct {
	Type         string `json:"type"`
	BudgetTokens int    `json:"budget_tokens,omitempty"`
}

type messagesTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

// blockMessage is a message whose content is a list of blocks. What the model said stands in it as it came.
type blockMessage struct {
	Role    string            `json:"role"`
	Content []json.RawMessage `json:"content"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type resultBlock struct {
	Type      string          `json:"type"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content,omitempty"` // a text or a list of blocks, left out when the tool said nothing: an empty text block is refused
	IsError   bool            `json:"is_error,omitempty"`
}

// maxTokens is how long an answer may be, and budget how much of that the model may think.
const (
	maxTokens = 16_000
	budget    = 4_000
)

func (h *messagesHistory) user(text string) {
	h.add("user", block(textBlock{Type: "text", Text: text}))
}

// turn keeps the blocks as they came: signed ones are refused when a byte of them changes. Only texts that say nothing,
// which a model writes now and then, are refused themselves.
func (h *messagesHistory) turn(t *turn) {
	if t.Container != "" { // a request without it is refused while the provider's code waits for a result
		h.container = t.Container
	}
	blocks := slices.DeleteFunc(slices.Clone(t.Blocks), blankText)
	if len(blocks) > 0 {
		h.add("assistant", blocks...)
		h.thread.keeps(t.ID, len(h.messages))
	}
}

func blankText(raw json.RawMessage) bool {
	var b textBlock
	return json.Unmarshal(raw, &b) == nil && b.Type == "text" && strings.TrimSpace(b.Text) == ""
}

// results go into one message of the user, before everything else in it.
func (h *messagesHistory) results(results []result) {
	var blocks []json.RawMessage
	for _, r := range results {
		b := resultBlock{Type: "tool_result", ToolUseID: r.call.ID, IsError: r.failed}
		switch {
		case r.picture != nil:
			b.Content = block([]imageBlock{r.picture.block()})
		case r.text != "":
			b.Content = block(r.text)
		}
		blocks = append(blocks, block(b))
	}
	h.add("user", blocks...)
}

func (h *messagesHistory) add(role string, blocks ...json.RawMessage) {
	h.messages = append(h.messages, blockMessage{Role: role, Content: blocks})
}

func block(b any) json.RawMessage {
	raw, err := encode(b)
	if err != nil {
		panic(err) // a struct of texts
	}
	return raw
}

func (h *messagesHistory) request() ([]byte, error) {
	r := messagesRequest{
		Model: h.task.Model, MaxTokens: maxTokens, System: h.task.System, Messages: h.messages, Stream: h.task.Stream,
		Thinking: thinkingFor(h.task.Profile), Container: h.container,
	}
	for _, t := range h.task.Tools {
		r.Tools = append(r.Tools, messagesTool{Name: t.Name, Description: t.Description, InputSchema: t.Parameters})
	}
	h.thread.shorten(&r)
	return encode(r)
}

// thinkingFor asks for the model's reasoning in the way of its generation:
// https://platform.claude.com/docs/en/build-with-claude/thinking
func thinkingFor(profile string) *thinking {
	if profile == "anthropic-4.5" { // later ones think as they see fit
		return &thinking{Type: "enabled", BudgetTokens: budget}
	}
	return &thinking{Type: "adaptive"}
}

func (h *messagesHistory) path() string { return "/v1/messages" }

func (h *messagesHistory) sign(header http.Header) {
	header.Set("X-Api-Key", h.task.APIKey)
	header.Set("Anthropic-Version", "2023-06-01")
	if h.thread != nil {
		header.Set("Anthropic-Beta", threadsBeta)
	}
}
