package scenarios

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestAsksForSummary: a request for a summary may offer a tool that is none of the task, as Strands
// Agents does where the provider refuses a history with calls without one.
func TestAsksForSummary(t *testing.T) {
	s := &Scenario{ContextLimit: 1000, Prompts: []string{"Compare them."}, Tools: []Tool{{Name: "read_report"}}}
	const converse, chat = "converse", "chat"
	for _, c := range []struct {
		name, dialect, body string
		want                bool
	}{
		{"no tools", converse, `{"messages":[{"role":"user","content":[{"text":"Please summarize."}]}]}`, true},
		{"a tool of no use", converse, `{"messages":[{"role":"user","content":[{"text":"Please summarize."}]}],
			"toolConfig":{"tools":[{"toolSpec":{"name":"noop","inputSchema":{"json":{}}}}]}}`, true},
		{"the tools of the task", converse, `{"messages":[{"role":"user","content":[{"text":"Go on."}]}],
			"toolConfig":{"tools":[{"toolSpec":{"name":"read_report","inputSchema":{"json":{}}}}]}}`, false},
		{"those with a prefix", chat, `{"messages":[{"role":"user","content":"Go on."}],
			"tools":[{"type":"function","function":{"name":"mcp__read_report","parameters":{}}}]}`, false},
		{"those, and none to choose", chat, `{"messages":[{"role":"user","content":"Please summarize."}],"tool_choice":"none",
			"tools":[{"type":"function","function":{"name":"read_report","parameters":{}}}]}`, true},
		{"a prompt", converse, `{"messages":[{"role":"user","content":[{"text":"Compare them."}]}]}`, false},
	} {
		var d *wire.Dialect
		for _, other := range dialect.All() {
			if other.Name == c.dialect {
				d = other
			}
		}
		req, err := d.Read([]byte(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.AsksForSummary(req, ""); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
