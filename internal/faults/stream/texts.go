package stream

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// texts are loops that take one of several texts of a turn for all of it.
var texts = []hooks.Fault{
	{
		Name:    "stream/reads-the-first-text",
		Does:    "Of several text blocks or parts of a turn the first one is read.",
		Reports: []string{"https://github.com/odysseus-dev/odysseus/pull/1255", "https://github.com/SamSaffron/term-llm/pull/417"},
		Unless:  neutral.WholeCalls, Elsewhere: "the pieces of a stream are parts, too, which are joined before a turn is one.",
		Breaks: []string{"stream/text-in-parts"},
		Make:   hooks.OnTurn(func(t *neutral.Turn) { keepText(t, func(i, _ int) bool { return i == 0 }) }),
	},
	{
		Name:    "stream/reads-the-last-text",
		Does:    "Of several text blocks or parts of a turn each one takes the place of the one before it.",
		Reports: []string{"https://github.com/agno-agi/agno/issues/3229", "https://github.com/Portkey-AI/gateway/pull/1466"},
		Unless:  neutral.WholeCalls, Elsewhere: "the pieces of a stream are parts, too, which are joined before a turn is one.",
		Breaks: []string{"stream/text-in-parts"},
		Make:   hooks.OnTurn(func(t *neutral.Turn) { keepText(t, func(i, of int) bool { return i == of-1 }) }),
	},
}

// keepText keeps some of the texts of a turn.
func keepText(t *neutral.Turn, keep func(i, of int) bool) {
	said := neutral.Of[*neutral.Text](t.Parts)
	if slices.ContainsFunc(said, func(x *neutral.Text) bool { return x.Aside }) {
		return // those are messages of their own
	}
	i := -1
	t.Parts = hooks.KeepParts(t.Parts, func(p neutral.Part) bool {
		if !hooks.IsText(p) {
			return true
		}
		i++
		return keep(i, len(said))
	})
}
