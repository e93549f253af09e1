package chat

import (
	_ "embed"

	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/wire"
)

//go:embed request.yaml
var requestFile []byte

// Form returns what a request looks like.
var Form = form.Lazy("internal/dialect/chat/request.yaml", requestFile, map[string]func(*wire.Node) string{
	"message": kindOfMessage, "call": kindOfCall, "tool": kindOfTool,
})

// kindOfMessage returns the role of a message, and of the assistant whether it calls tools.
func kindOfMessage(m *wire.Node) string {
	role := m.Get("role").Text()
	if role == "assistant" && len(m.Get("tool_calls").All()) > 0 {
		return "calling assistant"
	}
	return role
}

// kindOfCall returns the type of a call, which is one of a function where it is not of a custom tool.
func kindOfCall(call *wire.Node) string {
	if call.Get("type").Text() == "custom" {
		return "custom"
	}
	return "function"
}

// kindOfTool returns the type of a tool, which is a function where it does not say so.
func kindOfTool(tool *wire.Node) string {
	if isFunction(tool) {
		return "function"
	}
	return tool.Get("type").Text()
}
