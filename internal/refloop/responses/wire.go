package responses

import (
	"encoding/json"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// The types of https://platform.openai.com/docs/api-reference/responses, as far as a loop needs
// them.

type request struct {
	Model             string            `json:"model,omitempty"`
	Instructions      string            `json:"instructions,omitempty"`
	Input             []json.RawMessage `json:"input"`
	Tools             []tool            `json:"tools,omitzero"`
	Stream            bool              `json:"stream,omitempty"`
	Store             bool              `json:"store"`
	Include           []string          `json:"include,omitempty"`
	Previous          string            `json:"previous_response_id,omitempty"`
	ContextManagement []compaction      `json:"context_management,omitempty"`
	settings
}

// compaction asks the provider to make the history shorter:
// https://developers.openai.com/api/docs/guides/compaction
type compaction struct {
	Type      string `json:"type"`
	Threshold int    `json:"compact_threshold"`
}

// settings are the parameters of a request that the reference loop leaves unset.
type settings struct {
	Temperature   *float64       `json:"temperature,omitempty"`
	ToolChoice    neutral.Choice `json:"tool_choice,omitempty"`
	ParallelCalls *bool          `json:"parallel_tool_calls,omitempty"`
	User          string         `json:"safety_identifier,omitempty"`
	ServiceTier   string         `json:"service_tier,omitempty"`
	Reasoning     *effort        `json:"reasoning,omitempty"`
	Text          *textForm      `json:"text,omitempty"`
}

// textForm says which form the answer has: https://platform.openai.com/docs/guides/structured-outputs
type textForm struct {
	Format format `json:"format"`
}

type format struct {
	Type   string          `json:"type"`
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

type effort struct {
	Effort string `json:"effort"`
}

// tool is a function, or a custom tool, which has no parameters. Calls of a function keep to its
// schema where that is asked for; unsaid, the API asks for it and refuses schemas that are not
// written for it.
type tool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name,omitempty"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Strict      *bool           `json:"strict,omitempty"` // said of every function

	AllowedCallers []string `json:"allowed_callers,omitempty"`
}

type message struct {
	Type    string `json:"type"`
	Role    string `json:"role"`
	Content any    `json:"content"` // a text, or a list of parts
}

// part is a part of a message, or of what a tool returned.
type part struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitempty"`
	Refusal  string `json:"refusal,omitempty"`
	ImageURL string `json:"image_url,omitempty"`
	FileName string `json:"filename,omitempty"`
	FileData string `json:"file_data,omitempty"`
}

type output struct {
	Type   string `json:"type"`
	CallID string `json:"call_id,omitempty"`
	Output any    `json:"output"` // a text, or a list of parts

	Caller json.RawMessage `json:"caller,omitempty"`
}

// approval answers a question of the provider.
type approval struct {
	Type    string `json:"type"`
	AskedID string `json:"approval_request_id"`
	Approve bool   `json:"approve"`
}

// reply is the object of an answer.
type reply struct {
	ID         string                  `json:"id"`
	Status     string                  `json:"status"`
	Error      json.RawMessage         `json:"error"`
	Incomplete struct{ Reason string } `json:"incomplete_details"`
	Output     []json.RawMessage       `json:"output"`
	Usage      *usage                  `json:"usage"`
}

type usage struct {
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
}

func (u *usage) piece() neutral.Piece {
	return neutral.Piece{Usage: &neutral.Usage{Input: &u.InputTokens, Output: &u.OutputTokens}}
}

// item is what a loop reads of an item of an answer.
type item struct {
	Type      string            `json:"type"`
	ID        string            `json:"id"`
	Status    string            `json:"status"`
	CallID    string            `json:"call_id"`
	Name      string            `json:"name"`
	Arguments text              `json:"arguments"`
	Input     string            `json:"input"` // of a custom tool
	Content   []json.RawMessage `json:"content"`
	Phase     string            `json:"phase"` // of a message: https://platform.openai.com/docs/api-reference/responses/create
	Summary   []said            `json:"summary"`
	Encrypted string            `json:"encrypted_content"`
}

// text is a text that some servers write as the JSON that is in it.
type text string

// UnmarshalJSON reads a text, or any other value as it is written. null is none.
func (t *text) UnmarshalJSON(raw []byte) error {
	if raw[0] != '"' {
		*t = text(raw)
		if string(raw) == "null" {
			*t = ""
		}
		return nil
	}
	return json.Unmarshal(raw, (*string)(t))
}

// free reports whether the item is a call with a free text.
func (i item) free() bool { return i.Type == "custom_tool_call" }

// written returns what the model wrote for a call.
func (i item) written() string { return string(i.Arguments) + i.Input }

// said is what a part of an item says.
type said struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
}
