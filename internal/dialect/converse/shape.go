package converse

import (
	"maps"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Shape is how the models of one maker answer: templates that look like what is sent. The yaml tags are
// the keys of a profile file.
type Shape struct {
	// Answer is a whole answer, with the places of [AnswerPlaces], Call a call in it, with those of
	// [CallPlaces], and Usage the token counts, with those of [UsagePlaces].
	Answer wire.Template `yaml:"answer"`
	Call   wire.Template `yaml:"call"`
	Usage  wire.Template `yaml:"usage"`

	// Metadata is the last event of a stream, with the places of [MetadataPlaces].
	Metadata wire.Template `yaml:"metadata"`

	// Finish gives the words for the reasons to stop, where they are others.
	Finish map[wire.Finish]string `yaml:"finish"`

	// Thinking says that a model shows its reasoning when a request asks for it; Readable that it is
	// one block that can be read, and Unsigned that its blocks have no signatures.
	Thinking bool `yaml:"thinking"`
	Readable bool `yaml:"readable"`
	Unsigned bool `yaml:"unsigned"`

	// TextsApart says that a message has texts, or calls, or results, alone.
	TextsApart bool `yaml:"texts-apart"`

	// EmptyFragment sends an empty piece of the input of a call before all others.
	EmptyFragment bool `yaml:"empty-fragment"`
}

// The places that the templates may have.
var (
	AnswerPlaces   = []string{"content", "finish", "usage"}
	CallPlaces     = []string{"id", "name", "input"}
	UsagePlaces    = []string{"prompt", "completion", "total", "cached", "written"}
	MetadataPlaces = []string{"usage"}
)

// finishWords are those of StopReason.
var finishWords = map[wire.Finish]string{
	wire.FinishStop: "end_turn", wire.FinishCalls: "tool_use", wire.FinishLength: "max_tokens", wire.FinishContentFilter: "content_filtered",
	wire.FinishContextWindow: "model_context_window_exceeded",
}

func (s *Shape) finish(a *wire.Answer) string {
	if a.StopSequence != "" {
		return atSequence
	}
	return wire.FinishWord(a.Finish, s.Finish, finishWords)
}

// atSequence is the reason to stop at a text of stopSequences.
const atSequence = "stop_sequence"

// StopAs returns how an answer says that the model stopped for a reason.
func (s *Shape) StopAs(f wire.Finish) (said, word string) {
	return API.Terms.StopWith(wire.FinishWord(f, s.Finish, finishWords))
}

// Clone returns a copy of the shape.
func (s *Shape) Clone() wire.Shape {
	c := *s
	c.Finish = maps.Clone(s.Finish)
	return &c
}

// Traits returns what answers can show.
func (s *Shape) Traits() wire.Traits {
	return wire.Traits{Reasoning: s.Thinking, ReasoningBlocks: s.Thinking, ReadableBlocks: s.Readable, UnsignedBlocks: s.Unsigned, TextsApart: s.TextsApart}
}

// Check reports what is wrong in the shape.
func (s *Shape) Check(c wire.ShapeChecker) {
	c.Template("/answer", s.Answer, true, AnswerPlaces)
	c.Template("/call", s.Call, true, CallPlaces)
	c.Template("/usage", s.Usage, true, UsagePlaces)
	c.Template("/metadata", s.Metadata, true, MetadataPlaces)
	for _, finish := range slices.Sorted(maps.Keys(s.Finish)) {
		c.Word("/finish", "reason to stop", string(finish), wire.Words(wire.Finishes()))
	}
}

// block is a block of an answer: whole, and as the start and the deltas of a stream.
type block struct {
	whole  wire.Raw
	start  wire.Raw // nil: only calls have one
	deltas []wire.Raw
}

// under returns an object with one key.
func under(key string, value any) wire.Raw { return wire.Fields{{Key: key, Value: value}}.JSON() }

func (s *Shape) blocks(a *wire.Answer) (all []block) {
	for _, d := range a.Details {
		all = append(all, s.reasoning(a, d))
	}
	if text := a.Text + a.Refusal; text != "" {
		b := block{whole: under("text", text)}
		for _, piece := range a.Pieces(text) {
			b.deltas = append(b.deltas, under("text", piece))
		}
		all = append(all, b)
	}
	for _, c := range a.Calls {
		all = append(all, s.call(a, c))
	}
	return all
}

// reasoning is a block of reasoning. Its signature comes in a delta of its own.
func (s *Shape) reasoning(a *wire.Answer, d wire.ReasoningBlock) block {
	if d.Type == wire.BlockEncrypted {
		whole := under("reasoningContent", under("redactedContent", sealed(d.Data)))
		return block{whole: whole, deltas: []wire.Raw{whole}}
	}
	b := block{}
	for _, piece := range a.Pieces(d.Text) {
		b.deltas = append(b.deltas, under("reasoningContent", under("text", piece)))
	}
	said := wire.Fields{{Key: "text", Value: d.Text}}
	if !s.Unsigned {
		said = said.With("signature", d.Signature)
		b.deltas = append(b.deltas, under("reasoningContent", under("signature", d.Signature)))
	}
	b.whole = under("reasoningContent", under("reasoningText", said))
	return b
}

func (s *Shape) call(a *wire.Answer, c wire.AnswerCall) block {
	pieces := []string{}
	if !wire.BlankArguments(c.Arguments) || c.Arguments == "null" {
		pieces = a.Pieces(c.Arguments)
	}
	if s.EmptyFragment || len(pieces) == 0 {
		pieces = append([]string{""}, pieces...)
	}
	b := block{start: under("toolUse", wire.Fields{{Key: "name", Value: c.Name}, {Key: "toolUseId", Value: c.ID}})}
	for _, piece := range pieces {
		b.deltas = append(b.deltas, under("toolUse", under("input", piece)))
	}
	input := wire.Raw("{}") // also for a partial input, whose form is not known
	if _, is := wire.ParseObject(c.Arguments); is || c.Arguments == "null" {
		input = wire.Raw(c.Arguments)
	}
	b.whole = s.Call.JSON(wire.Values{"id": c.ID, "name": c.Name, "input": input})
	return b
}

// Write returns the answer as the body of a response that is not streamed.
func (s *Shape) Write(a *wire.Answer, _ wire.Reply) []byte {
	content := []any{}
	for _, b := range s.blocks(a) {
		content = append(content, b.whole)
	}
	return s.Answer.JSON(wire.Values{"content": content, "finish": s.finish(a), "usage": s.Usage.JSON(a.Usage.Values(API.Usage))})
}

// Stream returns the answer as events: the start of a message, the blocks with their deltas, why the
// model stopped, and the token counts.
func (s *Shape) Stream(a *wire.Answer, _ wire.Reply) []wire.Event {
	events := []wire.Event{event("messageStart", wire.Fields{{Key: "role", Value: "assistant"}})}
	for i, b := range s.blocks(a) {
		at := wire.Fields{{Key: "contentBlockIndex", Value: i}}
		if b.start != nil {
			events = append(events, event("contentBlockStart", at.With("start", b.start)))
		}
		for _, delta := range b.deltas {
			events = append(events, event("contentBlockDelta", at.With("delta", delta)))
		}
		events = append(events, event("contentBlockStop", at))
	}
	stop := event("messageStop", wire.Fields{{Key: "stopReason", Value: s.finish(a)}})
	stop.Finish = true
	counts := wire.Parsed(s.Metadata.JSON(wire.Values{"usage": s.Usage.JSON(a.Usage.Values(API.Usage))}))
	var said wire.Fields
	for _, m := range counts.Members {
		said = said.With(m.Key, wire.Raw(m.Value.Raw))
	}
	return append(events, stop, event("metadata", said))
}

// event returns an event with its padding: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
func event(name string, said wire.Fields) wire.Event {
	said = said.With("p", wire.AWSPadding(said.JSON()))
	return wire.Event{Lines: []string{"event: " + name}, Data: said.JSON()}
}

// End returns nothing: the last event is the token counts.
func (s *Shape) End() []wire.Event { return nil }

// exceptions are those that a stream may end with, and what the others become there.
var exceptions = map[string]string{
	"InternalServerException": "internalServerException", "ModelErrorException": "modelStreamErrorException", "ValidationException": "validationException",
	"ThrottlingException": "throttlingException", "ServiceUnavailableException": "serviceUnavailableException",
}

// Failure returns an exception, which is named by the type in the payload.
func (s *Shape) Failure(payload []byte, _ []wire.Event) []wire.Event {
	said := wire.Parsed(payload)
	name := exceptions[said.Get("__type").Text()]
	if name == "" {
		name = "internalServerException"
	}
	if said != nil && said.Has("__type") {
		said.Remove("__type")
		payload = said.JSON()
	}
	return []wire.Event{{Lines: []string{"event: " + name}, Data: payload, Failure: true}}
}
