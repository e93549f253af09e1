package neutral

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// ErrBroken is what reading ends with when an answer does not end.
var ErrBroken = errors.New("the answer broke off")

// Answer is an answer of the model: its pieces in the order in which they came, or the body of an
// error.
type Answer struct {
	Dialect  Dialect
	Status   int
	Header   http.Header
	Streamed bool   // it came as a stream of events
	Body     []byte // of an error status, or of an answer that is not a stream
	Pieces   []Piece
	Err      error // why it is not whole, nil for a whole answer
}

// Piece is one step in which an answer comes. A whole answer has few of them, a stream many.
type Piece struct {
	At   string // names the part of the turn that it is about, "" for none; equal names are the same part
	Part Part   // begins that part, with its data so far
	Rank int    // its place in the turn, from 1, where parts need not begin in their order; 0 is after what came before

	Text      string          // more of what a text or reasoning says
	Arguments string          // more of the arguments of a call
	Anew      bool            // the text or the arguments replace those that have come
	Name      string          // more of the name of the tool of a call
	ID        string          // of a call or reasoning, where it comes after the first piece
	Signature string          // more of the signature of reasoning
	Signed    json.RawMessage // what the provider wants back alongside a call
	Keys      json.RawMessage // more keys of a block of reasoning
	Item      json.RawMessage // the part in the form of the API, with Data as the placeholder for its data
	Data      string          // the reasoning, encrypted
	Aside     bool            // the text is about the work, and no part of the answer
	Cut       bool            // the part broke off, and nothing after it is whole

	Begins *Beginning // the answer begins; what came before it is void
	Finish Finish     // why the model stopped
	Word   string     // the same in the word of the provider
	Usage  *Usage

	Container string // in which tools of the provider run
}

// Beginning is the beginning of an answer.
type Beginning struct{ ID string }

// Usage are token counts. What is nil has not been said.
type Usage struct{ Input, Output *int }

// Finish is why the model stopped.
type Finish int

// The reasons to stop.
const (
	NoReason Finish = iota // nothing was said of it
	Stop                   // the turn is complete
	Calls                  // the model waits for the results of its calls
	Length                 // the answer is as long as it may be
	Filter                 // the provider cut the answer for what it says
	Window                 // the context window is full
	Pause                  // the turn continues in the next answer
	Other                  // a reason that the loop does not know
)

// Cuts reports whether the provider stopped the model early.
func (f Finish) Cuts() bool { return f == Length || f == Filter || f == Window }

// Turn is one answer of the model, put together.
type Turn struct {
	ID        string
	Container string
	Parts     []Part
	Finish    Finish
	Word      string // the reason to stop in the provider's word

	InputTokens, OutputTokens int
}

// Calls returns the calls of the turn.
func (t *Turn) Calls() []*Call { return Of[*Call](t.Parts) }

// Asked returns what the provider asks the user.
func (t *Turn) Asked() []*Asked { return Of[*Asked](t.Parts) }

// Said returns what the model said.
func (t *Turn) Said() string { return t.texts(false) }

// Text returns what the model said, after it the words with which it refused.
func (t *Turn) Text() string { return t.texts(false) + t.texts(true) }

// Reply returns what of the text the caller asked for. Where the model said nothing but asides, it
// is those.
func (t *Turn) Reply() string {
	reply := *t
	reply.Parts = slices.DeleteFunc(slices.Clone(t.Parts), func(p Part) bool {
		text, is := p.(*Text)
		return is && text.Aside
	})
	if text := reply.Text(); text != "" {
		return text
	}
	return t.Text()
}

func (t *Turn) texts(refusal bool) string {
	var b strings.Builder
	for _, p := range Of[*Text](t.Parts) {
		if p.Refusal == refusal {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Blank reports whether the turn says nothing.
func (t *Turn) Blank() bool {
	return strings.TrimSpace(t.Said()) == "" && t.texts(true) == "" && len(t.Calls()) == 0 && len(t.Asked()) == 0
}

// Turn puts the pieces of an answer together, be it whole or not.
func (a *Answer) Turn() *Turn {
	t := &Turn{}
	at := map[string]Part{}
	ranks := map[Part]int{}
	cut := len(a.Pieces)
	for i, p := range a.Pieces {
		if p.Begins != nil {
			*t, at, cut = Turn{ID: p.Begins.ID}, map[string]Part{}, len(a.Pieces)
		}
		if p.Part != nil && i < cut {
			part := p.Part.clone()
			at[p.At], ranks[part] = part, p.Rank
			t.Parts = slices.Insert(t.Parts, t.placeOf(p.Rank, ranks), part)
		}
		if p.Cut {
			cut = i
			t.Parts = t.Parts[:slices.Index(t.Parts, at[p.At])]
		}
		p.addTo(at[p.At])
		t.add(p)
	}
	return t
}

// placeOf returns where a part of a rank belongs: after all others, but for those at the end of a
// higher rank.
func (t *Turn) placeOf(rank int, ranks map[Part]int) int {
	at := len(t.Parts)
	for rank > 0 && at > 0 && ranks[t.Parts[at-1]] > rank {
		at--
	}
	return at
}

// add takes what a piece says of the turn as a whole.
func (t *Turn) add(p Piece) {
	if p.Finish != NoReason {
		t.Finish, t.Word = p.Finish, p.Word
	}
	if p.Container != "" {
		t.Container = p.Container
	}
	if p.Usage != nil && p.Usage.Input != nil {
		t.InputTokens = *p.Usage.Input
	}
	if p.Usage != nil && p.Usage.Output != nil {
		t.OutputTokens = *p.Usage.Output
	}
}

// addTo adds a piece to the part that it is about.
func (p Piece) addTo(part Part) {
	switch part := part.(type) {
	case *Text:
		part.Text = p.joined(part.Text, p.Text)
		part.Raw = p.whole(part.Raw)
		part.Aside = part.Aside || p.Aside
	case *Reasoning:
		part.Text = p.joined(part.Text, p.Text)
		part.Signature += p.Signature
		part.Raw = withKeys(p.whole(part.Raw), p.Keys)
		if p.Item != nil {
			part.Data = p.Data
		}
		if p.ID != "" {
			part.ID = p.ID
		}
	case *Foreign:
		part.Raw = p.whole(part.Raw)
	case *Asked:
		part.Raw = p.whole(part.Raw)
	case *Call:
		if p.ID != "" {
			part.ID = p.ID
		}
		part.Name += p.Name
		part.Arguments = p.joined(part.Arguments, p.Arguments)
		part.Raw = p.whole(part.Raw)
		if p.Signed != nil {
			part.Signature = p.Signed
		}
	}
}

// joined returns a text so far, and the part of it in a piece.
func (p Piece) joined(before, more string) string {
	if p.Anew {
		return more
	}
	return before + more
}

// whole returns a part as the API wants it back: as the piece has it, if it does.
func (p Piece) whole(before json.RawMessage) json.RawMessage {
	if p.Item != nil {
		return p.Item
	}
	return before
}

// withKeys returns a block of reasoning with the keys of another piece of it. What both say in
// words is put together.
func withKeys(raw, more json.RawMessage) json.RawMessage {
	if more == nil {
		return raw
	}
	var block, piece map[string]json.RawMessage
	if json.Unmarshal(raw, &block) != nil || json.Unmarshal(more, &piece) != nil {
		return raw
	}
	for key, value := range piece {
		if key == "text" || key == "summary" {
			var before, behind string
			json.Unmarshal(block[key], &before)
			json.Unmarshal(value, &behind)
			value, _ = json.Marshal(before + behind)
		}
		block[key] = value
	}
	joined, err := json.Marshal(block)
	if err != nil {
		return raw
	}
	return joined
}

// JSON writes a value as JSON without unnecessary escapes, and with a line end after it.
func JSON(value any) ([]byte, error) {
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return body.Bytes(), err
}

// ErrReported is in what reading ends with when the provider tells of an error after the status
// 200.
var ErrReported = errors.New("the provider reported an error")

// Reported is an error that a provider tells in an answer with the status 200.
func Reported(payload []byte) error {
	return fmt.Errorf("%w: %s", ErrReported, ErrorText(payload))
}

// Given reports whether a value is there and says something. With every good answer some servers
// send null or an empty text as the error.
func Given(value json.RawMessage) bool {
	return len(value) > 0 && string(value) != "null" && string(value) != `""`
}
