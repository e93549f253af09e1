package rules

import (
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// IndexOf returns the index of a message as it is on the wire.
func IndexOf(m wire.Message) string { return LastStep(m.Node) }

// NextIndex returns the index of message i as text, also for the place after the last message.
func NextIndex(req *wire.Request, i int) string {
	switch {
	case i < len(req.Messages):
		return IndexOf(req.Messages[i])
	case i == 0:
		return "0"
	}
	last, _ := strconv.Atoi(IndexOf(req.Messages[i-1]))
	return strconv.Itoa(last + 1)
}

// LastStep returns the last step of a node's pointer, which is the index of an item of a list.
func LastStep(n *wire.Node) string {
	p := n.Pointer()
	return p[strings.LastIndexByte(p, '/')+1:]
}

// Dotted returns the pointer of a node as some providers write it: messages.3.content.0.
func Dotted(n *wire.Node) string {
	return dotted.Replace(strings.TrimPrefix(n.Pointer(), "/"))
}

// dotted writes the steps of a JSON pointer with dots between them, and decodes what is escaped in
// them.
var dotted = strings.NewReplacer("/", ".", "~1", "/", "~0", "~")

// CallsPointer returns the JSON pointer to the calls of a message.
func CallsPointer(m wire.Message) string {
	if len(m.Calls) > 0 {
		first := m.Calls[0].Node.Pointer()
		return first[:strings.LastIndexByte(first, '/')]
	}
	if calls := m.Node.Get("tool_calls"); calls != nil {
		return calls.Pointer()
	}
	return m.Node.Pointer() + "/content"
}

// DetailsPointer returns the JSON pointer to the structured reasoning of a message.
func DetailsPointer(m wire.Message) string {
	if m.Content.Node.Is(wire.Array) && m.Node.Get("reasoning_details") == nil && len(m.Reasoning.Details) > 0 {
		return m.Node.Pointer() + "/content"
	}
	return m.Node.Pointer() + "/reasoning_details"
}

// ResultIDKey returns the key under which a tool result names its call.
func ResultIDKey(req *wire.Request) string { return req.Dialect.Request.ResultID }
