package chat

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// likeness tells how surely an object is a request: messages with roles, and for certainty calls
// and results as only Chat Completions writes them.
func likeness(body *wire.Node) wire.Likeness {
	messages := body.Get("messages")
	if !wire.HasObjects(messages, "role") {
		return wire.Unlike
	}
	own := func(m *wire.Node) bool {
		return m.Has("tool_calls") || m.Has("tool_call_id") || slices.Contains([]string{"tool", "function", "developer"}, m.Get("role").Text())
	}
	tool := func(t *wire.Node) bool { return t.Has("function") }
	if slices.ContainsFunc(messages.Items, own) || slices.ContainsFunc(body.Get("tools").All(), tool) {
		return wire.Certain
	}
	return wire.Likely
}
