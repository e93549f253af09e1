// Package neutral is a conversation with a model in the terms of no wire API: what a loop asks, the
// pieces in which an answer comes, and the turn that they make. The reference loop keeps its
// history in these words, a [Dialect] writes and reads them, and faults edit them.
//
//	r := &neutral.Request{Model: "m", System: "Be brief.", Messages: []neutral.Message{neutral.Says(neutral.User, "Hello")}}
//	body, err := dialect.Write(r)
package neutral

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/protocol"
)

// Request asks the model for its next turn.
type Request struct {
	Task     protocol.Task
	Model    string
	Stream   bool
	System   string // the system prompt, "" for none
	Messages []Message
	Tools    []protocol.Tool

	Container string // in which tools of the provider run, "" for none
	ByIDs     bool   // calls go back with their ids, and results name them, where the API can do without
	Keep      bool   // the provider is asked to keep the conversation
	Previous  string // the id of the answer that the provider is to continue from, "" where all is in the request

	// CompactAt is the number of input tokens at which the provider is asked to make the history
	// shorter; 0: it is not asked.
	CompactAt int

	Settings Settings
}

// Settings are what a request can ask for besides the conversation, in APIs that have a word for
// it. The zero value asks for nothing, as the reference loop does.
type Settings struct {
	Temperature  *float64
	Choice       Choice          // whether the model calls tools
	SeveralCalls *bool           // whether the model may call several at once
	Strict       map[string]bool // whether the calls of a tool keep to its schema, by its name
	StopAt       []string        // texts at which the model stops
	User         string          // for whom the request is made
	Tier         string          // how urgent it is
	Effort       string          // how hard the model is to think
	NoThinking   bool            // the model is not to think
	AnswerSchema json.RawMessage // JSON Schema of the answer, as a format of the API; nil says nothing of it
}

// Choice is whether the model calls tools.
type Choice string

// The choices. "" leaves it unsaid.
const (
	ChoiceAuto     Choice = "auto"     // as it sees fit
	ChoiceRequired Choice = "required" // it has to
	ChoiceNone     Choice = "none"     // it must not
)

// Role says whose message it is.
type Role string

// The roles of messages. A system prompt that is not the first message is a message of the role
// System.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool" // results of the calls of the turn before
)

// Message is one message of a history. One of the assistant without any part says nothing, not even
// an empty text.
type Message struct {
	Role  Role
	Parts []Part
	Model string // which said it; "" where it is not a turn of a model
}

// Part is one piece of what a message says: a [*Text], [*Reasoning], [*Call], [*Result], [*Image],
// [*Asked], [*Decision] or [*Foreign].
//
// What the model said is kept as it came (Raw), where the API wants it back like that. Anyone who
// changes a field of a part changes that in what is written, and nothing else of it.
type Part interface{ clone() Part }

// Text is something said.
type Text struct {
	Text    string
	Refusal bool // the model refuses with it
	Aside   bool // the model says with it what it is about to do, and it is no part of the answer
	Raw     json.RawMessage
}

// Reasoning is what the model thought.
type Reasoning struct {
	Text      string
	Place     string // the name under which it came, where a dialect has several
	ID        string // of the item, where it has one
	Signature string
	Data      string // the reasoning, encrypted
	Raw       json.RawMessage
}

// InItem is the place of reasoning that is an item of its own, with its text and its encrypted
// form.
const InItem = "item"

// Call is a call of a tool.
type Call struct {
	ID        string // "" where the API has none
	Name      string
	Arguments string          // as the model wrote them
	FreeText  bool            // the arguments are a text of any form, and not JSON
	Signature json.RawMessage // what the provider wants back alongside the call, nil for none
	Raw       json.RawMessage
}

// Caller says who made the call, where the provider does: the model, or code of the provider.
func (p *Call) Caller() json.RawMessage {
	if p.Raw == nil {
		return nil
	}
	return Keys(p.Raw).Values["caller"]
}

// Result is the result of a call.
type Result struct {
	CallID   string
	Name     string // of the tool
	Text     string
	Image    *Image // beside the text, where there is one; nil for none
	Failed   bool
	FreeText bool // it answers such a call

	Caller json.RawMessage // who made the call, nil where nothing was said of it
}

// Shown returns the text of a result, where it has one, and the image beside it.
func (p *Result) Shown() []Part {
	if p.Text == "" {
		return []Part{p.Image}
	}
	return []Part{&Text{Text: p.Text}, p.Image}
}

// Asked is a question of the provider to the user: whether it may call a tool of its own.
type Asked struct {
	ID   string
	Tool string
	Raw  json.RawMessage
}

// Decision is what the user answered to an [Asked].
type Decision struct {
	AskedID string
	Allowed bool
}

// Image is an image, or a PDF that is shown as one.
type Image struct {
	MediaType string
	Data      []byte
}

// IsPDF reports whether it is a PDF.
func (p *Image) IsPDF() bool { return p.MediaType == "application/pdf" }

// URL is its data URL.
func (p *Image) URL() string {
	return "data:" + p.MediaType + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

// Foreign is a part that this loop does not know, such as the use of a tool of the provider's.
type Foreign struct{ Raw json.RawMessage }

func (p *Text) clone() Part      { c := *p; return &c }
func (p *Reasoning) clone() Part { c := *p; return &c }
func (p *Call) clone() Part      { c := *p; return &c }
func (p *Foreign) clone() Part   { c := *p; return &c }
func (p *Image) clone() Part     { c := *p; return &c }
func (p *Asked) clone() Part     { c := *p; return &c }
func (p *Decision) clone() Part  { c := *p; return &c }

func (p *Result) clone() Part {
	c := *p
	if c.Image != nil {
		c.Image = &Image{c.Image.MediaType, c.Image.Data}
	}
	return &c
}

// Says returns a message with a text.
func Says(role Role, text string) Message {
	return Message{Role: role, Parts: []Part{&Text{Text: text}}}
}

// Of returns the parts of one type, such as Of[*Call](m.Parts).
func Of[T Part](parts []Part) []T {
	var some []T
	for _, p := range parts {
		if one, is := p.(T); is {
			some = append(some, one)
		}
	}
	return some
}

// Calls returns the calls of a message.
func (m Message) Calls() []*Call { return Of[*Call](m.Parts) }

// Results returns the results in a message.
func (m Message) Results() []*Result { return Of[*Result](m.Parts) }

// Reasoning returns the reasoning of a message.
func (m Message) Reasoning() []*Reasoning { return Of[*Reasoning](m.Parts) }

// Text returns all texts of a message, one after the other.
func (m Message) Text() string { return textOf(m.Parts) }

func textOf(parts []Part) string {
	var b strings.Builder
	for _, t := range Of[*Text](parts) {
		b.WriteString(t.Text)
	}
	return b.String()
}

// Clone returns a message that shares nothing with the first.
func (m Message) Clone() Message {
	m.Parts = slices.Clone(m.Parts)
	for i, p := range m.Parts {
		m.Parts[i] = p.clone()
	}
	return m
}

// Clone returns a request that may be changed without changing the first. Their tools share their
// schemas.
func (r *Request) Clone() *Request {
	c := *r
	c.Tools = slices.Clone(r.Tools)
	c.Messages = slices.Clone(r.Messages)
	for i, m := range c.Messages {
		c.Messages[i] = m.Clone()
	}
	return &c
}
