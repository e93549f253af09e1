package messages

import (
	"encoding/json"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// The types of https://platform.claude.com/docs/en/api/messages, as far as a loop needs them.

type request struct {
	Version   string       `json:"anthropic_version,omitempty"`
	Model     string       `json:"model,omitempty"`
	MaxTokens int          `json:"max_tokens"`
	System    string       `json:"system,omitempty"`
	Thinking  *thinking    `json:"thinking,omitempty"`
	Messages  []message    `json:"messages"`
	Tools     []tool       `json:"tools,omitzero"`
	Stream    bool         `json:"stream,omitempty"`
	Thread    *threadParam `json:"thread,omitempty"`
	Container string       `json:"container,omitempty"`
	Context   *context     `json:"context_management,omitempty"`
	settings
}

// context asks the provider to make the history shorter:
// https://platform.claude.com/docs/en/build-with-claude/compaction
type context struct {
	Edits []edit `json:"edits"`
}

type edit struct {
	Type    string  `json:"type"`
	Trigger trigger `json:"trigger"`
}

type trigger struct {
	Type  string `json:"type"`
	Value int    `json:"value"`
}

func contextOf(r *neutral.Request) *context {
	if r.CompactAt == 0 {
		return nil
	}
	return &context{Edits: []edit{{Type: "compact_20260112", Trigger: trigger{Type: "input_tokens", Value: r.CompactAt}}}}
}

// settings are the parameters of a request that the reference loop leaves unset.
type settings struct {
	Temperature   *float64      `json:"temperature,omitempty"`
	ToolChoice    *toolChoice   `json:"tool_choice,omitempty"`
	StopSequences []string      `json:"stop_sequences,omitempty"`
	Metadata      *metadata     `json:"metadata,omitempty"`
	ServiceTier   string        `json:"service_tier,omitempty"`
	OutputConfig  *outputConfig `json:"output_config,omitempty"`
}

type toolChoice struct {
	Type    string `json:"type"`
	OneCall *bool  `json:"disable_parallel_tool_use,omitempty"`
}

type metadata struct {
	UserID string `json:"user_id"`
}

type outputConfig struct {
	Effort string  `json:"effort,omitempty"`
	Format *format `json:"format,omitempty"`
}

// format is that of the answer: https://platform.claude.com/docs/en/build-with-claude/structured-outputs
type format struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
}

type thinking struct {
	Type         string `json:"type"`
	BudgetTokens int    `json:"budget_tokens,omitempty"`
}

type tool struct {
	Type        string          `json:"type,omitempty"` // of a tool of the provider
	Name        string          `json:"name,omitempty"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`

	AllowedCallers []string `json:"allowed_callers,omitempty"`
}

type message struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // a list of blocks, or a text
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type resultBlock struct {
	Type      string          `json:"type"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   json.RawMessage `json:"content,omitempty"` // a text or a list of blocks
	IsError   bool            `json:"is_error,omitempty"`
}

type imageBlock struct {
	Type   string      `json:"type"`
	Source imageSource `json:"source"`
}

type imageSource struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"` // encoding/json writes base64
}
