package interactions

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// The types of steps of which a loop has to know more than that they are there.
const (
	userStep    = "user_input"
	outputStep  = "model_output"
	thoughtStep = "thought"
	callStep    = "function_call"
	resultStep  = "function_result"
)

// ownStep reports whether a step is one of no other API.
func ownStep(kind string) bool {
	return kind == userStep || kind == outputStep || kind == thoughtStep || kind == resultStep
}

// isModels reports whether a step is the model's or the provider's own. What is no step is a content of
// the user.
func isModels(step *wire.Node) bool {
	switch step.Get("type").Text() {
	case userStep, resultStep, "text", "image", "audio", "document", "video", "":
		return step.Get("role").Text() == "model"
	}
	return true
}

// read reads the body of a request. Steps of the model that follow each other are one message.
func read(req *wire.Request) {
	if agent := req.Body.Get("agent").Text(); req.Model == "" {
		req.Model = agent
	}
	if said := req.Body.Get("system_instruction"); said != nil && !said.Is(wire.Null) {
		req.Messages = append(req.Messages, wire.Message{Node: said, Role: wire.System, RoleWord: "system", Content: wire.ReadContent(said)})
	}
	readInput(req, req.Body.Get("input"))
	for _, t := range req.Body.Get("tools").All() {
		req.Tools = append(req.Tools, wire.ToolDefinition{
			Node: t, Name: t.Get("name").Text(), NameNode: t.Get("name"), Description: t.Get("description").Text(), Parameters: t.Get("parameters"),
			Own: t.Get("type").Text() != "function", Deferred: t.Get("defer_loading").True(),
		})
	}
}

// readInput reads a text or a content, which is what the user says, a list of contents, or a list of
// steps.
func readInput(req *wire.Request, input *wire.Node) {
	if input.Is(wire.String) || input.Is(wire.Object) || len(input.All()) > 0 && isContent(input.Items[0]) {
		req.Messages = append(req.Messages, user(input, input))
		return
	}
	req.ReadTurns(input.All(), isModels, readTurn, readOther)
}

// readOther reads a step that is not the model's.
func readOther(step *wire.Node) wire.Message {
	if step.Get("type").Text() != resultStep {
		return withResults(user(step, step.Get("content")))
	}
	r := readResult(step)
	return wire.Message{Node: step, Role: wire.Tool, Content: r.Content, Results: []wire.Result{r}}
}

// isContent reports whether an entry of an input is what is said, and no step.
func isContent(n *wire.Node) bool {
	return !isModels(n) && !ownStep(n.Get("type").Text()) && n.Get("role") == nil
}

func user(n, said *wire.Node) wire.Message {
	return wire.Message{Node: n, Role: wire.User, RoleWord: "user", Content: readContent(said)}
}

// withResults adds the results among the contents of what the user says, where the AI SDK sends them:
// https://github.com/vercel/ai/blob/main/packages/google/src/interactions/convert-to-google-interactions-input.ts
// The types have them as steps alone, but Google took these: https://github.com/vercel/ai/pull/15346
func withResults(m wire.Message) wire.Message {
	for _, part := range m.Content.Parts {
		if part.Type == resultStep {
			m.Results = append(m.Results, readResult(part.Node))
		}
	}
	if len(m.Results) > 0 && m.Content.Text == "" {
		m.Role = wire.Tool
	}
	return m
}

// readContent reads a content, which may be an object: of a result any, else one part.
func readContent(n *wire.Node) wire.Content {
	c := wire.ReadContent(n)
	if n.Is(wire.Object) {
		c.Parts = []wire.Part{{Node: n, Type: n.Get("type").Text(), Text: n.Get("text").Text()}}
		if c.Text = wire.JoinTexts(c.Parts); c.Parts[0].Type == "" {
			c.Parts, c.Text = nil, string(n.Raw)
		}
	}
	return c
}

func readResult(step *wire.Node) wire.Result {
	id := step.Get("call_id")
	return wire.Result{Node: step, CallID: id.Text(), IDNode: id, Content: readContent(step.Get("result")), Failed: step.Get("is_error").True()}
}

// readTurn reads steps of the model that follow each other: what one or several of its answers said.
func readTurn(steps []*wire.Node) wire.Message {
	m := wire.Message{Node: wire.Joined(steps), Role: wire.Assistant, RoleWord: "model"}
	var text strings.Builder
	for _, step := range steps {
		switch step.Get("type").Text() {
		case callStep:
			m.Calls = append(m.Calls, readCall(step))
		case thoughtStep:
			m.Reasoning.Details = append(m.Reasoning.Details, step)
		case outputStep, "":
			said := readContent(step.Get("content"))
			if m.Content.Node == nil {
				m.Content.Node = said.Node
			}
			m.Content.Parts = append(m.Content.Parts, said.Parts...)
			text.WriteString(said.Text)
		}
	}
	m.Content.Text = text.String()
	return m
}

func readCall(step *wire.Node) wire.Call {
	c := wire.Call{Node: step, ID: step.Get("id").Text(), IDNode: step.Get("id"), Name: step.Get("name").Text(), ArgsNode: step.Get("arguments")}
	if c.ArgsNode != nil {
		c.Arguments = string(c.ArgsNode.Raw)
	}
	return c
}

// readThought reads what the model thought: a summary, where one is shown, and a signature.
func readThought(step *wire.Node) wire.ReasoningBlock {
	return wire.ReasoningBlock{Type: wire.BlockText, Text: wire.ReadContent(step.Get("summary")).Text, Signature: step.Get("signature").Text()}
}

// visible returns thoughts as an answer to a request shows them: a summary where it is asked for, and
// what the provider keeps to itself in the signature.
func visible(blocks []wire.ReasoningBlock, req *wire.Request) []wire.ReasoningBlock {
	seen := make([]wire.ReasoningBlock, len(blocks))
	for i, b := range blocks {
		seen[i] = wire.ReasoningBlock{Type: wire.BlockText, Signature: b.Signature + b.Data}
		if summariesWanted(req) {
			seen[i].Text = b.Text
		}
	}
	return seen
}

// readImage reads the image of a part: its bytes, or where it is.
func readImage(part wire.Part) (wire.Image, bool) {
	if part.Type != "image" {
		return wire.Image{}, false
	}
	if uri := part.Node.Get("uri").Text(); uri != "" {
		return wire.Image{URL: uri}, true
	}
	return wire.DecodeImage(part.Node.Get("mime_type").Text(), part.Node.Get("data").Text()), true
}
