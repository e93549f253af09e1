package fuzzing

import (
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// reasoningBlocks give turns that reason blocks of several kinds, and reasoning in other forms.
func (g *Grammar) reasoningBlocks() []kind {
	if !g.claims(protocol.Reasoning) {
		return nil
	}
	signed := func(d *drawing) scenarios.Block {
		return scenarios.Block{Type: wire.BlockText, Text: d.text("reasoning"), Signed: true, Format: "anthropic-claude-v1"}
	}
	summary := func(d *drawing) scenarios.Block {
		return scenarios.Block{Type: wire.BlockSummary, Text: d.text("summary"), Format: "openai-responses-v1"}
	}
	encrypted := func(format string) scenarios.Block { return scenarios.Block{Type: wire.BlockEncrypted, Format: format} }
	at := func(b scenarios.Block, index int) scenarios.Block {
		b.Index = index
		return b
	}
	blocks := []func(*drawing) []scenarios.Block{
		func(d *drawing) []scenarios.Block { return []scenarios.Block{signed(d)} },
		func(d *drawing) []scenarios.Block {
			b := signed(d)
			b.Text = "\n " + b.Text + "\u2028 \"Oslo\" …\n "
			return []scenarios.Block{b}
		},
		func(*drawing) []scenarios.Block { return []scenarios.Block{{Type: wire.BlockText, Signed: true}} },
		func(*drawing) []scenarios.Block { return []scenarios.Block{encrypted("google-gemini-v1")} },
		func(*drawing) []scenarios.Block {
			b := encrypted("google-gemini-v1")
			b.ID = "tool_1"
			return []scenarios.Block{b}
		},
		func(d *drawing) []scenarios.Block {
			return []scenarios.Block{summary(d), encrypted("openai-responses-v1")}
		},
		func(d *drawing) []scenarios.Block {
			return []scenarios.Block{summary(d), at(encrypted("openai-responses-v1"), 1)}
		},
		func(d *drawing) []scenarios.Block {
			return []scenarios.Block{summary(d), at(encrypted("openai-responses-v1"), 1), at(signed(d), 2)}
		},
	}
	var kinds []kind
	inBlocks := able(wire.ReasoningBlocks)
	for _, draw := range blocks {
		kinds = append(kinds, g.speaking(inBlocks, inTurns(func(d *drawing, t *Turn) { t.Step.Reasoning, t.Step.ReasoningDetails = nil, draw(d) }))...)
	}
	kinds = append(kinds, g.speaking(able(wire.OwnBlocks), mixed)...)
	return append(kinds,
		inTurns(func(_ *drawing, t *Turn) { t.Step.Reasoning = new("") }),
		inTurns(func(d *drawing, t *Turn) { t.Step.Reasoning = new(d.text("reasoning")) }),
	)
}

// mixed lets reasoning and calls take turns in one turn of the model, where a wire API has that.
func mixed(d *drawing, c *Conversation) {
	t := d.round()
	t.Step.Mixed, t.Step.Reasoning = true, nil
	t.Step.ReasoningDetails = []scenarios.Block{{Type: wire.BlockText, Text: d.text("reasoning")}, {Type: wire.BlockEncrypted}}
	if d.grammar.claims(protocol.ParallelCalls) && len(t.Calls) < 2 {
		t.Calls = append(t.Calls, d.call(true))
	}
	c.Prompts[0].Turns = slices.Insert(c.Prompts[0].Turns, 0, t)
}
