package reasoning

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
)

// places are loops that expect reasoning in one place of a stream, and under one name.
var places = []hooks.Fault{
	{
		Name:      "reasoning/ends-it-at-a-call",
		Does:      "From the first piece of a call on, nothing is treated as reasoning, nor for its signature.",
		Reports:   []string{"https://github.com/charmbracelet/fantasy/pull/238", "https://github.com/charmbracelet/fantasy/commit/a3b8a69"},
		Unless:    neutral.OrderedParts,
		Elsewhere: "reasoning behind a call is a part of its own.",
		Needs:     wire.ReasoningNames,
		Breaks:    []string{"reasoning/read-in-every-place"},
		Make: hooks.OnStreamed(func(a *hooks.Answer) {
			called, signed := false, map[string]bool{}
			reasons := map[string]bool{}
			a.EachPiece(func(p *neutral.Piece) bool {
				_, call := p.Part.(*neutral.Call)
				_, reasoning := p.Part.(*neutral.Reasoning)
				called = called || call
				reasons[p.At] = reasons[p.At] || reasoning
				return !called || !reasons[p.At] || signed[p.At]
			})
		}),
	},
}
