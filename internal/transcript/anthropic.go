package transcript

import "github.com/loopproof/loopproof/internal/wire"

// readAnthropic reads messages of content blocks. A user message may hold results and text; it is
// read as two messages then, in the order in which the model takes them: results first.
func readAnthropic(r *Record) {
	for _, n := range r.Doc.Items {
		switch n.Get("role").Text() {
		case "assistant":
			r.add(assistantBlocks(n), Note{})
		case "user":
			r.addUserBlocks(n)
		}
	}
}

func assistantBlocks(n *wire.Node) wire.Message {
	m := wire.Message{Node: n, Role: wire.Assistant, RoleWord: "assistant", Content: content(n.Get("content"))}
	for _, block := range n.Get("content").All() {
		switch block.Get("type").Text() {
		case "tool_use":
			input := block.Get("input")
			call := wire.Call{Node: block, ID: block.Get("id").Text(), Name: block.Get("name").Text(), ArgsNode: input}
			if input != nil {
				call.Arguments = string(input.Raw)
			}
			m.Calls = append(m.Calls, call)
		case "thinking", "redacted_thinking":
			m.Reasoning.Details = append(m.Reasoning.Details, block)
		}
	}
	return m
}

func (r *Record) addUserBlocks(n *wire.Node) {
	m := wire.Message{Node: n, Role: wire.User, RoleWord: "user", Content: content(n.Get("content"))}
	for _, block := range n.Get("content").All() {
		if block.Get("type").Text() != "tool_result" {
			continue
		}
		id := block.Get("tool_use_id")
		m.Results = append(m.Results, wire.Result{Node: block, CallID: id.Text(), IDNode: id, Content: content(block.Get("content"))})
		r.marks[block] = Mark{Error: block.Get("is_error").True()}
	}
	if len(m.Results) > 0 {
		results := m
		results.Role, results.Content = wire.Tool, wire.Content{}
		r.add(results, Note{})
		m.Results = nil
		if m.Content.Text == "" {
			return
		}
	}
	r.add(m, Note{})
}
