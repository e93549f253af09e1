package chat

import "github.com/loopproof/loopproof/internal/wire"

// Shape is how one provider writes Chat Completions: templates that look like what it sends. The
// yaml tags are the keys of a profile file.
type Shape struct {
	// Answer is the body of an answer that is not streamed. Its places are those of [AnswerPlaces].
	Answer wire.Template `yaml:"answer"`

	// Call is a tool call of such an answer, with the places of [CallPlaces].
	Call wire.Template `yaml:"call"`

	// CallSignature is where a call carries its signature, for providers that sign calls: the keys
	// that lead to it, such as extra_content, google, thought_signature. What is under the first of
	// them fills the place $extra of calls.
	CallSignature []string `yaml:"call-signature"`

	// Usage are the token counts, of streams too, with the places of [UsagePlaces].
	Usage wire.Template `yaml:"usage"`

	// Finish gives the provider's words for the reasons to stop, where they are not OpenAI's.
	Finish map[wire.Finish]string `yaml:"finish"`

	// ReasoningField is the key of the plain reasoning text; "" when the provider never shows any.
	ReasoningField string `yaml:"reasoning-field"`

	// ReasoningInContent says that reasoning has no key of its own: the content is a list, in which
	// parts of the type thinking come before the text.
	ReasoningInContent bool `yaml:"reasoning-in-content"`

	// ReasoningDetails says that reasoning also comes as structured blocks under reasoning_details.
	ReasoningDetails bool `yaml:"reasoning-details"`

	// Chunks is how the answer is cut when it is streamed.
	Chunks StreamShape `yaml:"stream"`
}

// StreamShape is how a provider cuts an answer into chunks. The templates of deltas have the places
// of [DeltaPlaces]. In them $role is "assistant" in the first delta alone, and $reasoning is a
// piece of it, or null in all but the reasoning's own deltas of a turn that has any.
type StreamShape struct {
	// Comments are the comment lines that come before the first chunk, without their colon.
	Comments []string `yaml:"comments"`

	// Prelude is an event before all chunks of the answer, with the places of [ChunkPlaces]. It has
	// no choices.
	Prelude wire.Template `yaml:"prelude"`

	// Chunk is one event, with the places of [ChunkPlaces]; Choice is the choice in it, with those
	// of [ChoicePlaces]. FirstChunk and FinishChunk are the events with the first delta and with
	// the finish reason, where they differ.
	Chunk       wire.Template `yaml:"chunk"`
	FirstChunk  wire.Template `yaml:"first-chunk"`
	FinishChunk wire.Template `yaml:"finish-chunk"`
	Choice      wire.Template `yaml:"choice"`

	// Opening is the first delta, where the provider begins with one that says little. Its $text is
	// "" before a text, its $reasoning "" before reasoning, and its $calls the head of a call that
	// stands alone in its turn.
	Opening wire.Template `yaml:"opening"`

	// OpeningOfCalls is the first delta of a turn that says nothing and makes several calls, where
	// it differs.
	OpeningOfCalls wire.Template `yaml:"opening-of-calls"`

	// Text, Reasoning and Calls are the deltas of a piece of each; Call is the head of a call: all
	// but its arguments.
	Text      wire.Template `yaml:"text"`
	Reasoning wire.Template `yaml:"reasoning"`
	Calls     wire.Template `yaml:"calls"`
	Call      wire.Template `yaml:"call"`

	// Fragment is a piece of the arguments of a call, where there is more to it than the index and
	// the piece.
	Fragment wire.Template `yaml:"fragment"`

	// Arguments says how the arguments of a call are cut.
	Arguments ArgumentsForm `yaml:"arguments"`

	// End is the delta in the chunk with the finish reason; Again the one alongside the token
	// counts when that chunk comes twice.
	End   wire.Template `yaml:"end"`
	Again wire.Template `yaml:"again"`

	// Usage says where the token counts are.
	Usage UsageChunk `yaml:"usage"`
}

// ArgumentsForm says how a stream brings the arguments of calls.
type ArgumentsForm string

// The forms of the arguments. Fragments is what is taken where a profile says nothing.
const (
	ArgumentsInFragments ArgumentsForm = "fragments"      // the head of a call, then pieces of its arguments
	ArgumentsFromHead    ArgumentsForm = "from-head"      // the same, with the first piece in the head
	ArgumentsWhole       ArgumentsForm = "whole"          // each call whole, in a delta of its own
	ArgumentsTogether    ArgumentsForm = "whole-together" // all calls of a turn whole, in the chunk with the finish reason
)

// ArgumentsForms returns all forms of the arguments.
func ArgumentsForms() []ArgumentsForm {
	return []ArgumentsForm{ArgumentsInFragments, ArgumentsFromHead, ArgumentsWhole, ArgumentsTogether}
}

// UsageChunk says where in a stream the token counts are.
type UsageChunk string

// The places of the token counts.
const (
	UsageWhenAsked UsageChunk = "when-asked"  // in a last chunk without choices, when include_usage was set
	UsageOnFinish  UsageChunk = "on-finish"   // in the chunk with the finish reason, asked or not
	UsageAgain     UsageChunk = "after-again" // in a second chunk with the finish reason, asked or not
	UsageAlone     UsageChunk = "alone"       // as when-asked, and no chunk before has the key
	UsageTwice     UsageChunk = "twice"       // in the chunk with the finish reason, and when asked in one without choices
)

// UsageChunks returns all places of the token counts.
func UsageChunks() []UsageChunk {
	return []UsageChunk{UsageWhenAsked, UsageOnFinish, UsageAgain, UsageAlone, UsageTwice}
}

// The places that the templates may have.
var (
	AnswerPlaces = []string{"id", "created", "model", "text", "reasoning", "details", "calls", "refusal", "finish", "usage"}
	CallPlaces   = []string{"index", "id", "name", "arguments", "extra"}
	UsagePlaces  = []string{"prompt", "completion", "total", "reasoning", "cached", "uncached", "written"}
	ChunkPlaces  = []string{"id", "created", "model", "choices", "usage"}
	ChoicePlaces = []string{"delta", "finish", "usage"}
	DeltaPlaces  = []string{"role", "text", "reasoning", "details", "calls"}
)

// standardFinish holds OpenAI's words for the reasons to stop.
var standardFinish = map[wire.Finish]string{
	wire.FinishStop:          "stop",
	wire.FinishCalls:         "tool_calls",
	wire.FinishLength:        "length",
	wire.FinishContentFilter: "content_filter",
}

func (s *Shape) finish(f wire.Finish) string { return wire.FinishWord(f, s.Finish, standardFinish) }

// StopAs returns how an answer says that the model stopped for a reason.
func (s *Shape) StopAs(f wire.Finish) (said, word string) { return API.Terms.StopWith(s.finish(f)) }
