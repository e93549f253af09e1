package cohere

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

var roles = map[string]wire.Role{"system": wire.System, "user": wire.User, "assistant": wire.Assistant, "tool": wire.Tool}

// read reads the body of a request. What the model said beside its calls is their plan.
func read(req *wire.Request) {
	req.ReadMessages(req.Body.Get("messages").All(), readMessage)
	for _, t := range req.Body.Get("tools").All() {
		f := t.Get("function")
		req.Tools = append(req.Tools, wire.ToolDefinition{
			Node: t, Name: f.Get("name").Text(), NameNode: f.Get("name"), Description: f.Get("description").Text(),
			Parameters: f.Get("parameters"), Strict: req.Body.Get("strict_tools").True(),
		})
	}
}

func readMessage(n *wire.Node) wire.Message {
	word := n.Get("role").Text()
	m := wire.Message{Node: n, Role: roles[word], RoleWord: word, Content: wire.ReadContent(n.Get("content"))}
	switch m.Role {
	case wire.Assistant:
		for _, part := range m.Content.Parts {
			if part.Type == "thinking" {
				m.Reasoning.Thoughts = append(m.Reasoning.Thoughts, part.Node)
			}
		}
		if plan := n.Get("tool_plan"); plan.Text() != "" {
			m.Content = wire.Content{Node: plan, Text: plan.Text() + m.Content.Text, Parts: m.Content.Parts}
		}
		for _, c := range n.Get("tool_calls").All() {
			m.Calls = append(m.Calls, readCall(c))
		}
	case wire.Tool:
		id := n.Get("tool_call_id")
		m.Content = readResult(n.Get("content"))
		m.Results = []wire.Result{{Node: n, CallID: id.Text(), IDNode: id, Content: m.Content}}
	}
	return m
}

func readCall(n *wire.Node) wire.Call {
	f := n.Get("function")
	c := wire.Call{Node: n, ID: n.Get("id").Text(), IDNode: n.Get("id"), Name: f.Get("name").Text(), ArgsNode: f.Get("arguments")}
	if c.ArgsNode != nil {
		c.Arguments = c.ArgsNode.TextOrJSON()
	}
	return c
}

// readResult reads what a tool returned: a text, or blocks of texts and of documents that the answer
// can cite.
func readResult(n *wire.Node) wire.Content {
	c := wire.ReadContent(n)
	var text strings.Builder
	for _, part := range c.Parts {
		text.WriteString(part.Text)
		if part.Type == "document" {
			text.WriteString(documentText(part.Node.Get("document").Get("data")))
		}
	}
	if len(c.Parts) > 0 {
		c.Text = text.String()
	}
	return c
}

// documentText returns the only text in the data of a document, or all of the data.
func documentText(data *wire.Node) string {
	if keys := data.Keys(); len(keys) == 1 && data.Get(keys[0]).Is(wire.String) {
		return data.Get(keys[0]).Text()
	}
	return data.TextOrJSON()
}
