package responses

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// reader puts the items of an answer together. What an item says comes in pieces, and again whole
// at its end: that counts where both differ.
type reader struct {
	parts    map[string]*openPart
	order    []string // of the places of the calls
	calls    int
	halfCall bool     // a call broke off, although the answer did not
	begun    []string // the places of the items
	anyEnd   bool     // an item has ended

	beganAt map[string][]string // the ids of the items that began at an index
}

// openPart is a part as far as it has come.
type openPart struct {
	soFar string
	id    string // of a call
	name  string
}

func newReader() *reader {
	return &reader{parts: map[string]*openPart{}, beganAt: map[string][]string{}}
}

// open returns the part at a place, and the piece that begins it where it is new.
func (r *reader) open(at string, begins neutral.Part) (*openPart, neutral.Piece) {
	if known := r.parts[at]; known != nil {
		return known, neutral.Piece{At: at}
	}
	o := &openPart{}
	r.parts[at] = o
	if _, is := begins.(*neutral.Call); is {
		r.calls++
		r.order = append(r.order, at)
	}
	return o, neutral.Piece{At: at, Part: begins, Rank: rankOf(at)}
}

// add takes more of what a part says.
func (r *reader) add(at string, begins neutral.Part, more string) []neutral.Piece {
	o, piece := r.open(at, begins)
	o.soFar += more
	return []neutral.Piece{saying(piece, begins, more)}
}

// saying returns a piece with more of what its part says.
func saying(piece neutral.Piece, part neutral.Part, more string) neutral.Piece {
	if _, is := part.(*neutral.Call); is {
		piece.Arguments = more
	} else {
		piece.Text = more
	}
	return piece
}

// complete takes all that a part says, again. Where it says nothing, what has come is.
func (r *reader) complete(at string, begins neutral.Part, all string) []neutral.Piece {
	o, piece := r.open(at, begins)
	if o.soFar == all || all == "" {
		if piece.Part == nil {
			return nil
		}
		return []neutral.Piece{piece}
	}
	piece.Anew = o.soFar != ""
	o.soFar = all
	return []neutral.Piece{saying(piece, begins, all)}
}

// begin reads an item as it begins. Of a message the parts of its content begin by themselves.
func (r *reader) begin(at string, raw json.RawMessage) []neutral.Piece {
	var i item
	r.begun = append(r.begun, at)
	if !reads(raw, &i) || r.parts[at] != nil {
		return nil
	}
	switch i.Type {
	case "message":
		return nil
	case "function_call", "custom_tool_call":
		o, piece := r.open(at, &neutral.Call{ID: i.CallID, Name: i.Name, FreeText: i.free()})
		o.id, o.name, o.soFar = i.CallID, i.Name, i.written()
		piece.Arguments = o.soFar
		return []neutral.Piece{piece}
	case "mcp_approval_request":
		_, piece := r.open(at, &neutral.Asked{ID: i.ID, Tool: i.Name, Raw: raw})
		return []neutral.Piece{piece}
	case "reasoning":
		_, piece := r.open(at, &neutral.Reasoning{Place: neutral.InItem, ID: i.ID, Data: i.Encrypted, Raw: raw})
		return []neutral.Piece{piece}
	}
	_, piece := r.open(at, &neutral.Foreign{Raw: raw})
	return []neutral.Piece{piece}
}

// finish reads an item at its end, where it is whole.
func (r *reader) finish(at string, raw json.RawMessage) []neutral.Piece {
	var i item
	r.anyEnd = true
	if !reads(raw, &i) {
		return nil
	}
	switch i.Type {
	case "message":
		return r.finishMessage(at, raw, i)
	case "function_call", "custom_tool_call":
		r.halfCall = r.halfCall || i.Status == "incomplete"
		return r.finishCall(at, raw, i)
	case "reasoning":
		o, piece := r.open(at, &neutral.Reasoning{Place: neutral.InItem})
		text, _ := thoughtIn(raw)
		piece.ID, piece.Item, piece.Data = i.ID, raw, i.Encrypted
		if text != o.soFar {
			piece.Anew, piece.Text, o.soFar = true, text, text
		}
		return []neutral.Piece{piece}
	}
	var part neutral.Part = &neutral.Foreign{Raw: raw}
	if i.Type == "mcp_approval_request" {
		part = &neutral.Asked{ID: i.ID, Tool: i.Name, Raw: raw}
	}
	_, piece := r.open(at, part)
	piece.Item = raw
	return []neutral.Piece{piece}
}

func (r *reader) finishCall(at string, raw json.RawMessage, i item) []neutral.Piece {
	pieces := r.complete(at, &neutral.Call{FreeText: i.free()}, i.written())
	o := r.parts[at]
	end := neutral.Piece{At: at, Item: raw}
	if o.id == "" {
		o.id, end.ID = i.CallID, i.CallID
	}
	if o.name == "" {
		o.name, end.Name = i.Name, i.Name
	}
	return append(pieces, end)
}

// finishMessage reads a message at its end: each part of its content, with as much of the item as
// belongs to it.
func (r *reader) finishMessage(at string, raw json.RawMessage, i item) []neutral.Piece {
	if len(i.Content) == 0 && r.parts[textPlace(at, 0)] != nil { // some servers have the text in its pieces alone
		return nil
	}
	if len(i.Content) == 0 { // it goes back, since reasoning may belong to it
		_, piece := r.open(at, &neutral.Foreign{Raw: raw})
		return []neutral.Piece{piece}
	}
	var pieces []neutral.Piece
	for n, part := range i.Content {
		var s said
		if json.Unmarshal(part, &s) != nil {
			continue
		}
		place := textPlace(at, n)
		pieces = append(pieces, r.complete(place, &neutral.Text{Refusal: s.Type == "refusal"}, s.Text+s.Refusal)...)
		pieces = append(pieces, neutral.Piece{At: place, Item: alone(raw, part), Aside: i.Phase == "commentary"})
	}
	return pieces
}

// alone returns a message with one part of its content.
func alone(raw, part json.RawMessage) json.RawMessage {
	whole := neutral.Keys(raw)
	if list := json.RawMessage("[" + string(part) + "]"); string(whole.Values["content"]) != string(list) {
		whole.Set("content", list)
	}
	return whole.JSON()
}

// missingIDs gives an id to each call that came without one, since its result has to name it.
func (r *reader) missingIDs() []neutral.Piece {
	var pieces []neutral.Piece
	for _, at := range slices.Compact(r.order) {
		if r.parts[at].id == "" {
			pieces = append(pieces, neutral.Piece{At: at, ID: "call_" + rand.Text()[:24]})
		}
	}
	return pieces
}

// reads reads an item, of which some values may be of another type: the arguments of a search for
// tools are an object.
func reads(raw json.RawMessage, i *item) bool {
	err, other := json.Unmarshal(raw, i), (*json.UnmarshalTypeError)(nil)
	return err == nil || errors.As(err, &other) && other.Field != ""
}
