package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/agents"
)

// TestAskFor asks for what the command line left out, and for nothing else.
func TestAskFor(t *testing.T) {
	var asked bytes.Buffer
	sketch := agents.Sketch{Dialect: "chat"}
	err := askFor(&sketch, []string{"chat", "messages"}, strings.NewReader("my-agent --print {prompt}\n.my-agent/mcp.toml\n"), &asked)
	want := agents.Sketch{Command: []string{"my-agent", "--print", "{prompt}"}, Dialect: "chat", MCP: ".my-agent/mcp.toml"}
	if diff := cmp.Diff(want, sketch); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if n := strings.Count(asked.String(), "?") + strings.Count(asked.String(), ":"); n != 2 || strings.Contains(asked.String(), "API") {
		t.Errorf("asked: %s", asked.String())
	}
	if _, err := agents.Parse("my-agent.yaml", sketch.YAML()); err != nil {
		t.Error(err)
	}
}
