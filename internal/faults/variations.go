package faults

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/variations"
)

// Axis is one way in which correct loops differ.
type Axis struct{ Name, About string }

// Axes are the ways in which correct loops differ, in the order in which they are shown.
var Axes = []Axis{
	{"prompts", "what the user says"},
	{"system", "the system prompt"},
	{"turns", "the model's turns as they go back"},
	{"results", "what tools return"},
	{"tools", "how tools are offered"},
	{"parameters", "what else a request says"},
	{"caching", "marks for the provider's cache"},
	{"json", "how the JSON of a request is written"},
	{"http", "how a request is sent"},
	{"answers", "how answers are read"},
	{"execution", "how tools are run"},
	{"approvals", "how the user is asked"},
	{"steering", "what becomes of a prompt while tools run"},
	{"programs", "how code of the provider calls tools"},
	{"models", "which model is asked, and what it is told of another one"},
	{"mcp", "how what a server of MCP returns is shown"},
	{"sockets", "how a WebSocket is used"},
	{"sub-agents", "how sub-agents are asked, and what comes of it"},
	{"compaction", "how a history is made shorter"},
	{"sessions", "what is stored of a session, and how it goes on"},
	{"retries", "what is tried again, and when"},
	{"endings", "limits, cuts and cancellation"},
	{"outcome", "what the caller is told"},
	{"records", "the transcript that is handed over"},
}

// Variations returns all variations, axis by axis.
func Variations() []hooks.Variation {
	return append(variations.All(), variationsOfDialects()...)
}
