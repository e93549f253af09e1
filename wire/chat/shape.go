package chat

import "github.com/loopproof/loopproof/wire"

// Shape is how one provider writes Chat Completions. The zero value, with [StandardFinish], is the shape of OpenAI's
// reference: https://platform.openai.com/docs/api-reference/chat. The yaml tags are the keys of a profile file.
type Shape struct {
	// Extra, Choice, Message and Call hold keys that the provider adds, with their values, to the answer itself,
	// to its choice, to the message of a whole answer, and to every tool call.
	Extra   wire.Fields `yaml:"extra"`
	Choice  wire.Fields `yaml:"choice"`
	Message wire.Fields `yaml:"message"`

	// NoText is how the content of a turn without text is written.
	NoText NoText `yaml:"no-text"`

	// CallIndex says that the calls of a whole answer carry an index too. OpenAI's carry none.
	CallIndex bool `yaml:"call-index"`

	// CallWithoutType leaves out "type":"function".
	CallWithoutType bool `yaml:"call-without-type"`

	// ReasoningField is the key of the plain reasoning text; "" when the provider never shows any.
	ReasoningField string `yaml:"reasoning-field"`

	// ReasoningDetails says that reasoning also comes as structured blocks under reasoning_details.
	ReasoningDetails bool `yaml:"reasoning-details"`

	// Finish gives the provider's words for the reasons to stop.
	Finish map[wire.Finish]string `yaml:"finish"`

	// Usage holds keys that are added to the token counts.
	Usage wire.Fields `yaml:"usage"`

	// Chunks is how the answer is cut when it is streamed.
	Chunks StreamShape `yaml:"stream"`
}

// StreamShape is how a provider cuts an answer into chunks.
type StreamShape struct {
	// Role says where "role":"assistant" stands.
	Role RoleChunk `yaml:"role"`

	// Content says that every delta has a "content", empty where it says nothing.
	Content bool `yaml:"content-in-every-delta"`

	// Extra holds keys of chunks that whole answers lack.
	Extra wire.Fields `yaml:"extra"`

	// WholeCalls sends each call in one delta instead of head and argument fragments.
	WholeCalls bool `yaml:"whole-calls"`

	// CallsTogether sends all calls of a turn in one chunk, with the finish word: so does Mistral.
	CallsTogether bool `yaml:"calls-together"`

	// FinishOnlyAtEnd leaves "finish_reason" out of the chunks before the last.
	FinishOnlyAtEnd bool `yaml:"finish-only-at-end"`

	// Usage says where the token counts stand.
	Usage UsageChunk `yaml:"usage"`

	// Comments are the comment lines that come before the first chunk, without their colon.
	Comments []string `yaml:"comments"`
}

// NoText is how a provider writes the content of a turn that has no text.
type NoText string

// The ways to write no text.
const (
	NoTextNull   NoText = "null"
	NoTextEmpty  NoText = "empty"
	NoTextAbsent NoText = "absent"
)

// RoleChunk says where in a stream the role stands.
type RoleChunk string

// The places of the role.
const (
	RoleFirst RoleChunk = "first"       // a chunk of its own before everything else
	RoleEvery RoleChunk = "every-chunk" // in every delta
	RoleWith  RoleChunk = "with-first"  // in the first delta that says something
)

// UsageChunk says where in a stream the token counts stand.
type UsageChunk string

// The places of the token counts.
const (
	UsageWhenAsked UsageChunk = "when-asked"  // a last chunk without choices, when include_usage was set
	UsageAlways    UsageChunk = "always"      // the same whether asked or not
	UsageOnFinish  UsageChunk = "on-finish"   // in the chunk with the finish word
	UsageAgain     UsageChunk = "after-again" // in a second chunk with the finish word, as OpenRouter sends it
)

// StandardFinish holds OpenAI's words for the reasons to stop.
var StandardFinish = map[wire.Finish]string{
	wire.FinishStop:          "stop",
	wire.FinishCalls:         "tool_calls",
	wire.FinishLength:        "length",
	wire.FinishContentFilter: "content_filter",
}

func (s *Shape) finish(f wire.Finish) string {
	if word, ok := s.Finish[f]; ok {
		return word
	}
	if word, ok := StandardFinish[f]; ok {
		return word
	}
	return string(f) // a scenario may let the model end with a word that no dialect knows
}
