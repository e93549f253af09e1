package agents

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/wire"
)

// Sketch is what a new description is made of.
type Sketch struct {
	Command []string // with {prompt}, or the prompt is on standard input
	Dialect string
	MCP     string // the file below the home that names MCP servers; "none": it takes none
}

// Name returns the name of the description: that of the program.
func (s Sketch) Name() string {
	base := filepath.Base(s.Command[0])
	return strings.TrimSuffix(base, path.Ext(base))
}

// Check says what is wrong with the sketch.
func (s Sketch) Check() error {
	switch {
	case len(s.Command) == 0:
		return errors.New("the command is missing, such as: my-agent --print {prompt}")
	case s.MCP == "none":
		return nil
	case !filepath.IsLocal(filepath.FromSlash(s.MCP)):
		return fmt.Errorf("the file that names MCP servers is a path below the home of the agent, such as .my-agent/mcp.json, not %q", s.MCP)
	case serversIn(s.MCP) == "":
		return fmt.Errorf("the file that names MCP servers is .json or .toml, not %q", s.MCP)
	}
	return nil
}

// serversIn returns the usual text of a file that names MCP servers, or "".
func serversIn(file string) string {
	switch path.Ext(file) {
	case ".json":
		return `{"mcpServers": {"loopproof": {"type": "http", "url": "{mcp_url}"}}}`
	case ".toml":
		return "[mcp_servers.loopproof]\n    url = \"{mcp_url}\""
	}
	return ""
}

// YAML returns the description.
func (s Sketch) YAML() []byte {
	var b bytes.Buffer
	words := make([]string, len(s.Command))
	for i, word := range s.Command {
		words[i] = string(wire.JSON(word))
	}
	d := dialect.Named(s.Dialect)
	fmt.Fprintf(&b, "# How Loopproof starts this agent. docs/agents.md describes all keys.\nloopproof: 1\nname: %s\ndialect: %s\n", wire.JSON(s.Name()), s.Dialect)
	fmt.Fprintf(&b, "version: [%s, --version]\ncommand: [%s]\n", words[0], strings.Join(words, ", "))
	fmt.Fprintf(&b, "# YOURS: most agents take the URL and the key from these variables. For others, write the file that they read them from.\nenv:\n")
	e := d.Endpoint
	fmt.Fprintf(&b, "  %s: \"{base_url}\"\n  %s: \"{api_key}\"\n  %s_MODEL: \"{model}\"\n", e.URLVariable(), e.KeyVariable(), e.Env)
	if s.MCP == "none" {
		b.WriteString("tools: {none: it takes no MCP servers}\n")
	} else {
		fmt.Fprintf(&b, "# YOURS: the agent has to be allowed to call the tools of this server without asking.\nfiles:\n  %s: |\n    %s\n", wire.JSON(s.MCP), serversIn(s.MCP))
		b.WriteString("# YOURS: if the model calls the wrong tool, say how the agent names those of MCP servers.\n# tools: {named: \"mcp__loopproof__{tool}\"}\n")
	}
	b.WriteString("# YOURS: the answer is all of standard output, or somewhere in its JSON.\nanswer: {format: text}\n")
	b.WriteString("# YOURS: what it supports.\nclaims: [streaming, parallel-calls]\ndeliveries: [\"sse*\"]\ntimeout: 60s\n")
	return b.Bytes()
}
