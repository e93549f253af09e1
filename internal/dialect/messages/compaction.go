package messages

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// compactionBlock is the type of a block that stands for all before it.
const compactionBlock = "compaction"

// compactionForm is Anthropic's: https://platform.claude.com/docs/en/build-with-claude/compaction
var compactionForm = wire.CompactionForm{
	Asked: func(req *wire.Request) (threshold int, asked bool) {
		for _, edit := range req.Body.Get("context_management").Get("edits").All() {
			if strings.HasPrefix(edit.Get("type").Text(), "compact_") {
				threshold, _ = edit.Get("trigger").Get("value").Int()
				return threshold, true
			}
		}
		return 0, false
	},
	Pauses: func(req *wire.Request) bool { // https://platform.claude.com/docs/en/build-with-claude/compaction-threshold
		return slices.ContainsFunc(req.Body.Get("context_management").Get("edits").All(), func(edit *wire.Node) bool {
			return strings.HasPrefix(edit.Get("type").Text(), "compact_") && edit.Get("pause_after_compaction").True()
		})
	},
	In: func(req *wire.Request) (blocks []*wire.Node) {
		for _, message := range req.Body.Get("messages").All() {
			for _, block := range message.Get("content").All() {
				if block.Get("type").Text() == compactionBlock {
					blocks = append(blocks, block)
				}
			}
		}
		return blocks
	},
	Alone: func(req *wire.Request) bool { // https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand
		return req.Body.Get("compaction").Get("type").Text() == "summarize"
	},
	Apart: func(req *wire.Request, block *wire.Node, _ []*wire.Compaction) bool {
		signature := block.Get("signature")
		return signature.Is(wire.String) && (req.Altered == nil || !req.Altered(block.Get("content").Text(), signature.Text()))
	},
	Read: func(block *wire.Node) wire.Compaction {
		return wire.Compaction{Text: block.Get("content").Text(), Signature: block.Get("signature").Text()}
	},
}

// compaction is a block with a summary, which comes in one piece: recorded in github.com/vercel/ai,
// packages/anthropic/src/__fixtures__ (anthropic-compaction). A signature is in the first event,
// since the types of Anthropic's SDKs have no delta for it.
func compaction(c *wire.Compaction) block {
	start := wire.Fields{{Key: "type", Value: compactionBlock}, {Key: "content", Value: nil}}
	whole := wire.Fields{{Key: "type", Value: compactionBlock}, {Key: "content", Value: c.Text}}
	if c.Signature != "" {
		signed := wire.Field{Key: "signature", Value: c.Signature}
		start, whole = append(start, signed), append(whole, signed)
	}
	return block{
		start:  start.JSON(),
		deltas: []wire.Raw{object("type", "compaction_delta", "content", c.Text)},
		whole:  func() wire.Raw { return whole.JSON() },
	}
}

// contextManaged says what became of the history, in an answer to a request that asks for some of
// it: no edits were made besides the compaction, which its block tells.
func contextManaged(r wire.Reply) (wire.Field, bool) {
	managed := r.Request != nil && r.Request.Body.Get("context_management").Is(wire.Object)
	return wire.Field{Key: "context_management", Value: wire.Fields{{Key: "applied_edits", Value: []any{}}}}, managed
}
