// Package reasoning holds faults: loops that lose or change what the model thought.
package reasoning

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault {
	return slices.Concat(basic, misplaced, places, inContent, blocks)
}

// isPlain reports whether a part is reasoning that is a text and nothing else.
func isPlain(p neutral.Part) bool {
	thought, is := p.(*neutral.Reasoning)
	return is && thought.Raw == nil
}

func isBlockOfReasoning(p neutral.Part) bool { return hooks.IsReasoning(p) && !isPlain(p) }

// onBlocks changes the blocks of structured reasoning of every turn. What there is more of than
// before is after the last one.
func onBlocks(change func(blocks []*neutral.Reasoning) []*neutral.Reasoning) func() hooks.Mutation {
	return hooks.EachTurn(func(m *neutral.Message) {
		var blocks []*neutral.Reasoning
		for _, p := range m.Reasoning() {
			if !isPlain(p) {
				blocks = append(blocks, p)
			}
		}
		if len(blocks) == 0 {
			return
		}
		blocks = change(slices.Clone(blocks))
		var parts []neutral.Part
		last := len(m.Parts) - 1
		for !isBlockOfReasoning(m.Parts[last]) {
			last--
		}
		for i, p := range m.Parts {
			if !isBlockOfReasoning(p) {
				parts = append(parts, p)
				continue
			}
			for len(blocks) > 0 {
				parts, blocks = append(parts, blocks[0]), blocks[1:]
				if i != last {
					break
				}
			}
		}
		m.Parts = parts
	})
}

// onPlainReasoning changes the plain reasoning of every turn that has some.
func onPlainReasoning(change func(*neutral.Reasoning)) func() hooks.Mutation {
	return hooks.EachTurn(func(m *neutral.Message) {
		for _, p := range m.Reasoning() {
			if isPlain(p) {
				change(p)
			}
		}
	})
}

var basic = []hooks.Fault{
	{
		Name: "reasoning/drops-it",
		Does: "Reasoning does not go back.",
		Reports: []string{
			"https://github.com/anomalyco/opencode/issues/24124",
			"https://github.com/cloudwego/eino-ext/issues/700",
			"https://github.com/openai/openai-agents-python/issues/2155",
			"https://github.com/vercel/ai/pull/12049",
			"https://github.com/danny-avila/agents/pull/136",
			"https://github.com/spring-projects/spring-ai/commit/1c03c3943b",
		},
		Only:      neutral.PlainReasoning,
		Elsewhere: "reasoning comes in blocks, which other faults drop.",
		Breaks:    []string{"reasoning/resent-on-tool-turns"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			r.KeepParts(func(p neutral.Part) bool { return !isPlain(p) || p.(*neutral.Reasoning).Text == "" })
		}),
	},
	{
		Name:      "reasoning/forgets-it-with-the-answer",
		Does:      "The reasoning of an answer does not go back, not even to a provider that wants it.",
		Only:      neutral.PlainReasoning,
		Unless:    neutral.TextReasoning,
		Elsewhere: "reasoning comes in blocks, which other faults drop.",
		Breaks:    []string{"reasoning/resent-on-all-turns"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			if len(m.Calls()) == 0 {
				m.Parts = hooks.KeepParts(m.Parts, func(p neutral.Part) bool { return !isPlain(p) })
			}
		}),
	},
	{
		Name: "reasoning/drops-the-signature-of-calls",
		Does: "Calls go back with id, name and arguments only, without what the provider signed.",
		Reports: []string{
			"https://github.com/TokenRhythm/opensquilla/issues/225",
			"https://github.com/0xsline/OpenChatCut/issues/6",
			"https://github.com/earendil-works/pi/issues/6733",
			"https://github.com/vercel/ai/issues/18962",
			"https://github.com/trpc-group/trpc-agent-go/issues/927",
		},
		Breaks: []string{"reasoning/call-signature-returned"},
		Make:   hooks.EachCall(func(c *neutral.Call) { c.Signature = nil }),
	},
	{
		Name:      "reasoning/drops-it-when-empty",
		Does:      "Reasoning that is empty does not go back.",
		Reports:   []string{"https://github.com/deepseek-ai/deepseek-harness/discussions/739", "https://github.com/Kilo-Org/kilocode/issues/9501"},
		Only:      neutral.PlainReasoning,
		Elsewhere: "reasoning comes in blocks, which other faults drop.",
		Breaks:    []string{"reasoning/empty-resent"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			m.Parts = hooks.KeepParts(m.Parts, func(p neutral.Part) bool { return !isPlain(p) || p.(*neutral.Reasoning).Text != "" })
		}),
	},
	{
		Name:      "reasoning/sends-it-everywhere",
		Does:      "Reasoning goes back to every provider, also to one that forbids it.",
		Reports:   []string{"https://github.com/vercel/ai/pull/14729", "https://github.com/strands-agents/sdk-python/issues/1099"},
		Only:      neutral.PlainReasoning,
		Unless:    neutral.TextReasoning,
		Elsewhere: "no provider forbids reasoning.",
		Breaks:    []string{"reasoning/withheld"},
		Make: hooks.OnTask(func(t *protocol.Task) {
			if t.Profile == "deepseek-r1" {
				t.Profile = "deepseek"
			}
		}),
	},
	{
		Name:      "reasoning/flattens-it",
		Does:      "Line ends in reasoning become spaces.",
		Reports:   []string{"https://github.com/openai/openai-agents-js/pull/1669"},
		Only:      neutral.PlainReasoning,
		Elsewhere: "reasoning is signed, and other faults change it.",
		Breaks:    []string{"reasoning/unchanged"},
		Make:      onPlainReasoning(func(p *neutral.Reasoning) { p.Text = strings.ReplaceAll(p.Text, "\n", " ") }),
	},
	{
		Name:      "reasoning/puts-it-into-the-content",
		Does:      "Reasoning also goes back in front of the content.",
		Reports:   []string{"https://github.com/BerriAI/litellm/issues/26395"},
		Only:      neutral.PlainReasoning,
		Elsewhere: "no rule is about reasoning in a text.",
		Breaks:    []string{"reasoning/kept-out-of-the-content"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			for _, p := range m.Reasoning() {
				if isPlain(p) && p.Text != "" {
					text := &neutral.Text{Text: "<think>" + p.Text + "</think>" + m.Text()}
					m.Parts = append(hooks.KeepParts(m.Parts, func(p neutral.Part) bool { return !hooks.IsText(p) }), text)
					return
				}
			}
		}),
	},
	{
		Name:    "reasoning/reports-it",
		Does:    "The reported answer begins with the reasoning.",
		Reports: []string{"https://github.com/spring-projects/spring-ai/commit/d8444f128e"},
		Breaks:  []string{"reasoning/kept-out-of-the-answer"},
		Make: func() hooks.Mutation {
			last := ""
			return hooks.Mutation{
				Turn: func(t *neutral.Turn) {
					last = ""
					for _, p := range neutral.Of[*neutral.Reasoning](t.Parts) {
						last += p.Text
					}
				},
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					o := run(task)
					o.Text = last + o.Text
					return o
				},
			}
		},
	},
	{
		Name:      "reasoning/keeps-the-text-of-blocks-only",
		Does:      "Structured reasoning goes back as plain text.",
		Reports:   []string{"https://github.com/microsoft/agent-framework/issues/7095", "https://github.com/cloudwego/eino/issues/855"},
		Only:      neutral.PlainReasoning,
		Unless:    neutral.TextReasoning,
		Elsewhere: "there is no plain reasoning that it could go back as.",
		Breaks:    []string{"reasoning/details-come-back"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			text := ""
			for _, p := range m.Reasoning() {
				if !isPlain(p) {
					text += p.Text
				}
			}
			if kept := hooks.KeepParts(m.Parts, func(p neutral.Part) bool { return !hooks.IsReasoning(p) || isPlain(p) }); len(kept) < len(m.Parts) {
				m.Parts = append([]neutral.Part{&neutral.Reasoning{Text: text}}, kept...)
			}
		}),
	},
	{
		Name:      "reasoning/drops-signatures",
		Does:      "Blocks of reasoning go back without their signatures.",
		Reports:   []string{"https://github.com/charmbracelet/fantasy/commit/a3b8a69"},
		Unless:    neutral.Items | neutral.TextReasoning,
		Elsewhere: "reasoning is encrypted as a whole, and has no signature.",
		Needs:     wire.SealedReasoning,
		Breaks:    []string{"reasoning/details-verbatim", "reasoning/signature-present"},
		Make: onBlocks(func(blocks []*neutral.Reasoning) []*neutral.Reasoning {
			for _, b := range blocks {
				b.Signature = ""
			}
			return blocks
		}),
	},
	{
		Name:    "reasoning/reverses-blocks",
		Does:    "Blocks of reasoning go back in another order.",
		Reports: []string{"https://github.com/0xPlaygrounds/rig/issues/1649"},
		Breaks:  []string{"reasoning/details-in-order"},
		Make:    onBlocks(func(blocks []*neutral.Reasoning) []*neutral.Reasoning { slices.Reverse(blocks); return blocks }),
	},
	{
		Name:   "reasoning/trims-encrypted-data",
		Does:   "The end of encrypted reasoning is lost.",
		Needs:  wire.SealedReasoning,
		Breaks: []string{"reasoning/encrypted-untouched"},
		Make: onBlocks(func(blocks []*neutral.Reasoning) []*neutral.Reasoning {
			for _, b := range blocks {
				if b.Data != "" {
					b.Data = b.Data[:len(b.Data)-4]
				}
			}
			return blocks
		}),
	},
	{
		Name:      "reasoning/drops-it-at-a-new-prompt",
		Does:      "The reasoning of earlier prompts is dropped, as models of an earlier generation wanted it.",
		Reports:   []string{"https://github.com/anomalyco/opencode/issues/24124"},
		Only:      neutral.PlainReasoning,
		Elsewhere: "the provider allows it.",
		Breaks:    []string{"history/earlier-messages-unchanged", "reasoning/resent-on-all-turns", "reasoning/resent-on-tool-turns"},
		ByName:    []string{"history/earlier-messages-unchanged"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			at := hooks.LastPrompt(r)
			for i := range r.Messages[:at] {
				r.Messages[i].Parts = hooks.KeepParts(r.Messages[i].Parts, func(p neutral.Part) bool { return !isPlain(p) })
			}
		}),
	},
}
