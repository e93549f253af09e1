package responses

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Read reads the body of a request into neutral words. The error says why the body is not a JSON
// object; everything else, however wrong, is read as far as it goes and left to the rules. The
// instructions, which are separate from the input here, become the first message. Items of the
// model that follow each other are one message.
func Read(body []byte) (*wire.Request, error) { return API.Read(body) }

func read(req *wire.Request) {
	root := req.Body
	if said := root.Get("instructions"); said != nil && !said.Is(wire.Null) {
		req.Messages = append(req.Messages, wire.Message{Node: said, Role: wire.System, RoleWord: "system", Content: readContent(said)})
	}
	readInput(req, root.Get("input"))
	if tools := root.Get("tools"); tools.Is(wire.Array) {
		for _, t := range tools.Items {
			req.Tools = append(req.Tools, readTools(t)...)
		}
	}
	readToolChanges(req)
}

// readToolChanges reads the tools that come in the middle of a conversation.
func readToolChanges(req *wire.Request) {
	type noToolChanges struct{}
	req.Look(noToolChanges{}, func(_ int, item *wire.Node) bool {
		kind := TypeOf(item)
		if kind != additionalToolsItem && kind != toolsFoundItem {
			return false
		}
		before := len(req.ToolChanges)
		for _, t := range item.Get("tools").All() {
			for _, tool := range readTools(t) {
				tool.OwnNamespace = kind == additionalToolsItem && TypeOf(t) == "function" // what a search has found is among the tools, or was not seen
				req.ToolChanges = append(req.ToolChanges, wire.ToolChange{Tool: tool})
			}
		}
		return len(req.ToolChanges) > before
	})
}

// readInput reads a text, which is what the user says, or a list of items.
func readInput(req *wire.Request, input *wire.Node) {
	if input.Is(wire.String) {
		req.Messages = append(req.Messages, wire.Message{Node: input, Role: wire.User, RoleWord: "user", Content: readContent(input)})
	}
	if !input.Is(wire.Array) {
		return
	}
	searches := map[string]bool{} // ids of searches for tools, which the loop makes
	ofModel := func(item *wire.Node) bool {
		if TypeOf(item) == toolSearchItem {
			searches[item.Get("call_id").Text()] = true
		}
		return isModels(item)
	}
	req.ReadTurns(input.Items, ofModel, readTurn, func(item *wire.Node) wire.Message { return readItem(item, searches) })
}

var roles = map[string]wire.Role{"user": wire.User, "assistant": wire.Assistant, "system": wire.System, "developer": wire.System}

// readItem reads an item that is not the model's, behind some searches for tools.
func readItem(item *wire.Node, searches map[string]bool) wire.Message {
	kind := TypeOf(item)
	if kind == resultItem && searches[item.Get("call_id").Text()] {
		return wire.Message{Node: item}
	}
	switch kind {
	case messageItem:
		word := item.Get("role").Text()
		return wire.Message{Node: item, Role: roles[word], RoleWord: word, Content: readContent(item.Get("content"))}
	case resultItem, customResultItem:
		id := item.Get("call_id")
		r := wire.Result{Node: item, CallID: id.Text(), IDNode: id, Content: readContent(item.Get("output"))}
		return wire.Message{Node: item, Role: wire.Tool, Content: r.Content, Results: []wire.Result{r}}
	default:
		return wire.Message{Node: item}
	}
}

// readTurn reads items of the model that follow each other: what one or several of its answers
// said.
func readTurn(items []*wire.Node) wire.Message {
	m := wire.Message{Node: wire.Joined(items), Role: wire.Assistant}
	var texts []string
	for _, item := range items {
		switch TypeOf(item) {
		case messageItem:
			m.RoleWord = item.Get("role").Text()
			said := readContent(item.Get("content"))
			if m.Content.Node == nil {
				m.Content.Node = said.Node
			}
			texts = append(texts, said.Text)
			m.Content.Parts = append(m.Content.Parts, said.Parts...)
		case callItem:
			m.Calls = append(m.Calls, readCall(item, item.Get("arguments")))
		case customItem:
			m.Calls = append(m.Calls, readCall(item, item.Get("input")))
		case reasoningItem:
			m.Reasoning.Details = append(m.Reasoning.Details, item)
		}
	}
	m.Content.Text = strings.Join(texts, "")
	return m
}

// readCall reads a call. One of a tool that came in the middle of a conversation has its own name as
// the namespace: OpenAI refuses it otherwise, which Pydantic AI 2.68.0 measured.
func readCall(item, arguments *wire.Node) wire.Call {
	name, space := item.Get("name").Text(), item.Get("namespace").Text()
	if space == name {
		space = ""
	}
	call := wire.Call{Node: item, ID: item.Get("call_id").Text(), IDNode: item.Get("call_id"), Name: qualified(space, name), ArgsNode: arguments}
	switch {
	case arguments.Is(wire.String):
		call.Arguments = arguments.Text()
	case arguments != nil:
		call.Arguments = string(arguments.Raw)
	}
	return call
}

// readContent reads a content, whose parts with text are of several types here.
func readContent(n *wire.Node) wire.Content {
	c := wire.ReadContent(n)
	for i := range c.Parts {
		switch part := &c.Parts[i]; part.Type {
		case "input_text", "output_text":
			part.Type = "text"
		}
	}
	if len(c.Parts) > 0 {
		c.Text = wire.JoinTexts(c.Parts)
	}
	return c
}

// readTools returns a tool, or the tools of a namespace.
func readTools(n *wire.Node) []wire.ToolDefinition {
	space, inside := n.Get("name").Text(), n.Get("tools")
	if n.Get("type").Text() != namespaceTool || !inside.Is(wire.Array) {
		tool := readTool(n)
		tool.OwnNamespace = tool.Deferred && !tool.Own && !tool.FreeText
		return []wire.ToolDefinition{tool}
	}
	var tools []wire.ToolDefinition
	for _, t := range inside.Items {
		tool := readTool(t)
		tool.Name = qualified(space, tool.Name)
		tools = append(tools, tool)
	}
	return tools
}

func readTool(n *wire.Node) wire.ToolDefinition {
	name := n.Get("name")
	kind := n.Get("type").Text()
	return wire.ToolDefinition{
		Node:        n,
		Name:        name.Text(),
		Description: n.Get("description").Text(),
		Parameters:  n.Get("parameters"),
		NameNode:    name,
		Own:         kind != "function" && kind != "custom",
		Strict:      n.Get("strict").True(),
		Deferred:    n.Get("defer_loading").True(),
		FreeText:    kind == "custom",
	}
}
