package rules

import (
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// placeOf returns the index of a message as it stands on the wire.
func placeOf(m wire.Message) string { return lastStep(m.Node) }

// nextPlace returns the index of a message that may be one behind the last.
func nextPlace(req *wire.Request, i int) string {
	switch {
	case i < len(req.Messages):
		return placeOf(req.Messages[i])
	case i == 0:
		return "0"
	}
	last, _ := strconv.Atoi(placeOf(req.Messages[i-1]))
	return strconv.Itoa(last + 1)
}

// lastStep returns the last step of a node's pointer, which is the index of an item of a list.
func lastStep(n *wire.Node) string {
	p := n.Pointer()
	return p[strings.LastIndexByte(p, '/')+1:]
}

// dotted returns a node's pointer as some providers write it: messages.3.content.0.
func dotted(n *wire.Node) string {
	return strings.ReplaceAll(strings.TrimPrefix(n.Pointer(), "/"), "/", ".")
}

// callsPointer returns where the calls of a message stand.
func callsPointer(m wire.Message) string {
	if len(m.Calls) > 0 {
		first := m.Calls[0].Node.Pointer()
		return first[:strings.LastIndexByte(first, '/')]
	}
	if calls := m.Node.Get("tool_calls"); calls != nil {
		return calls.Pointer()
	}
	return m.Node.Pointer() + "/content"
}

// detailsPointer returns where the structured reasoning of a message stands.
func detailsPointer(m wire.Message) string {
	if m.Content.Node.Is(wire.Array) && m.Node.Get("reasoning_details") == nil && len(m.Reasoning.Details) > 0 {
		return m.Node.Pointer() + "/content"
	}
	return m.Node.Pointer() + "/reasoning_details"
}

// resultIDKey returns the key under which a tool result names its call.
func resultIDKey(req *wire.Request) string { return req.Dialect.Request.ResultID }
