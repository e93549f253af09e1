package reasoning

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
)

// misplaced are loops whose reasoning goes back at the wrong place, twice, or under the
// wrong name.
var misplaced = []hooks.Fault{
	{
		Name:      "reasoning/moves-it-to-another-turn",
		Does:      "The reasoning of a turn goes back with the turn before it.",
		Reports:   []string{"https://github.com/openai/openai-agents-js/pull/1669"},
		Only:      neutral.PlainReasoning,
		Elsewhere: "reasoning is signed together with its turn, and other faults move it.",
		Breaks:    []string{"history/earlier-messages-unchanged", "reasoning/resent-on-tool-turns", "reasoning/resent-on-all-turns"},
		ByName:    []string{"history/earlier-messages-unchanged", "reasoning/resent-on-tool-turns"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			var before *neutral.Message
			r.Each(neutral.Assistant, func(m *neutral.Message) {
				if before != nil {
					before.Parts = append(hooks.KeepParts(before.Parts, func(p neutral.Part) bool { return !isPlain(p) }), hooks.KeepParts(m.Parts, isPlain)...)
					m.Parts = hooks.KeepParts(m.Parts, func(p neutral.Part) bool { return !isPlain(p) })
				}
				before = m
			})
		}),
	},
	{
		Name:      "reasoning/repeats-the-last-thought",
		Does:      "A turn without reasoning goes back with that of the turn before.",
		Reports:   []string{"https://github.com/openai/openai-agents-js/pull/1669"},
		Unless:    neutral.Items,
		Elsewhere: "no model was seen to reason in one turn and not in the next.",
		Breaks:    []string{"reasoning/none-made-up"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			var last []neutral.Part
			r.Each(neutral.Assistant, func(m *neutral.Message) {
				if own := hooks.KeepParts(m.Parts, hooks.IsReasoning); len(own) > 0 {
					last = own
				} else if len(m.Calls()) > 0 {
					m.Parts = slices.Concat(last, m.Parts)
				}
			})
		}),
	},
	{
		Name: "reasoning/replays-pieces",
		Does: "Signed blocks of reasoning go back in the pieces in which a stream brings them.",
		Reports: []string{
			"https://github.com/agno-agi/agno/issues/8794", "https://github.com/open-webui/open-webui/pull/26404",
			"https://github.com/OpenRouterTeam/ai-sdk-provider/issues/423",
		},
		Unless:    neutral.Items | neutral.TextReasoning,
		Elsewhere: "reasoning is encrypted as a whole, and has no signature.",
		Needs:     wire.SealedReasoning,
		Breaks:    []string{"reasoning/details-verbatim", "reasoning/signature-present"},
		Make: onBlocks(func(blocks []*neutral.Reasoning) []*neutral.Reasoning {
			var pieces []*neutral.Reasoning
			for _, b := range blocks {
				if b.Signature == "" || b.Text == "" {
					pieces = append(pieces, b)
					continue
				}
				text, signature := *b, *b
				text.Signature, signature.Text = "", ""
				pieces = append(pieces, &text, &signature)
			}
			return pieces
		}),
	},
	{
		Name:      "reasoning/empties-it",
		Does:      "The field for reasoning goes back empty, whatever the model reasoned.",
		Only:      neutral.PlainReasoning,
		Elsewhere: "reasoning is signed, and other faults change it.",
		Breaks:    []string{"reasoning/resent-on-all-turns", "reasoning/resent-on-tool-turns"},
		ByName:    []string{"reasoning/resent-on-tool-turns"},
		Make:      onPlainReasoning(func(p *neutral.Reasoning) { p.Text = "" }),
	},
	{
		Name:      "reasoning/trims-it",
		Does:      "Reasoning goes back without the white space at its ends.",
		Only:      neutral.PlainReasoning,
		Elsewhere: "reasoning is signed, and other faults change it.",
		Breaks:    []string{"reasoning/verbatim"},
		Make:      onPlainReasoning(func(p *neutral.Reasoning) { p.Text = strings.TrimSpace(p.Text) }),
	},
	{
		Name:    "reasoning/signs-every-call",
		Does:    "All calls of a turn go back with the signature of the first.",
		Reports: []string{"https://github.com/vertesia/llumiverse/pull/470"},
		Breaks:  []string{"reasoning/call-signature-not-made-up"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			var signature []byte
			hooks.EachPart(r, func(c *neutral.Call) {
				if c.Signature != nil {
					signature = c.Signature
				}
				c.Signature = signature
			})
		}),
	},
	{
		Name:    "reasoning/doubles-blocks",
		Does:    "Blocks of reasoning go back twice.",
		Reports: []string{"https://github.com/0xPlaygrounds/rig/issues/1898", "https://github.com/openai/openai-agents-python/issues/3215"},
		Needs:   wire.SealedReasoning,
		Breaks:  []string{"reasoning/details-verbatim"},
		InItems: []string{"reasoning/details-verbatim", "egress/item-ids-distinct"},
		Make:    onBlocks(func(blocks []*neutral.Reasoning) []*neutral.Reasoning { return append(blocks, blocks...) }),
	},
	{
		Name:      "reasoning/invents-signatures",
		Does:      "Blocks of reasoning without a signature go back with one that the loop made up.",
		Reports:   []string{"https://github.com/strands-agents/sdk-python/issues/682"},
		Only:      neutral.PlainReasoning,
		Unless:    neutral.TextReasoning,
		Elsewhere: "a server that signs nothing looks at no signature either.",
		Breaks:    []string{"reasoning/details-verbatim"},
		Make: onBlocks(func(blocks []*neutral.Reasoning) []*neutral.Reasoning {
			for _, b := range blocks {
				if b.Data == "" {
					b.Signature = cmp.Or(b.Signature, "none")
				}
			}
			return blocks
		}),
	},
}
