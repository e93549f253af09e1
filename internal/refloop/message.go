package refloop

import (
	"encoding/json"
	"slices"
	"strings"
)

// The wire types of https://platform.openai.com/docs/api-reference/chat, as far as a loop needs them.

type request struct {
	Model         string         `json:"model"`
	Messages      []message      `json:"messages"`
	Tools         []tool         `json:"tools,omitempty"`
	Stream        bool           `json:"stream,omitempty"`
	StreamOptions *streamOptions `json:"stream_options,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type tool struct {
	Type     string      `json:"type"`
	Function functionDef `json:"function"`
}

type functionDef struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

type message struct {
	Role       string   `json:"role"`
	Content    *content `json:"content,omitempty"` // left out beside tool calls without text, which all providers take
	ToolCallID string   `json:"tool_call_id,omitempty"`
	ToolCalls  []call   `json:"tool_calls,omitempty"`

	ReasoningContent *string           `json:"reasoning_content,omitempty"`
	Reasoning        *string           `json:"reasoning,omitempty"`
	ReasoningDetails []json.RawMessage `json:"reasoning_details,omitempty"`
}

// content is a text, or a list of parts: in the answers of Mistral's reasoning models with the thinking in front of the
// text, https://docs.mistral.ai/capabilities/reasoning, and where it shows images.
type content struct {
	text    string
	thought string
	parts   []contentPart // of a content with images
}

func text(t string) *content { return &content{text: t} }

func (c content) MarshalJSON() ([]byte, error) {
	switch {
	case len(c.parts) > 0:
		return encode(c.parts)
	case c.thought == "":
		return encode(c.text)
	}
	parts := []contentPart{{Type: "thinking", Thinking: []contentPart{{Type: "text", Text: c.thought}}}}
	if c.text != "" {
		parts = append(parts, contentPart{Type: "text", Text: c.text})
	}
	return encode(parts)
}

func (c *content) UnmarshalJSON(data []byte) error {
	var parts []contentPart
	if json.Unmarshal(data, &c.text) == nil {
		return nil
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		c.text += p.Text
		for _, piece := range p.Thinking {
			c.thought += piece.Text
		}
	}
	return nil
}

type contentPart struct {
	Type     string        `json:"type"`
	Text     string        `json:"text,omitempty"`
	Thinking []contentPart `json:"thinking,omitempty"`
	ImageURL *imageURL     `json:"image_url,omitempty"`
}

type call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`

	// Extra is what Gemini signs its calls with; it goes back as it came: https://ai.google.dev/gemini-api/docs/thought-signatures
	Extra json.RawMessage `json:"extra_content,omitempty"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
}

// turn is one answer of the model, put together.
type turn struct {
	ID               string // of the answer, in the API that keeps conversations
	Container        string // in which tools of the provider run
	Text             string
	Thought          string // in the content, beside the text
	Refusal          string
	Calls            []call
	ReasoningContent *string
	Reasoning        *string
	Details          []json.RawMessage
	Blocks           []json.RawMessage // the whole turn, in the API that has blocks
	Finish           string            // in the provider's word
	Truncated        bool              // the provider stopped the model early
	Usage            usage
}

// blank reports whether the turn says nothing.
func (t *turn) blank() bool {
	return strings.TrimSpace(t.Text) == "" && t.Refusal == "" && len(t.Calls) == 0
}

// resend says what goes back of the model's reasoning, and when.
type resend int

const (
	resendNever resend = iota
	resendOnToolTurns
	resendOnAllTurns
)

// policyFor returns what the documentation of a provider says. Where it says nothing, what came goes back with the
// turns that called tools: https://api-docs.deepseek.com/guides/thinking_mode wants it so, and others do not mind.
func policyFor(profile string) resend {
	switch profile {
	case "deepseek-r1": // https://api-docs.deepseek.com/guides/reasoning_model
		return resendNever
	case "moonshot", // https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model
		"mistral-reasoning": // https://docs.mistral.ai/capabilities/reasoning
		return resendOnAllTurns
	default:
		return resendOnToolTurns
	}
}

// readsArguments reports whether the server of a provider parses the arguments of the calls that go back, and refuses
// those that are no JSON. Others do not mind, or want them as the model wrote them.
func readsArguments(profile string) bool {
	switch profile {
	case "dashscope", // https://github.com/HKUDS/nanobot/issues/1487
		"llamacpp", // https://github.com/ggml-org/llama.cpp/blob/0c1e570/common/chat.cpp
		"ollama",   // https://github.com/ollama/ollama/blob/main/openai/openai.go
		"sglang":   // https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/openai/serving_chat.py
		return true
	}
	return false
}

// mended returns the calls with {} in the place of arguments that are no JSON.
func mended(calls []call) []call {
	calls = slices.Clone(calls)
	for i, c := range calls {
		if c.Function.Arguments != "" && !json.Valid([]byte(c.Function.Arguments)) {
			calls[i].Function.Arguments = "{}"
		}
	}
	return calls
}

// message returns the turn as it goes back into the history.
func (t *turn) message(policy resend) message {
	m := message{Role: "assistant", ToolCalls: t.Calls}
	said := content{text: t.Text + t.Refusal}
	wanted := policy == resendOnAllTurns || policy == resendOnToolTurns && len(t.Calls) > 0
	if wanted {
		said.thought = t.Thought
	}
	if said.text != "" || said.thought != "" || len(t.Calls) == 0 {
		m.Content = &said
	}
	if wanted {
		m.ReasoningContent, m.ReasoningDetails = t.ReasoningContent, t.Details
		if len(t.Details) == 0 { // the blocks say the same and more
			m.Reasoning = t.Reasoning
		}
	}
	return m
}
