package rules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// misplacedReasoning are the quirks of reasoning that stands in another place of an answer, and repeatedReasoning those of
// reasoning that stands in it more than once.
var (
	misplacedReasoning = []string{"reasoning-beside-text", "reasoning-beside-call", "reasoning-behind-call", "signature-behind-call", "call-signature-behind"}
	repeatedReasoning  = []string{"reasoning-twice"}
)

// reasoningPlaces are the rules of the area reasoning about where in an answer it stands, and how often.
var reasoningPlaces = []Rule{
	{
		ID:       "reasoning/read-in-every-place",
		Level:    Should,
		Text:     "Reasoning and signatures are read wherever they stand in a stream: beside a text or a call, or behind the first piece of a call.",
		Why:      "The end of the reasoning, its signature or the first words of the answer are lost, and the provider refuses what goes back.",
		Needs:    streamedReasons,
		Quirks:   misplacedReasoning,
		Evidence: "what a loop did after a stream with reasoning or a signature in such a place",
		Sources: []Source{
			{"https://github.com/vllm-project/vllm/issues/43933", "reasoning and text in one delta, which DeepSeek's own example reads as reasoning alone"},
			{"https://github.com/BerriAI/litellm/issues/27492", "the first words of the answer were lost"},
			{"https://github.com/charmbracelet/fantasy/pull/238", "a signature behind the calls was lost"},
			{"https://github.com/open-webui/computer/issues/224", "the signature of a call in a delta of its own"},
		},
	},
	{
		ID:       "reasoning/not-doubled",
		Level:    Should,
		Text:     "The same reasoning under two names is one reasoning.",
		Why:      "The text that goes back is the double of what the model thought, and grows with every turn.",
		Needs:    reasons,
		Quirks:   repeatedReasoning,
		Evidence: "what a loop did after an answer with reasoning under two names",
		Sources: []Source{
			{"https://github.com/MoonshotAI/kimi-code/issues/3928", "each piece of the reasoning came twice"},
			{"https://github.com/jordigilh/kubernaut/issues/2010", "two equal texts put together"},
		},
	},
}

// slipsInReasoning finds what is wrong in the way in which the reasoning of a turn came back, with the signatures of its
// calls.
func (r *Run) slipsInReasoning(e Echo, find func(string, Finding)) {
	given := e.Turn.Answer
	if given.Reasoning != nil && *given.Reasoning != "" {
		r.slipsInThought(e, *given.Reasoning, find)
	}
	p := r.Script.Profile
	for n, call := range given.Calls {
		back, ok := e.Call(n)
		if signed := signatureOn(p, back); call.Signature != "" && ok && signed.Text() != call.Signature {
			find(fmt.Sprint("signature ", n), Finding{
				Request:  e.In.Number,
				Pointer:  back.Node.Pointer(),
				Message:  fmt.Sprintf("the signature of the call %s did not come back as it was given", call.As),
				Expected: quote(call.Signature),
				Actual:   show(signed),
			})
		}
	}
}

func (r *Run) slipsInThought(e Echo, thought string, find func(string, Finding)) {
	f := Finding{Request: e.In.Number, Pointer: e.Message.Node.Pointer(), Expected: quote(thought), Actual: show(e.Message.Node)}
	came := false
	for _, key := range e.In.Request.Dialect.Request.ReasoningFields {
		said := e.Message.Node.Get(key)
		if came = came || said.Is(wire.String); said.Is(wire.String) && said.Text() != thought {
			f.Message, f.Pointer, f.Actual = "its reasoning came back changed", said.Pointer(), quote(said.Text())
			find("reasoning", f)
			return
		}
	}
	var given, back []block
	r.eachReturned([]Echo{e}, func(_ Echo, g, b []block) { given, back = g, b })
	switch {
	case len(back) > 0 && !sameBlocks(given, back):
		f.Message, f.Pointer = "the blocks of its reasoning came back changed", detailsPointer(*e.Message)
		f.Expected, f.Actual = describeInFull(given), describeInFull(back)
		find("reasoning", f)
	case !came && len(back) == 0:
		f.Message = "its reasoning did not come back"
		find(noReasoning, f)
	}
}

// asksForPlaces reports whether a step asks for a quirk about where reasoning stands, and how often, be it shown or not.
func asksForPlaces(s *scenarios.Step) bool {
	return slices.ContainsFunc(s.Quirks, func(name string) bool {
		return slices.Contains(misplacedReasoning, name) || slices.Contains(repeatedReasoning, name)
	})
}

// noReasoning is the kind of the slip that a loop makes which sends no reasoning back at all. Not every provider wants it,
// so that it counts only beside a run in which the loop did.
const noReasoning = "no reasoning"
