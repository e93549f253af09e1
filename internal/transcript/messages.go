package transcript

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Three formats keep a message for each result, in the shape of Chat Completions, and differ in
// what they add.

func readOpenAI(r *Record) {
	for _, n := range r.Doc.Items {
		r.add(chatMessage(n, "tool"), Note{})
	}
}

func readOpenAgentLoops(r *Record) {
	for _, n := range r.Doc.Items {
		m := chatMessage(n, "tool")
		if text := n.Get("reasoning"); text != nil {
			m.Reasoning.Text, m.Reasoning.Field = text, "reasoning"
		}
		m.Reasoning.Details = n.Get("reasoning_details").All()
		note := Note{Time: n.Get("timestamp")}
		if m.Role == wire.Assistant {
			note.Finish, note.Failed = n.Get("finishReason"), n.Get("isError").True()
		}
		for _, result := range m.Results {
			r.marks[result.Node] = Mark{Tool: n.Get("toolName"), Error: n.Get("isError").True()}
		}
		r.add(m, note)
	}
}

func readART(r *Record) {
	for _, n := range r.Doc.Items {
		word := n.Get("role").Text()
		if word == "tool_request" {
			continue // says again what the calls of the assistant's message say
		}
		m := chatMessage(n, "tool_result", "tool")
		for _, result := range m.Results {
			r.marks[result.Node] = Mark{Tool: n.Get("name")}
		}
		r.add(m, Note{})
	}
}

// chatMessage reads a message in the shape of Chat Completions. The roles of results are named.
func chatMessage(n *wire.Node, results ...string) wire.Message {
	m := wire.Message{Node: n, RoleWord: n.Get("role").Text(), Content: content(n.Get("content"))}
	switch m.RoleWord {
	case "system", "developer":
		m.Role = wire.System
	case "user":
		m.Role = wire.User
	case "assistant":
		m.Role = wire.Assistant
		m.Calls = calls(n.Get("tool_calls"))
	}
	for _, word := range results {
		if m.RoleWord == word {
			m.Role = wire.Tool
			m.Results = []wire.Result{{Node: n, CallID: n.Get("tool_call_id").Text(), IDNode: n.Get("tool_call_id"), Content: m.Content}}
		}
	}
	return m
}

func calls(list *wire.Node) []wire.Call {
	var all []wire.Call
	for _, n := range list.All() {
		args := n.Get("function").Get("arguments")
		all = append(all, wire.Call{Node: n, ID: n.Get("id").Text(), Name: n.Get("function").Get("name").Text(), Arguments: args.Text(), ArgsNode: args})
	}
	return all
}

// content reads a text, or a list of parts.
func content(n *wire.Node) wire.Content {
	c := wire.Content{Node: n, Text: n.Text()}
	var texts []string
	for _, part := range n.All() {
		p := wire.Part{Node: part, Type: part.Get("type").Text(), Text: part.Get("text").Text()}
		c.Parts = append(c.Parts, p)
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
	}
	if len(texts) > 0 {
		c.Text = strings.Join(texts, "")
	}
	return c
}
