package chat

import (
	"encoding/json"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// The types of https://platform.openai.com/docs/api-reference/chat, as far as a loop needs them.

type request struct {
	Model         string         `json:"model,omitempty"`
	Messages      []message      `json:"messages"`
	Tools         []tool         `json:"tools,omitzero"`
	Stream        bool           `json:"stream,omitempty"`
	StreamOptions *streamOptions `json:"stream_options,omitempty"`
	settings
}

// settings are the parameters of a request that the reference loop leaves unset.
type settings struct {
	Temperature     *float64       `json:"temperature,omitempty"`
	ToolChoice      neutral.Choice `json:"tool_choice,omitempty"`
	ParallelCalls   *bool          `json:"parallel_tool_calls,omitempty"`
	Stop            []string       `json:"stop,omitempty"`
	User            string         `json:"user,omitempty"`
	ServiceTier     string         `json:"service_tier,omitempty"`
	ReasoningEffort string         `json:"reasoning_effort,omitempty"`
	Format          *format        `json:"response_format,omitempty"`
}

// format is that of the answer: https://platform.openai.com/docs/guides/structured-outputs
type format struct {
	Type   string      `json:"type"`
	Schema namedSchema `json:"json_schema"`
}

type namedSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type tool struct {
	Type     string      `json:"type"`
	Function functionDef `json:"function"`
}

type functionDef struct {
	Name        string          `json:"name,omitempty"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`
}

type message struct {
	Role       string `json:"role"`
	Content    any    `json:"content,omitempty"` // a text, a list of parts, or null
	ToolCallID string `json:"tool_call_id,omitempty"`
	ToolCalls  []call `json:"tool_calls,omitempty"`

	ReasoningContent *string           `json:"reasoning_content,omitempty"`
	Reasoning        *string           `json:"reasoning,omitempty"`
	ReasoningDetails []json.RawMessage `json:"reasoning_details,omitempty"`
}

// The names under which reasoning comes.
const (
	inReasoningContent = "reasoning_content"
	inReasoning        = "reasoning"
	inContent          = "content"           // a list of parts, as in https://docs.mistral.ai/capabilities/reasoning
	inDetails          = "reasoning_details" // blocks
)

type contentPart struct {
	Type     string        `json:"type"`
	Text     string        `json:"text,omitempty"`
	Thinking []contentPart `json:"thinking,omitempty"`
	ImageURL *imageURL     `json:"image_url,omitempty"`
	File     *file         `json:"file,omitempty"`
}

type file struct {
	Name string `json:"filename"`
	Data string `json:"file_data"`
}

type imageURL struct {
	URL string `json:"url"`
}

type call struct {
	ID       string   `json:"id,omitempty"`
	Type     string   `json:"type"`
	Function function `json:"function"`

	// Extra is what Gemini signs its calls with; it goes back as it came:
	// https://ai.google.dev/gemini-api/docs/thought-signatures
	Extra json.RawMessage `json:"extra_content,omitempty"`
}

type function struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}
