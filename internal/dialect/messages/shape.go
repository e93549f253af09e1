package messages

import "github.com/loopproof/loopproof/internal/wire"

// Shape is how one provider writes Messages: templates that look like what it sends, where that
// differs from provider to provider. The yaml tags are the keys of a profile file.
type Shape struct {
	// Answer is the body of an answer that is not streamed, and the message with which a stream
	// starts. Its places are those of [AnswerPlaces].
	Answer wire.Template `yaml:"answer"`

	// Start is the message with which a stream starts, where that is another one. Its places are
	// those of Answer.
	Start wire.Template `yaml:"start"`
	// Call is a tool_use block, with the places of [CallPlaces].
	Call wire.Template `yaml:"call"`

	// Usage are the token counts, with the places of [UsagePlaces]; EndUsage those at the end of a
	// stream.
	Usage    wire.Template `yaml:"usage"`
	EndUsage wire.Template `yaml:"end-usage"`

	// Finish gives the provider's words for the reasons to stop, where they are not Anthropic's.
	Finish map[wire.Finish]string `yaml:"finish"`

	// StopDetails has the end of a stream say more of why the model stopped, which is null but for
	// refusals.
	StopDetails bool `yaml:"stop-details"`

	// Thinking says that the model shows its reasoning when a request asks for it.
	Thinking Display `yaml:"thinking"`

	// Pings sends a ping after the start of the first block and between blocks.
	Pings bool `yaml:"pings"`

	// Compacts says that the provider makes histories shorter for clients that ask it to.
	Compacts bool `yaml:"compacts"`

	// Programs says that code of the provider may call the tools of a client.
	Programs bool `yaml:"programs"`

	// Threads says that the provider keeps conversations for clients that ask it to, and then send
	// only what is new.
	Threads bool `yaml:"threads"`

	// Readable says that the reasoning of a turn is one block that can be read: none comes
	// redacted.
	Readable bool `yaml:"readable"`
	// Unsigned leaves the blocks of reasoning without signatures.
	Unsigned bool `yaml:"unsigned"`
	// BareStop leaves the stop_sequence out of the end of a stream.
	BareStop bool `yaml:"bare-stop"`
	// InputAtOnce sends the input of a call in one piece.
	InputAtOnce bool `yaml:"input-at-once"`
	// EmptyFragment begins the input of every call with a fragment that says nothing.
	EmptyFragment bool `yaml:"empty-fragment"`
}

// Display says what a provider shows of the model's reasoning.
type Display string

// The displays. Omitted is an empty text with a signature, which the writer of the answer handles;
// "" is not reasoning at all.
const (
	Shown   Display = "shown"
	Omitted Display = "omitted"
)

// Displays returns all displays.
func Displays() []Display { return []Display{Shown, Omitted} }

// The places that the templates may have.
var (
	AnswerPlaces = []string{"id", "model", "content", "finish", "usage"}
	CallPlaces   = []string{"id", "name", "input"}
	UsagePlaces  = []string{"prompt", "completion", "cached", "written"}
)

// standardFinish holds Anthropic's words for the reasons to stop.
var standardFinish = map[wire.Finish]string{
	wire.FinishStop:          "end_turn",
	wire.FinishCalls:         "tool_use",
	wire.FinishLength:        "max_tokens",
	wire.FinishContentFilter: "refusal",
	wire.FinishPause:         "pause_turn",
	wire.FinishContextWindow: "model_context_window_exceeded",
	wire.FinishCompaction:    "compaction",
}

func (s *Shape) finish(f wire.Finish) string { return wire.FinishWord(f, s.Finish, standardFinish) }

// StopAs returns how an answer says that the model stopped for a reason.
func (s *Shape) StopAs(f wire.Finish) (said, word string) { return API.Terms.StopWith(s.finish(f)) }
