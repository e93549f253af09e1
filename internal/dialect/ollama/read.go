package ollama

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// read reads the body of a request. A call without an id gets one here. A result gets that of the
// call that it names; without an id, or where no call of its turn came back with one, it is the first
// open call of its tool, or else the last one, and without a name the first one of all.
func read(req *wire.Request) {
	stream := req.Body.Get("stream")
	req.Stream = stream == nil || stream.Is(wire.Null) || stream.True() // https://docs.ollama.com/api/streaming
	if !req.Body.Has("messages") && req.Body.Has("prompt") {
		readPrompt(req)
	}
	var open wire.OpenCalls
	last := map[string]string{} // the id of the last call of each tool in the turn
	nameless, named := 0, false // calls without an id, and whether one of the turn has one
	for _, n := range req.Body.Get("messages").All() {
		word := n.Get("role").Text()
		m := wire.Message{Node: n, Role: wire.Role(strings.ToLower(word)), RoleWord: word, Content: readContent(n)}
		switch m.Role {
		case wire.Assistant:
			if thinking := n.Get("thinking"); thinking != nil {
				m.Reasoning = wire.Reasoning{Text: thinking, Field: "thinking"}
			}
			named = false
			for _, c := range n.Get("tool_calls").All() {
				m.Calls = append(m.Calls, readCall(c, &nameless))
				named = named || c.Get("id").Text() != ""
			}
			open = wire.OpenCalls{}
			open.Add(m.Calls)
			clear(last)
			for _, c := range m.Calls {
				last[c.Name] = c.ID
			}
		case wire.Tool:
			m.Results = []wire.Result{readResult(n, m.Content, named, &open, last)}
		case wire.System, wire.User:
		default:
			m.Role = wire.Unknown
		}
		req.Messages = append(req.Messages, m)
	}
	for _, t := range req.Body.Get("tools").All() {
		f := t.Get("function")
		req.Tools = append(req.Tools, wire.ToolDefinition{
			Node: t, Name: f.Get("name").Text(), NameNode: f.Get("name"), Description: f.Get("description").Text(), Parameters: f.Get("parameters"),
		})
	}
}

// readContent reads what a message says. Its images are beside the text.
func readContent(message *wire.Node) wire.Content {
	c := wire.ReadContent(message.Get("content"))
	for _, image := range message.Get("images").All() {
		c.Parts = append(c.Parts, wire.Part{Node: image, Type: "image"})
	}
	return c
}

func readImage(image wire.Part) (wire.Image, bool) {
	if image.Type != "image" || !image.Node.Is(wire.String) {
		return wire.Image{}, false
	}
	data, err := base64.StdEncoding.DecodeString(image.Node.Text())
	if err != nil {
		return wire.Image{Problem: err.Error()}, true
	}
	kind := http.DetectContentType(data)
	if !strings.HasPrefix(kind, "image/") { // https://github.com/ollama/ollama/blob/v0.32.10/llm/llama_server.go
		kind = "image/jpeg"
	}
	return wire.Image{MediaType: kind, Data: data}, true
}

func readCall(n *wire.Node, nameless *int) wire.Call {
	f := n.Get("function")
	c := wire.Call{Node: n, ID: n.Get("id").Text(), IDNode: n.Get("id"), Name: f.Get("name").Text(), ArgsNode: f.Get("arguments"), Arguments: "{}"}
	if c.ArgsNode != nil {
		c.Arguments = c.ArgsNode.TextOrJSON()
	}
	if c.ID == "" {
		*nameless++
		c.ID = c.Name + " " + strconv.Itoa(*nameless)
	}
	return c
}

func readResult(n *wire.Node, said wire.Content, named bool, open *wire.OpenCalls, last map[string]string) wire.Result {
	r := wire.Result{Node: n, CallID: n.Get("tool_call_id").Text(), IDNode: n.Get("tool_call_id"), Content: said}
	switch name := n.Get("tool_name").Text(); {
	case r.CallID != "" && named:
		open.AnsweredID(r.CallID)
	case name != "":
		id, is := open.AnsweredName(name)
		if !is {
			id = cmp.Or(last[name], name)
		}
		r.CallID = id
	default:
		r.CallID, _ = open.AnsweredNext()
	}
	return r
}

// readAnswer reads the body of a response: one object, or lines of them.
func readAnswer(body []byte, streamed bool) (*wire.Answer, error) {
	parts := [][]byte{body}
	if streamed {
		parts = wire.NDJSON.Payloads(body)
	}
	a := &wire.Answer{}
	var text, thinking strings.Builder
	done := false
	for _, part := range parts {
		line, err := wire.ParseNode(part)
		if err != nil {
			return nil, fmt.Errorf("a line of the answer is not JSON: %w", err)
		}
		if problem := line.Get("error"); problem != nil {
			return nil, fmt.Errorf("it carries an error: %s", problem.Raw)
		}
		m := line.Get("message")
		if m == nil { // of /api/generate
			m = line
		}
		text.WriteString(m.Get("content").Text() + line.Get("response").Text())
		if thought := m.Get("thinking"); thought != nil {
			thinking.WriteString(thought.Text())
			a.Reasoning = new(string)
		}
		for _, c := range m.Get("tool_calls").All() {
			f := c.Get("function")
			a.Calls = append(a.Calls, wire.AnswerCall{ID: c.Get("id").Text(), Name: f.Get("name").Text(), Arguments: f.Get("arguments").TextOrJSON()})
		}
		if line.Get("done").True() {
			done = true
			a.Finish = wire.Finish(line.Get("done_reason").Text())
			a.Usage.Prompt, _ = line.Get("prompt_eval_count").Int()
			a.Usage.Completion, _ = line.Get("eval_count").Int()
		}
	}
	if !done {
		return nil, errors.New("it has no done: true, as every whole answer has")
	}
	a.Text = text.String()
	if a.Reasoning != nil {
		*a.Reasoning = thinking.String()
	}
	if a.Finish == wire.FinishStop && len(a.Calls) > 0 {
		a.Finish = wire.FinishCalls
	}
	return a, nil
}
