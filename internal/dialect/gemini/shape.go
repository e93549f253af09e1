package gemini

import (
	"maps"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Shape is how one provider writes generateContent: templates that look like what it sends, where
// that differs from provider to provider. The yaml tags are the keys of a profile file.
type Shape struct {
	// Answer is a response, whole or a chunk of a stream, with the places of [AnswerPlaces].
	Answer wire.Template `yaml:"answer"`

	// Candidate is what the model said, with the places of [CandidatePlaces].
	Candidate wire.Template `yaml:"candidate"`

	// Text is a part with a text, and Thought one with a summary of the model's reasoning, both
	// with the places of [TextPlaces]. Without Thought the model shows none.
	Text    wire.Template `yaml:"text"`
	Thought wire.Template `yaml:"thought"`

	// Call is a part with a call, with the places of [CallPlaces].
	Call wire.Template `yaml:"call"`

	// Usage are the token counts, with the places of [UsagePlaces].
	Usage wire.Template `yaml:"usage"`

	// Finish gives the provider's words for the reasons to stop, where they are not Google's.
	Finish map[wire.Finish]string `yaml:"finish"`

	// CallsFinishMessage is what an answer with calls says alongside the reason to stop, where it
	// is not in a chunk of its own.
	CallsFinishMessage string `yaml:"calls-finish-message"`

	// EndChunk says that the reason to stop comes in a last chunk of a stream with an empty text.
	// Else it is in the last chunk that says something.
	EndChunk bool `yaml:"end-chunk"`

	// CallsTogether says that all calls of an answer come in one chunk of a stream. Else each has
	// one of its own.
	CallsTogether bool `yaml:"calls-together"`
}

// The places that the templates may have.
var (
	AnswerPlaces    = []string{"candidates", "usage", "model", "id"}
	CandidatePlaces = []string{"parts", "finish", "finish-message"}
	TextPlaces      = []string{"text", "signature"}
	CallPlaces      = []string{"name", "args", "id", "signature"}
	UsagePlaces     = []string{"prompt", "completion", "reasoning", "total", "cached"}
)

// standardFinish holds Google's words for the reasons to stop. One that waits for results has the
// word of an answer.
var standardFinish = map[wire.Finish]string{
	wire.FinishStop:          "STOP",
	wire.FinishCalls:         "STOP",
	wire.FinishLength:        "MAX_TOKENS",
	wire.FinishContentFilter: "SAFETY",
}

func (s *Shape) finish(f wire.Finish) string { return wire.FinishWord(f, s.Finish, standardFinish) }

// StopAs returns how an answer says that the model stopped for a reason.
func (s *Shape) StopAs(f wire.Finish) (said, word string) { return API.Terms.StopWith(s.finish(f)) }

// Clone returns a copy of the shape.
func (s *Shape) Clone() wire.Shape {
	c := *s
	c.Finish = maps.Clone(s.Finish)
	return &c
}

// Traits returns what answers of the provider can show.
func (s *Shape) Traits() wire.Traits {
	t := wire.Traits{Reasoning: !s.Thought.Empty(), SignedTexts: s.Text.Has("signature"), CallsWithoutIDs: !s.Call.Has("id")}
	if s.Call.Has("signature") {
		t.CallSignature = []string{"thoughtSignature"}
	}
	return t
}

// Check reports what is wrong in the shape.
func (s *Shape) Check(c wire.ShapeChecker) {
	c.Template("/answer", s.Answer, true, AnswerPlaces)
	c.Template("/candidate", s.Candidate, true, CandidatePlaces)
	c.Template("/text", s.Text, true, TextPlaces)
	c.Template("/thought", s.Thought, false, TextPlaces)
	c.Template("/call", s.Call, true, CallPlaces)
	c.Template("/usage", s.Usage, true, UsagePlaces)
	for _, finish := range slices.Sorted(maps.Keys(s.Finish)) {
		c.Word("/finish", "reason to stop", string(finish), wire.Words(wire.Finishes()))
	}
}
