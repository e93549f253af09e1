package rules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// MisplacedReasoning are the quirks of reasoning that is in another place of an answer, and
// RepeatedReasoning those of reasoning that is in it more than once.
var (
	MisplacedReasoning = []Quirk{
		{Name: "reasoning-beside-text", In: "thoughts-and-texts", Case: "reasoning/beside-a-text"},
		{Name: "reasoning-beside-call", In: "thought-before-a-call", Case: "reasoning/beside-a-call"},
		{Name: "reasoning-behind-call", In: "thought-before-a-call", Case: "reasoning/behind-a-call"},
		{Name: "signature-behind-call", In: "signed-thought", Case: "reasoning/signature-behind-a-call"},
		{Name: "call-signature-behind", In: "call", Case: "reasoning/signed-behind-a-call"},
	}
	RepeatedReasoning = []Quirk{
		{Name: "reasoning-twice", In: "thoughts", Case: "reasoning/under-two-names"},
	}
)

// discrepanciesInReasoning finds what is wrong in the way in which the reasoning of a turn came
// back, with the signatures of its calls.
func (r *Run) discrepanciesInReasoning(e ReturnedTurn, find func(Discrepancy)) {
	given := e.Turn.Answer
	if given.Reasoning != nil && *given.Reasoning != "" {
		r.discrepanciesInThought(e, *given.Reasoning, find)
	}
	p := r.Script.Profile
	for n, call := range given.Calls {
		back, ok := e.Call(n)
		if signed := SignatureOn(p, back); call.Signature != "" && ok && !SameSignature(signed, call.Signature) {
			find(Discrepancy{kind: fmt.Sprint("signature ", n), Finding: trace.Finding{
				Request:  e.In.Number,
				Pointer:  back.Node.Pointer(),
				Message:  fmt.Sprintf("the signature of the call %s did not come back as it was given", call.As),
				Expected: Quote(call.Signature),
				Actual:   Show(signed),
			}})
		}
	}
}

func (r *Run) discrepanciesInThought(e ReturnedTurn, thought string, find func(Discrepancy)) {
	f := trace.Finding{Request: e.In.Number, Pointer: e.Message.Node.Pointer(), Expected: Quote(thought), Actual: Show(e.Message.Node)}
	came := false
	for _, key := range e.In.Request.Dialect.Request.ReasoningFields {
		said := e.Message.Node.Get(key)
		if came = came || said.Is(wire.String); said.Is(wire.String) && said.Text() != thought {
			f.Message, f.Pointer, f.Actual = "its reasoning came back changed", said.Pointer(), Quote(said.Text())
			find(Discrepancy{kind: "reasoning", Finding: f})
			return
		}
	}
	var given, back []ReasoningBlock
	r.EachReturnedReasoning([]ReturnedTurn{e}, func(_ ReturnedTurn, g, b []ReasoningBlock) { given, back = g, b })
	switch {
	case len(back) > 0 && !SameBlocks(given, back):
		f.Message, f.Pointer = "the blocks of its reasoning came back changed", DetailsPointer(*e.Message)
		f.Expected, f.Actual = DescribeInFull(given), DescribeInFull(back)
		find(Discrepancy{kind: "reasoning", Finding: f})
	case !came && len(back) == 0:
		f.Message = "its reasoning did not come back"
		find(Discrepancy{kind: noReasoning, Finding: f})
	}
}

// asksForPlaces reports whether a step asks for a quirk about where reasoning is, and how often, be
// it shown or not.
func asksForPlaces(s *scenarios.Step) bool {
	return slices.ContainsFunc(s.Quirks, func(name string) bool {
		return hasQuirk(MisplacedReasoning, name) || hasQuirk(RepeatedReasoning, name)
	})
}

// noReasoning is the kind of the discrepancy that a loop makes which sends no reasoning back at
// all. Not every provider wants it, so that it counts only alongside a run in which the loop did.
const noReasoning = "no reasoning"
