package messages

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// ownBlocks are the types of blocks that only this API has.
var ownBlocks = []string{"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"}

// likeness tells how surely an object is a request: messages with roles, and for certainty a system
// prompt apart from them, tools with an input_schema, blocks of this API, or the name of one of
// Anthropic's models with the limit that is required here.
func likeness(body *wire.Node) wire.Likeness {
	messages := body.Get("messages")
	if !wire.HasObjects(messages, "role") {
		return wire.Unlike
	}
	block := func(b *wire.Node) bool { return slices.Contains(ownBlocks, b.Get("type").Text()) }
	own := func(m *wire.Node) bool { return slices.ContainsFunc(m.Get("content").All(), block) }
	tool := func(t *wire.Node) bool { return t.Has("input_schema") }
	switch {
	case slices.ContainsFunc(messages.Items, own), slices.ContainsFunc(body.Get("tools").All(), tool), body.Has("system"), body.Has("anthropic_version"):
		return wire.Certain
	case strings.HasPrefix(body.Get("model").Text(), "claude-") && body.Has("max_tokens"):
		return wire.Certain
	default:
		return wire.Likely
	}
}
