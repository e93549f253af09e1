package wire

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Role says who speaks in a [Message]. It is the neutral word; [Message.RoleWord] keeps the one
// that was sent.
type Role string

// The roles. A developer message of the OpenAI dialects is System.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
	Unknown   Role = ""
)

// Request is one request for a turn of the model, read into neutral words. Whatever a client sent
// under a wrong type is simply missing here; the JSON tree in Body still has it, so that a rule can
// name it and its place.
type Request struct {
	Dialect     *Dialect
	Body        *Node // the whole document
	Model       string
	Stream      bool
	Array       bool // the stream is wanted as a JSON array, and not as events
	Messages    []Message
	Tools       []ToolDefinition
	ToolChanges []ToolChange // in the conversation, in their order

	// ServerTools reports that the request offers tools which the provider runs itself, such as a
	// search of the web, in a dialect in which an answer may pause for them.
	ServerTools bool

	memo  *memo     // nil: the request was not read
	known []Message // of the request before, while this one is read
	found *found    // nil: the request is so short that nothing is noted
	past  *past     // nil: nothing is known of the request before

	// Door is the cloud's door at which the request came, by its path; nil: none, or unknown.
	Door *Door

	// Version is the version of the API in its URL, where the door has it there.
	Version string

	// Headers are headers of the HTTP request, with names in lower case, without those that
	// identify the client or contain a key. Nil: unknown.
	Headers map[string]string

	// Key says where the HTTP request has a key, as Endpoint.keyOf says it. Nil: unknown, or the
	// client never sent one so far.
	Key *string

	// Altered reports whether a signature that came back was given for another text; encrypted data
	// is its own signature, of the text "". Nil: unknown.
	Altered func(text, signature string) bool

	// OfAnotherModel reports whether encrypted reasoning was given by another model than the one that
	// is asked, and not by that one, too. Nil: unknown.
	OfAnotherModel func(data string) bool
}

// Frames returns how the stream that the request asks for is framed.
func (r *Request) Frames() *Framer {
	if r.Array {
		return JSONArray
	}
	return r.Dialect.FramesAt(r.Door)
}

// NoteURL adds what the dialect says in the URL of a request.
func (r *Request) NoteURL(u *url.URL) {
	if r.Dialect.ReadURL != nil {
		r.Dialect.ReadURL(r, u)
	}
}

// NoteHTTP keeps of an HTTP request what rules may look at.
func (r *Request) NoteHTTP(sent *http.Request) {
	r.NoteURL(sent.URL)
	r.Headers = map[string]string{}
	for name, word := range r.Dialect.Endpoint.Headers {
		if values := sent.Header[name]; len(values) > 0 {
			r.Headers[word] = strings.Join(values, ",")
		}
	}
}

// NoteKey keeps where the HTTP request has a key, and reports whether it has one; the key itself is
// not kept. Of a client that did not send one before nothing is kept where it sends none: it may
// need none.
func (r *Request) NoteKey(sent *http.Request, before bool) bool {
	where := r.Dialect.Endpoint.keyOf(sent)
	if where != "" || before {
		r.Key = &where
	}
	return where != ""
}

// TakeHTTP takes from another request with the same HTTP request what is known of that.
func (r *Request) TakeHTTP(same *Request) {
	r.Door, r.Version, r.Headers, r.Key = same.Door, same.Version, same.Headers, same.Key
	r.Altered, r.OfAnotherModel = same.Altered, same.OfAnotherModel
}

// Outline returns the request without what [Request.Reread] reads from its body.
func (r *Request) Outline() *Request {
	outline := *r
	outline.Body, outline.Messages, outline.Tools, outline.memo, outline.found, outline.past = nil, nil, nil, nil, nil, nil
	return &outline
}

// Reread reads the request of an outline again. What its URL and its headers say is taken from the
// outline.
func (r *Request) Reread(body []byte) (*Request, error) {
	req, err := r.Dialect.Read(body)
	if err != nil {
		return nil, err
	}
	req.Model, req.Stream, req.Array = r.Model, r.Stream, r.Array
	req.TakeHTTP(r)
	return req, nil
}

// MayCall reports whether the model may answer with a call: tools are offered, some of them with one
// of these names in theirs, if there are any, and the choice among them is not none.
func (r *Request) MayCall(names ...string) bool {
	offered := slices.ContainsFunc(r.Tools, func(t ToolDefinition) bool {
		return len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return strings.Contains(t.Name, name) })
	})
	return offered && r.Dialect.DemandsOf(r).Tools.Choice != ChoiceNone
}

// ThinkingOff reports whether a request turns the model's reasoning off, as thinking: {"type":
// "disabled"} does in the Messages API, and in Chat Completions of DeepSeek, Z.AI and Moonshot, and
// think: false elsewhere.
func (r *Request) ThinkingOff() bool {
	think := r.Body.Get("think")
	return think.Is(Bool) && !think.True() || r.Body.Get("thinking").Get("type").Text() == "disabled"
}

// UserSays reports whether a message of the user has a text in it. The space around the text does
// not count, nor how lines end.
func (r *Request) UserSays(text string) bool {
	text = unixLines(strings.TrimSpace(text))
	return slices.ContainsFunc(r.Messages, func(m Message) bool {
		return m.Role == User && strings.Contains(unixLines(m.Content.Text), text)
	})
}

// SystemText returns all that a request says as the system.
func (r *Request) SystemText() string {
	var b strings.Builder
	for _, m := range r.Messages {
		if m.Role == System {
			b.WriteString(m.Content.Text)
		}
	}
	return b.String()
}

// LastText returns the text of the last message.
func (r *Request) LastText() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Content.Text
}

// Repeats returns how many messages at the beginning are those of an earlier request, byte for byte.
func (r *Request) Repeats(before *Request) int {
	n := 0
	for n < len(r.Messages) && n < len(before.Messages) && bytes.Equal(r.Messages[n].Node.Raw, before.Messages[n].Node.Raw) {
		n++
	}
	return n
}

func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// HistoryPointer returns where the messages of the request are.
func (r *Request) HistoryPointer() string { return "/" + r.Dialect.Request.Messages }

// ToolList returns the list of tools of the request as it is, nil where there is none.
func (r *Request) ToolList() *Node {
	if in := r.Dialect.Request.ToolsIn; in != "" {
		return r.Body.Get(in).Get("tools")
	}
	return r.Body.Get("tools")
}

// ToolsPointer returns where the list of tools is, or belongs.
func (r *Request) ToolsPointer() string {
	if in := r.Dialect.Request.ToolsIn; in != "" {
		return "/" + in + "/tools"
	}
	return "/tools"
}

// ModelPointer returns where the model is named: "" where that is in the URL.
func (r *Request) ModelPointer() string {
	if r.Dialect.Request.ModelInURL {
		return ""
	}
	return "/model"
}

// MessagePointer returns where one of its messages is. That is not always its index: where the
// system prompt is separate from the others, it is the first message here. After the last message
// it is the history.
func (r *Request) MessagePointer(i int) string {
	if i < 0 || i >= len(r.Messages) {
		return r.HistoryPointer()
	}
	return r.Messages[i].Node.Pointer()
}

// Message is one entry of the history.
type Message struct {
	Node      *Node
	Role      Role
	RoleWord  string
	Content   Content
	Reasoning Reasoning // of an assistant message
	Calls     []Call    // of an assistant message
	Results   []Result  // of a tool message in the OpenAI dialects, of a user message in the others
}

// Content is what a message or a tool result says.
type Content struct {
	Node  *Node // nil when there was no such key
	Text  string
	Parts []Part // when the content was sent as a list
}

// ReadContent reads a content as all dialects write it: a text, or a list of parts with a type
// each.
func ReadContent(n *Node) Content {
	c := Content{Node: n}
	switch n.Type() {
	case String:
		c.Text = n.Text()
	case Array:
		for _, p := range n.Items {
			c.Parts = append(c.Parts, Part{Node: p, Type: p.Get("type").Text(), Text: p.Get("text").Text()})
		}
		c.Text = JoinTexts(c.Parts)
	}
	return c
}

// JoinTexts returns the text of the parts of the type "text".
func JoinTexts(parts []Part) string {
	if len(parts) == 1 && parts[0].Type == "text" {
		return parts[0].Text
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type == "text" {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Blank reports whether the content says nothing: absent, null, "", or a list without text and
// without other parts.
func (c Content) Blank() bool {
	if strings.TrimSpace(c.Text) != "" {
		return false
	}
	for _, p := range c.Parts {
		if p.Type != "text" {
			return false
		}
	}
	return true
}

// Part is one element of a content list.
type Part struct {
	Node *Node
	Type string
	Text string
}

// Reasoning is what an assistant message carries of the model's reasoning.
type Reasoning struct {
	Text    *Node   // the plain field of the profile's dialect, under whichever name it came
	Field   string  // that name
	Details []*Node // structured blocks, in order

	Thoughts []*Node // parts of the content of the type thinking, in order
}

// Thought returns the text of the parts of the content that hold reasoning.
func (r Reasoning) Thought() string {
	var text strings.Builder
	for _, part := range r.Thoughts {
		thinking := part.Get("thinking")
		text.WriteString(thinking.Text())
		if thinking.Is(Array) {
			for _, piece := range thinking.Items {
				text.WriteString(piece.Get("text").Text())
			}
		}
	}
	return text.String()
}

// Call is a tool call as a client echoes it in its history.
type Call struct {
	Node      *Node
	ID        string // one of the reader's own, where a request has none and calls are told by their place
	IDNode    *Node  // nil where there is none
	Name      string
	Arguments string // as the text of a JSON document
	ArgsNode  *Node  // where the arguments are; not a string when a client sent an object
	Signature *Node  // where the dialect has a place of its own for the signature of a call
}

// Result is a tool result.
type Result struct {
	Node    *Node
	CallID  string
	IDNode  *Node
	Content Content
	Failed  bool // it says by a flag that its tool failed, in the dialects that have one
}

// ToolChange is a tool that comes or goes in the middle of a conversation.
type ToolChange struct {
	Tool ToolDefinition // with its name alone, where it goes or is one of the list
	Gone bool
}

// Offered returns the tools that the model may call at the end of the conversation: those of the
// list, without those that went in its middle, and with those that came there.
func (r *Request) Offered() []ToolDefinition {
	if len(r.ToolChanges) == 0 {
		return r.Tools
	}
	offered := slices.Clone(r.Tools)
	for _, c := range r.ToolChanges {
		same := func(t ToolDefinition) bool { return t.Name == c.Tool.Name }
		switch of := slices.IndexFunc(r.Tools, same); {
		case c.Gone:
			offered = slices.DeleteFunc(offered, same)
		case slices.ContainsFunc(offered, same):
		case of >= 0 && c.Tool.Node == nil:
			offered = append(offered, r.Tools[of])
		default:
			offered = append(offered, c.Tool)
		}
	}
	return offered
}

// ToolDefinition is a tool offered to the model.
type ToolDefinition struct {
	Node        *Node
	Name        string // after that of its namespace and a dot, where it is in one
	Description string
	Parameters  *Node
	NameNode    *Node // where the name is
	Own         bool  // it is the provider's own, with a form and perhaps a name of its own
	Strict      bool  // its calls are promised to fit the schema
	FreeText    bool  // its input is a text of any form, and not JSON
	Deferred    bool  // the model does not see it before a search has found it

	// OwnNamespace says that its calls have its own name as their namespace, too, since it is loaded
	// in the middle of the conversation.
	OwnNamespace bool

	// NamesProperties is set where an object among the parameters has to name its properties, for
	// some models of the provider refuse all tools because of one that does not.
	NamesProperties bool
}
