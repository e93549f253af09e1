package refloop

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strings"
)

// callDelta is a tool call of a whole answer, or a piece of one in a stream.
type callDelta struct {
	Index    *int            `json:"index"`
	ID       string          `json:"id"`
	Extra    json.RawMessage `json:"extra_content"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// callList puts tool calls together from their pieces. By the reference of OpenAI the index tells which call a piece
// belongs to, and only the first piece has the id and the name. Others leave the index out, count oddly, give all calls
// the index 0, repeat the id or the name in every piece, whole, empty or null, or give every piece an id of its own.
type callList []*openCall

type openCall struct {
	call
	index *int
}

// add takes a piece of a call.
func (l *callList) add(c callDelta) {
	if to := l.find(c); to != nil {
		to.add(c)
		return
	}
	l.open(c)
}

// open takes a call, or the first piece of one.
func (l *callList) open(c callDelta) {
	o := &openCall{call: call{Type: "function"}, index: c.Index}
	o.add(c)
	*l = append(*l, o)
}

func (o *openCall) add(c callDelta) {
	if o.ID == "" {
		o.ID = c.ID
	}
	if c.Function.Name != o.Function.Name { // a name that comes again is no second half of it
		o.Function.Name += c.Function.Name
	}
	if isGoogles(c.Extra) {
		o.Extra = c.Extra
	}
	o.addArguments(c.Function.Arguments)
}

// isGoogles reports whether extra content is Google's, which wants it back. What others put there is not known to be
// wanted, and some refuse what they do not know.
func isGoogles(extra json.RawMessage) bool {
	var content struct {
		Google json.RawMessage `json:"google"`
	}
	return json.Unmarshal(extra, &content) == nil && len(content.Google) > 0
}

// find returns the call that a piece belongs to, or nil where it begins one.
func (l callList) find(c callDelta) *openCall {
	for i := len(l) - 1; i >= 0; i-- {
		switch known := l[i]; {
		case c.ID != "" && known.ID != "" && c.ID != known.ID && (c.Function.Name != "" || c.Index == nil): // another call, whatever the index says
		case c.Index != nil && (known.index == nil || *c.Index != *known.index):
		case c.Index == nil && c.ID == "" && c.Function.Name != "": // the head of a call that is told apart by nothing
		case known.begins(c):
		default:
			return known
		}
	}
	return nil
}

// begins reports whether a piece without an id names another tool although the call is under way.
func (o *openCall) begins(c callDelta) bool {
	name := c.Function.Name
	return c.ID == "" && name != "" && o.Function.Name != "" && name != o.Function.Name && o.Function.Arguments != ""
}

// addArguments takes a piece of the text that the arguments are, or all of them as an object.
func (o *openCall) addArguments(raw json.RawMessage) {
	var piece string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return
	case json.Unmarshal(raw, &piece) != nil:
		var b bytes.Buffer
		json.Compact(&b, raw)
		piece = b.String()
	}
	if o.Function.Arguments == "{}" && strings.HasPrefix(piece, "{") { // it stood for arguments that come now
		o.Function.Arguments = ""
	}
	o.Function.Arguments += piece
}

// whole returns the calls. One that came without an id gets one, since its result has to name it.
func (l callList) whole() []call {
	var calls []call
	for _, o := range l {
		if o.ID == "" {
			o.ID = "call_" + rand.Text()[:24]
		}
		calls = append(calls, o.call)
	}
	return calls
}
