package acp

import (
	"encoding/json"
	"slices"
	"strings"
)

// Version is the version of the protocol that this package speaks.
const Version = 1

// Initialize is the first request.
type Initialize struct {
	Version int            `json:"protocolVersion"`
	Client  Implementation `json:"clientInfo"`
	Can     ClientCan      `json:"clientCapabilities"`
}

// ClientCan is what a client offers: this one has no files and no terminals.
type ClientCan struct {
	Files    map[string]bool `json:"fs"`
	Terminal bool            `json:"terminal"`
}

// Implementation names a client or an agent.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

// Initialized is the answer to [Initialize].
type Initialized struct {
	Version int            `json:"protocolVersion"`
	Agent   Implementation `json:"agentInfo"`
	Can     AgentCan       `json:"agentCapabilities"`
	Auth    []struct {
		ID string `json:"id"`
	} `json:"authMethods"`
}

// AgentCan is what an agent offers.
type AgentCan struct {
	Load bool `json:"loadSession"`
	MCP  struct {
		HTTP bool `json:"http"`
	} `json:"mcpCapabilities"`
}

// NewSession begins a session, or loads the one of an id.
type NewSession struct {
	ID      string      `json:"sessionId,omitempty"`
	Dir     string      `json:"cwd"`
	Servers []MCPServer `json:"mcpServers"`
}

// Session is the answer to [NewSession].
type Session struct {
	ID string `json:"sessionId"`
}

// MCPServer is a server of MCP that an agent is to use: at a URL where it has one, else a program.
type MCPServer struct {
	Name    string
	URL     string
	Command string
	Args    []string
}

// MarshalJSON writes the form of the two that the server has.
func (s MCPServer) MarshalJSON() ([]byte, error) {
	if s.URL != "" {
		return json.Marshal(map[string]any{"type": "http", "name": s.Name, "url": s.URL, "headers": []string{}})
	}
	return json.Marshal(map[string]any{"name": s.Name, "command": s.Command, "args": s.Args, "env": []string{}})
}

// Prompt is what the user says.
type Prompt struct {
	Session string  `json:"sessionId"`
	Prompt  []Block `json:"prompt"`
}

// Block is a part of a prompt or of an answer.
type Block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Text returns the prompt that is a text.
func Text(session, text string) Prompt {
	return Prompt{Session: session, Prompt: []Block{{Type: "text", Text: text}}}
}

// Prompted is the answer to [Prompt].
type Prompted struct {
	StopReason string `json:"stopReason"`
}

// Two of the reasons for which an agent stops: its answer is whole, or the user has cancelled.
const (
	EndTurn   = "end_turn"
	Cancelled = "cancelled"
)

// asksPermission is the kind of an update that is none, but the request for a permission.
const asksPermission = "request_permission"

// Update is what an agent tells while it answers. Kind says what it is about.
type Update struct {
	Kind string          `json:"sessionUpdate"`
	Said json.RawMessage `json:"content"` // a block, or a list of them for the result of a call
}

// Answer puts the answer of an agent together: what it says after its last call of a tool. The zero
// value is an empty one.
type Answer struct{ text strings.Builder }

// Add adds what an update says of the answer.
func (a *Answer) Add(u Update) {
	switch u.Kind {
	case "tool_call", asksPermission:
		a.text.Reset() // what it said before is no answer
	case "agent_message_chunk":
		var b Block
		if json.Unmarshal(u.Said, &b) == nil && b.Type == "text" {
			a.text.WriteString(b.Text)
		}
	}
}

// String returns the answer.
func (a *Answer) String() string { return a.text.String() }

// PermissionRequest asks whether a call of a tool may be run.
type PermissionRequest struct {
	Call    ToolCall           `json:"toolCall"`
	Options []PermissionOption `json:"options"`
}

// ToolCall is a call as an agent shows it.
type ToolCall struct {
	ID    string          `json:"toolCallId"`
	Title string          `json:"title"`
	Input json.RawMessage `json:"rawInput"`
}

// PermissionOption is a decision that the user can make.
type PermissionOption struct {
	ID   string `json:"optionId"`
	Kind string `json:"kind"` // allow_once, allow_always, reject_once or reject_always
}

// Option returns the option that allows the call, or rejects it, this once where there is one for
// that; "" if there is none.
func (r PermissionRequest) Option(allow bool) string {
	kinds := []string{"reject_once", "reject_always"}
	if allow {
		kinds = []string{"allow_once", "allow_always"}
	}
	for _, kind := range kinds {
		if i := slices.IndexFunc(r.Options, func(o PermissionOption) bool { return o.Kind == kind }); i >= 0 {
			return r.Options[i].ID
		}
	}
	return ""
}
