package reasoning

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
)

// blocks are loops that lose reasoning which comes in blocks, or its place.
var blocks = []hooks.Fault{
	{
		Name: "reasoning/drops-thinking",
		Does: "The reasoning of a turn with calls does not go back.",
		Reports: []string{
			"https://github.com/openai/openai-agents-python/issues/1704", "https://github.com/anomalyco/opencode/issues/3077", "https://github.com/TanStack/ai/pull/391",
		},
		Unless:    neutral.PlainReasoning,
		Elsewhere: "reasoning is a text alongside the content, which other faults drop.",
		Needs:     wire.SealedReasoning,
		Breaks:    []string{"reasoning/details-come-back"},
		InItems:   []string{"reasoning/details-come-back", "reasoning/resent-on-tool-turns"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			m.Parts = hooks.KeepParts(m.Parts, func(p neutral.Part) bool { return !hooks.IsReasoning(p) })
		}),
	},
	{
		Name:      "reasoning/drops-what-is-redacted",
		Does:      "Of the reasoning of a turn only that goes back which can be read.",
		Reports:   []string{"https://github.com/badlogic/pi-mono/pull/1665"},
		Unless:    neutral.Items | neutral.TextReasoning,
		Elsewhere: "all reasoning comes in one form.",
		Needs:     wire.SealedReasoning,
		Breaks:    []string{"reasoning/details-come-back", "reasoning/details-not-merged"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			readable := slices.ContainsFunc(m.Reasoning(), func(p *neutral.Reasoning) bool { return p.Data == "" })
			m.Parts = hooks.KeepParts(m.Parts, func(p neutral.Part) bool {
				thought, is := p.(*neutral.Reasoning)
				return !is || !readable || thought.Data == ""
			})
		}),
	},
	{
		Name:      "reasoning/joins-thinking",
		Does:      "All thinking of a turn goes back as one block, under the last signature.",
		Unless:    neutral.PlainReasoning | neutral.Items,
		Elsewhere: "blocks are told apart by more than a signature; items of reasoning that are encrypted cannot be joined.",
		Needs:     wire.SealedReasoning,
		Breaks:    []string{"reasoning/details-come-back"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			var all *neutral.Reasoning
			m.Parts = hooks.KeepParts(m.Parts, func(p neutral.Part) bool {
				thought, is := p.(*neutral.Reasoning)
				switch {
				case !is || thought.Data != "":
					return true
				case all == nil:
					all = thought
					return true
				}
				all.Text, all.Signature = all.Text+thought.Text, thought.Signature
				return false
			})
		}),
	},
	{
		Name:    "reasoning/puts-thinking-last",
		Does:    "The reasoning of a turn goes back after its calls.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/20705", "https://github.com/TanStack/ai/issues/910"},
		Breaks:  []string{"reasoning/thinking-first"},
		Make:    hooks.LastInTurns(hooks.IsReasoning),
	},
	{
		Name:     "reasoning/keeps-half-a-thought",
		Does:     "What had come of the reasoning of a broken turn is sent with the next attempt.",
		Reports:  []string{"https://github.com/anthropics/claude-code/issues/63374"},
		Profiles: []string{"openai-responses"}, // llama.cpp wants the text of the reasoning, too
		Breaks:   []string{"reasoning/not-at-the-end", "egress/ends-with-input"},
		Make: func() hooks.Mutation {
			broken := false
			return hooks.Mutation{
				Request: func(r *hooks.Request) {
					if broken && !r.NextPrompt {
						r.Add(neutral.Message{Role: neutral.Assistant, Parts: []neutral.Part{&neutral.Reasoning{Text: "I", Signature: "x"}}})
						broken = false
					}
				},
				Answer: func(a *hooks.Answer) { broken = a.Failed() },
			}
		},
	},
}
