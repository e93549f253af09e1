package chat

import "github.com/loopproof/loopproof/internal/wire"

// Read reads the body of a request into neutral words. The error says why the body is not a JSON
// object; everything else, however wrong, is read as far as it goes and left to the rules.
func Read(body []byte) (*wire.Request, error) { return API.Read(body) }

func read(req *wire.Request) {
	root := req.Body
	if messages := root.Get("messages"); messages.Is(wire.Array) {
		req.ReadMessages(messages.Items, readMessage)
	}
	if tools := root.Get("tools"); tools.Is(wire.Array) {
		for _, t := range tools.Items {
			f := t.Get("function")
			req.Tools = append(req.Tools, wire.ToolDefinition{
				Node:        t,
				Name:        f.Get("name").Text(),
				Description: f.Get("description").Text(),
				Parameters:  f.Get("parameters"),
				NameNode:    f.Get("name"),
				Own:         !isFunction(t),
				Strict:      f.Get("strict").True(),
			})
		}
	}
}

var roles = map[string]wire.Role{
	"system": wire.System, "developer": wire.System, "user": wire.User, "assistant": wire.Assistant, "tool": wire.Tool,
}

func readMessage(n *wire.Node) wire.Message {
	word := n.Get("role").Text()
	m := wire.Message{
		Node:     n,
		Role:     roles[word],
		RoleWord: word,
		Content:  wire.ReadContent(n.Get("content")),
	}
	switch m.Role {
	case wire.Assistant:
		m.Reasoning = readReasoning(n)
		m.Calls = readCalls(n.Get("tool_calls"))
	case wire.Tool:
		id := n.Get("tool_call_id")
		m.Results = []wire.Result{{Node: n, CallID: id.Text(), IDNode: id, Content: m.Content}}
	}
	return m
}

// ReasoningFields are the keys under which providers of this dialect take and give plain reasoning.
var ReasoningFields = []string{"reasoning_content", "reasoning", "reasoning_text"}

func readReasoning(n *wire.Node) wire.Reasoning {
	var r wire.Reasoning
	for _, field := range ReasoningFields {
		if v := n.Get(field); v != nil {
			r.Text, r.Field = v, field
			break
		}
	}
	if d := n.Get("reasoning_details"); d.Is(wire.Array) {
		r.Details = d.Items
	}
	content := n.Get("content")
	if !content.Is(wire.Array) {
		return r
	}
	for _, part := range content.Items {
		if part.Get("type").Text() == "thinking" {
			r.Thoughts = append(r.Thoughts, part)
		}
	}
	return r
}

func readCalls(n *wire.Node) []wire.Call {
	if !n.Is(wire.Array) {
		return nil
	}
	calls := make([]wire.Call, 0, len(n.Items))
	for _, c := range n.Items {
		f := c.Get("function")
		args := f.Get("arguments")
		call := wire.Call{Node: c, ID: c.Get("id").Text(), IDNode: c.Get("id"), Name: f.Get("name").Text(), ArgsNode: args}
		if args.Is(wire.String) {
			call.Arguments = args.Text()
		} else if args != nil {
			call.Arguments = string(args.Raw)
		}
		calls = append(calls, call)
	}
	return calls
}

// isFunction reports whether a tool is a function, or does not say what it is.
func isFunction(tool *wire.Node) bool {
	kind := tool.Get("type").Text()
	return kind == "" || kind == "function"
}
