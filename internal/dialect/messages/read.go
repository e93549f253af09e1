package messages

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Read reads the body of a request into neutral words. The error says why the body is not a JSON
// object; everything else, however wrong, is read as far as it goes and left to the rules. The
// system prompt, which is separate from the messages here, becomes the first of them.
func Read(body []byte) (*wire.Request, error) { return API.Read(body) }

func read(req *wire.Request) {
	root := req.Body
	if system := root.Get("system"); system != nil {
		req.Messages = append(req.Messages, wire.Message{Node: system, Role: wire.System, RoleWord: "system", Content: wire.ReadContent(system)})
	}
	if list := root.Get("messages"); list.Is(wire.Array) {
		req.ReadMessages(list.Items, readMessage)
	}
	if tools := root.Get("tools"); tools.Is(wire.Array) {
		for _, t := range tools.Items {
			req.Tools = append(req.Tools, readTool(t))
			req.ServerTools = req.ServerTools || isServerTool(t.Get("type").Text())
		}
	}
	req.ToolChanges = readToolChanges(req)
	req.ServerTools = req.ServerTools || root.Get("mcp_servers").Is(wire.Array) && len(root.Get("mcp_servers").Items) > 0
}

func readTool(t *wire.Node) wire.ToolDefinition {
	return wire.ToolDefinition{
		Node:        t,
		Name:        t.Get("name").Text(),
		Description: t.Get("description").Text(),
		Parameters:  t.Get("input_schema"),
		NameNode:    t.Get("name"),
		Strict:      t.Get("strict").True(),
		Deferred:    t.Get("defer_loading").True(),
		Own:         isToolset(t.Get("type").Text()),
	}
}

// readToolChanges reads the tools that come and go in messages of the system:
// BetaRequestToolAdditionBlock and BetaRequestToolRemovalBlock of anthropic 1.12.0 for TypeScript
// say how.
func readToolChanges(req *wire.Request) (changes []wire.ToolChange) {
	type noToolChanges struct{}
	req.Look(noToolChanges{}, func(_ int, m *wire.Node) bool {
		before := len(changes)
		for _, block := range m.Get("content").All() {
			kind, tool := block.Get("type").Text(), block.Get("tool")
			switch definition := tool.Get("definition"); {
			case kind != "tool_addition" && kind != "tool_removal":
			case definition != nil:
				changes = append(changes, wire.ToolChange{Tool: readTool(definition)})
			default:
				changes = append(changes, wire.ToolChange{Tool: wire.ToolDefinition{Name: tool.Get("name").Text()}, Gone: kind == "tool_removal"})
			}
		}
		return len(changes) > before
	})
	return changes
}

// isToolset reports whether an entry of tools is a set of tools, which has no name of its own:
// mcp_toolset, and browser_toolset_20260801 and computer_toolset_20260801, of which anthropic
// 2.14.0 for Python says so.
func isToolset(kind string) bool {
	return kind == "mcp_toolset" || strings.HasPrefix(kind, "browser_toolset_") || strings.HasPrefix(kind, "computer_toolset_")
}

// isServerTool reports whether a tool of a type is run by Anthropic: those of the client are bash,
// the text editor, the computer, the memory, and those that the client made up.
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
func isServerTool(kind string) bool {
	return slices.ContainsFunc([]string{"web_search_", "web_fetch_", "code_execution_", "tool_search_tool_", "mcp_toolset"}, func(prefix string) bool {
		return strings.HasPrefix(kind, prefix)
	})
}

var roles = map[string]wire.Role{"user": wire.User, "assistant": wire.Assistant, "system": wire.System}

func readMessage(n *wire.Node) wire.Message {
	word := n.Get("role").Text()
	content := n.Get("content")
	m := wire.Message{Node: n, Role: roles[word], RoleWord: word, Content: wire.ReadContent(content)}
	if !content.Is(wire.Array) {
		return m
	}
	for _, block := range content.Items {
		switch block.Get("type").Text() {
		case "tool_use":
			m.Calls = append(m.Calls, readCall(block))
		case "tool_result":
			m.Results = append(m.Results, readResult(block))
		case "thinking", "redacted_thinking":
			m.Reasoning.Details = append(m.Reasoning.Details, block)
		}
	}
	return m
}

func readCall(block *wire.Node) wire.Call {
	input := block.Get("input")
	call := wire.Call{Node: block, ID: block.Get("id").Text(), IDNode: block.Get("id"), Name: block.Get("name").Text(), ArgsNode: input}
	if input != nil {
		call.Arguments = string(input.Raw)
	}
	return call
}

func readResult(block *wire.Node) wire.Result {
	id := block.Get("tool_use_id")
	return wire.Result{
		Node:    block,
		CallID:  id.Text(),
		IDNode:  id,
		Content: readResultContent(block.Get("content")),
		Failed:  block.Get("is_error").True(),
	}
}

// readResultContent reads what a tool returned: its texts, and those in the documents and search
// results that it holds.
func readResultContent(n *wire.Node) wire.Content {
	c := wire.ReadContent(n)
	if !slices.ContainsFunc(c.Parts, holdsTexts) {
		return c
	}
	var b strings.Builder
	for _, p := range c.Parts {
		b.WriteString(textWithin(p))
	}
	c.Text = b.String()
	return c
}

func holdsTexts(p wire.Part) bool { return p.Type == "document" || p.Type == "search_result" }

// textWithin returns the text of a block, or that in a document or a search result. A PDF, and what
// is behind a URL, is none.
func textWithin(p wire.Part) string {
	source := p.Node.Get("source")
	switch {
	case p.Type == "text":
		return p.Text
	case p.Type == "search_result":
		return wire.ReadContent(p.Node.Get("content")).Text
	case p.Type == "document" && source.Get("type").Text() == "text":
		return source.Get("data").Text()
	case p.Type == "document":
		return wire.ReadContent(source.Get("content")).Text
	default:
		return ""
	}
}
