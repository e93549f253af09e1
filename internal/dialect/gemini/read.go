package gemini

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
)

// read reads the body of a request; model and streaming are in its URL. The error says why the body
// is not a JSON object; anything else that is wrong is left to the rules. The system instruction,
// which is separate from the contents, becomes the first message. A call or a response without an
// id gets one here: a response gets that of the first call before it that has its name and no
// response yet. Contents of the model that follow each other are one message: Google's own SDKs
// return each chunk of a stream as a content.
func read(req *wire.Request) {
	req.Stream = false // which the URL says
	if said := get(req.Body, "systemInstruction"); said != nil && !said.Is(wire.Null) {
		req.Messages = append(req.Messages, readSystem(said))
	}
	r := reader{}
	for _, n := range Items(listIn(req.Body, "contents")) {
		m := r.content(n)
		if m.Role != wire.Assistant {
			r.endTurn(&req.Messages)
			req.Messages = append(req.Messages, m)
			continue
		}
		if len(r.turn) == 0 {
			r.open = wire.OpenCalls{}
		}
		r.turn = append(r.turn, m)
		r.open.Add(m.Calls)
	}
	r.endTurn(&req.Messages)
	for _, t := range Items(req.Body.Get("tools")) {
		req.Tools = append(req.Tools, readTools(t)...)
	}
}

// Items returns the values of a list. One value stands for a list of one, as in Google's own
// samples:
// https://github.com/google-gemini/generative-ai-python/blob/main/samples/rest/function_calling.sh
func Items(n *wire.Node) []*wire.Node {
	switch n.Type() {
	case wire.Absent, wire.Null:
		return nil
	case wire.Array:
		return n.Items
	default:
		return []*wire.Node{n}
	}
}

// listIn returns the list under a key. An object in its place is made a list of one, which is where
// the object is.
func listIn(n *wire.Node, key string) *wire.Node {
	if !n.Get(key).Is(wire.Object) {
		return n.Get(key)
	}
	for i, m := range n.Members {
		if m.Key == key && m.Value.Is(wire.Object) {
			n.Members[i].Value = wire.ListOf(m.Value)
		}
	}
	return n.Get(key)
}

func readSystem(n *wire.Node) wire.Message {
	m := wire.Message{Node: n, Role: wire.System, Content: readParts(n)} // whatever role it says
	if n.Is(wire.String) {                                               // which is wrong, and for a rule to say
		m.Content = wire.ReadContent(n)
	}
	return m
}

// reader reads contents, and tells calls without ids apart.
type reader struct {
	nameless int            // calls without an id
	turn     []wire.Message // contents of the model that follow each other, so far
	open     wire.OpenCalls // of the turn before
}

// defaultRole is whose a content is that does not say so.
const defaultRole = "user"

// roles are those of contents. Responses to calls are the user's; older models take them in roles
// of their own, too.
var roles = map[string]wire.Role{"user": wire.User, "model": wire.Assistant, "function": wire.Tool, "tool": wire.Tool}

func (r *reader) content(n *wire.Node) wire.Message {
	word := n.Get("role").Text()
	m := wire.Message{Node: n, Role: roles[word], RoleWord: word, Content: readParts(n)}
	if role := n.Get("role"); role == nil || role.Is(wire.Null) {
		m.Role, m.RoleWord = wire.User, defaultRole
	}
	for _, part := range m.Content.Parts {
		switch part.Type {
		case "functionCall":
			m.Calls = append(m.Calls, r.call(part.Node))
		case "functionResponse":
			m.Results = append(m.Results, r.result(part.Node))
		case "thought":
			m.Reasoning.Thoughts = append(m.Reasoning.Thoughts, part.Node)
		}
	}
	if m.Role == wire.User && len(m.Results) > 0 && m.Content.Text == "" {
		m.Role = wire.Tool
	}
	return m
}

// endTurn adds the contents of the model that were read as one message. A content after the first
// that says nothing leaves no trace there.
func (r *reader) endTurn(messages *[]wire.Message) {
	if len(r.turn) == 0 {
		return
	}
	m := r.turn[0]
	nodes, texts := []*wire.Node{m.Node}, []string{m.Content.Text}
	for _, next := range r.turn[1:] {
		texts = append(texts, next.Content.Text)
		m.Content.Parts = append(m.Content.Parts, next.Content.Parts...)
		m.Reasoning.Thoughts = append(m.Reasoning.Thoughts, next.Reasoning.Thoughts...)
		m.Calls = append(m.Calls, next.Calls...)
		if !saysNothing(next) {
			nodes = append(nodes, next.Node)
		}
	}
	m.Node, m.Content.Text = wire.Joined(nodes), strings.Join(texts, "")
	*messages, r.turn = append(*messages, m), nil
}

// saysNothing reports whether a content has nothing but empty texts, as the last chunk of a stream
// has.
func saysNothing(m wire.Message) bool {
	return !slices.ContainsFunc(m.Content.Parts, func(p wire.Part) bool {
		return p.Text != "" || p.Type != "text" || get(p.Node, "thoughtSignature") != nil
	})
}

// kinds returns the keys of a part that say what it is, but for text.
var kinds = sync.OnceValue(func() []string {
	return slices.DeleteFunc(slices.Clone(Form().Node("Part").OneOf), func(key string) bool { return key == "text" })
})

// besides are the keys of a part that say more about it, and not what it is. What is said of a
// video may be a part of its own: it was recorded to be taken, github.com/pydantic/pydantic-ai,
// tests/models/cassettes/test_google.
var besides = []string{"thought", "thoughtSignature", "partMetadata", "mediaResolution", "mediaProcessing", "speechMetadata"}

// kindOf returns what a part is, and "" for one that is nothing. A key that is unknown may be that
// of a newer kind.
func kindOf(part *wire.Node) string {
	for _, kind := range kinds() {
		if get(part, kind) != nil {
			return kind
		}
	}
	switch {
	case part.Get("thought").True(): // also without a text, of a thought that was not shown
		return "thought"
	case part.Get("text") == nil:
		return newerKind(part)
	default:
		return "text"
	}
}

func newerKind(part *wire.Node) string {
	if !part.Is(wire.Object) {
		return ""
	}
	for _, m := range part.Members {
		if !slices.ContainsFunc(besides, func(key string) bool { return m.Key == key || isSnake(m.Key, key) }) {
			return m.Key
		}
	}
	return ""
}

func readParts(n *wire.Node) wire.Content {
	c := wire.Content{Node: listIn(n, "parts")}
	for _, p := range Items(c.Node) {
		c.Parts = append(c.Parts, wire.Part{Node: p, Type: kindOf(p), Text: p.Get("text").Text()})
	}
	c.Text = wire.JoinTexts(c.Parts)
	return c
}

// call reads the part of a call. Without args the call has no arguments.
func (r *reader) call(part *wire.Node) wire.Call {
	said := get(part, "functionCall")
	args := said.Get("args")
	c := wire.Call{
		Node: part, ID: said.Get("id").Text(), IDNode: said.Get("id"), Name: said.Get("name").Text(), Arguments: "{}", ArgsNode: args,
		Signature: get(part, "thoughtSignature"),
	}
	if args != nil {
		c.Arguments = string(args.Raw)
	}
	if c.ID == "" {
		r.nameless++
		c.ID = c.Name + " " + strconv.Itoa(r.nameless)
	}
	return c
}

func (r *reader) result(part *wire.Node) wire.Result {
	said := get(part, "functionResponse")
	id := said.Get("id")
	res := wire.Result{Node: part, CallID: id.Text(), IDNode: id, Content: readResponse(said)}
	if res.CallID != "" {
		r.open.AnsweredID(res.CallID)
	} else if call, open := r.open.AnsweredName(said.Get("name").Text()); open {
		res.CallID = call
	}
	return res
}

// wrappers are the keys in which a result, which is not an object itself, is in one: those that
// Google documents, output and error, and those of public loops.
var wrappers = []string{"output", "result", "error", "content", "return_value", "response", "call_error"}

// readResponse reads what a tool returned: the text within its wrapper, or else the object itself,
// and images alongside it.
func readResponse(said *wire.Node) wire.Content {
	response := said.Get("response")
	c := wire.Content{Node: response}
	if value := wrapped(response); value.Is(wire.String) && (value.Text() != "" || response.Get("error") == nil) {
		c.Text = value.Text()
	} else if value != nil && value.Is(wire.String) {
		c.Text = string(response.Raw) // an error without words says all the same that there was one
	} else if value != nil {
		c.Text = string(value.Raw)
	}
	for _, p := range Items(said.Get("parts")) {
		c.Parts = append(c.Parts, wire.Part{Node: p, Type: kindOf(p)})
	}
	return c
}

func wrapped(response *wire.Node) *wire.Node {
	var in *wire.Node
	for _, key := range response.Keys() {
		switch {
		case key == "name": // which some put alongside the content
		case in == nil && slices.Contains(wrappers, key):
			in = response.Get(key)
		default:
			return response
		}
	}
	if in == nil {
		return response
	}
	return in
}

// readTools reads a tool: a list of functions, or one of the provider's own.
func readTools(n *wire.Node) (tools []wire.ToolDefinition) {
	declared := get(n, "functionDeclarations")
	for _, f := range Items(declared) {
		parameters := jsonSchema(f.Get("parameters"))
		isSchema := parameters != nil
		if !isSchema {
			parameters = get(f, "parametersJsonSchema")
		}
		tools = append(tools, wire.ToolDefinition{
			Node: f, Name: f.Get("name").Text(), NameNode: f.Get("name"), Description: f.Get("description").Text(), Parameters: parameters,
			NamesProperties: isSchema, // https://github.com/browser-use/browser-use/issues/7
		})
	}
	if declared == nil {
		tools = append(tools, wire.ToolDefinition{Node: n, Own: true})
	}
	return tools
}
