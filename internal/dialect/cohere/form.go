package cohere

import (
	_ "embed"

	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/wire"
)

//go:embed request.yaml
var requestFile []byte

// Form is what a request looks like.
var Form = form.Must("internal/dialect/cohere/request.yaml", requestFile, map[string]func(*wire.Node) string{"message": kindOfMessage})

// kindOfMessage returns the role of a message, and of the assistant whether it calls tools.
func kindOfMessage(m *wire.Node) string {
	role := m.Get("role").Text()
	if role == "assistant" && len(m.Get("tool_calls").All()) > 0 {
		return "calling assistant"
	}
	return role
}
