package chat

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
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

// callList assigns the pieces of a stream to calls. In the reference of OpenAI the index identifies
// the call, and only the first piece has the id and the name. Others leave the index out, count
// differently, give all calls the index 0, repeat the id or the name in every piece, whole, empty
// or null, or give every piece an id of its own.
type callList []*openCall

// openCall is a call as far as it has come.
type openCall struct {
	place               string
	index               *int
	id, name, arguments string
}

// add takes a piece of a call.
func (l *callList) add(c callDelta) neutral.Piece {
	if to := l.find(c); to != nil {
		return to.add(c)
	}
	return l.open(c)
}

// open takes a call, or the first piece of one.
func (l *callList) open(c callDelta) neutral.Piece {
	o := &openCall{place: "call " + strconv.Itoa(len(*l)), index: c.Index}
	*l = append(*l, o)
	piece := o.add(c)
	piece.Part = &neutral.Call{}
	return piece
}

func (o *openCall) add(c callDelta) neutral.Piece {
	piece := neutral.Piece{At: o.place}
	if o.id == "" {
		o.id, piece.ID = c.ID, c.ID
	}
	if c.Function.Name != o.name { // a name that comes again is no second half of it
		o.name += c.Function.Name
		piece.Name = c.Function.Name
	}
	if isGoogles(c.Extra) {
		piece.Signed = c.Extra
	}
	piece.Arguments = argumentsOf(c.Function.Arguments)
	if o.arguments == "{}" && strings.HasPrefix(piece.Arguments, "{") { // a placeholder for the arguments that come now
		o.arguments, piece.Anew = "", true
	}
	o.arguments += piece.Arguments
	return piece
}

// isGoogles reports whether extra content is Google's, which wants it back. What others put there
// is not known to be wanted, and some refuse what they do not know.
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
		case c.ID != "" && known.id != "" && c.ID != known.id && (c.Function.Name != "" || c.Index == nil): // another call, whatever the index says
		case c.Index != nil && (known.index == nil || *c.Index != *known.index):
		case c.Index == nil && c.ID == "" && c.Function.Name != "": // the first piece of a call without index and id
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
	return c.ID == "" && name != "" && o.name != "" && name != o.name && o.arguments != ""
}

// argumentsOf returns a piece of the text that the arguments are, or all of them where they come as
// an object.
func argumentsOf(raw json.RawMessage) string {
	var piece string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &piece) != nil:
		var b bytes.Buffer
		json.Compact(&b, raw)
		return b.String()
	}
	return piece
}

// missingIDs gives an id to each call that came without one, since its result has to name it.
func (l callList) missingIDs() []neutral.Piece {
	var pieces []neutral.Piece
	for _, o := range l {
		if o.id == "" {
			pieces = append(pieces, neutral.Piece{At: o.place, ID: "call_" + rand.Text()[:24]})
		}
	}
	return pieces
}
