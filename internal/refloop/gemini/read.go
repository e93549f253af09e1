package gemini

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// Read reads a whole answer.
func (Dialect) Read(document []byte) ([]neutral.Piece, error) {
	r := &reader{}
	pieces, err := r.chunk(document)
	if err != nil {
		return pieces, err
	}
	end, err := r.End()
	return append(pieces, end...), err
}

// Stream reads a stream of chunks.
func (Dialect) Stream() neutral.Stream { return &reader{} }

// reader puts the parts of an answer together. A call is whole in its part. Texts and thoughts come
// in pieces, and one that is signed stands for itself.
type reader struct {
	begun  bool
	places int
	open   string // the place of the text or thought that may go on
	kind   string // of it
	calls  int
	word   string // why the model stopped
	filter bool   // the prompt was blocked
}

// Event reads a chunk. Chunks may come after the reason to stop, so that only the end of the
// connection ends a stream.
func (r *reader) Event(_ string, data []byte) (pieces []neutral.Piece, done bool, err error) {
	if neutral.NoObject(data) || r.word != "" && !json.Valid(data) { // the end mark of another API
		return nil, false, nil
	}
	pieces, err = r.chunk(data)
	return pieces, false, err
}

func (r *reader) chunk(data []byte) ([]neutral.Piece, error) {
	var c reply
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	if neutral.Given(c.Error) || len(c.Candidates) > 0 && neutral.Given(c.Candidates[0].Error) {
		return nil, neutral.Reported(data)
	}
	var pieces []neutral.Piece
	if !r.begun {
		r.begun = true
		pieces = append(pieces, neutral.Piece{Begins: &neutral.Beginning{ID: c.ID}})
	}
	if c.Usage != nil {
		pieces = append(pieces, c.Usage.piece())
	}
	if c.Feedback.Blocked != "" && len(c.Candidates) == 0 {
		r.word, r.filter = c.Feedback.Blocked, true
	}
	if len(c.Candidates) == 0 {
		return pieces, nil
	}
	for _, raw := range c.Candidates[0].Content.Parts {
		pieces = append(pieces, r.part(raw)...)
	}
	if c.Candidates[0].Finish != "" {
		r.word = c.Candidates[0].Finish
	}
	return pieces, nil
}

// piece counts what the model thought as what it wrote.
func (u *usage) piece() neutral.Piece {
	counted := &neutral.Usage{Input: u.Prompt}
	if u.Said != nil || u.Thoughts > 0 {
		output := u.Thoughts
		if u.Said != nil {
			output += *u.Said
		}
		counted.Output = &output
	}
	return neutral.Piece{Usage: counted}
}

func (r *reader) part(raw json.RawMessage) []neutral.Piece {
	part := neutral.Keys(raw)
	_, says := part.Values["text"]
	signature, signed := part.Values["thoughtSignature"]
	thought := string(part.Values["thought"]) == "true"
	switch {
	case part.Values["functionCall"] != nil:
		var c call
		if json.Unmarshal(part.Values["functionCall"], &c) != nil {
			return nil
		}
		r.calls++
		if c.ID == "" { // it is sent back with the call and its result, to match them
			c.ID = "call_" + rand.Text()[:24]
		}
		args := string(c.Args)
		if args == "" || args == "null" {
			args = "{}"
		}
		return r.begin("call", &neutral.Call{ID: c.ID, Name: c.Name, Arguments: args, Signature: signature, Raw: raw})
	case !says:
		return r.begin("foreign", &neutral.Foreign{Raw: raw})
	case thought:
		return r.says("thought", &neutral.Reasoning{Place: neutral.InItem}, part, raw, signed)
	default:
		return r.says("text", &neutral.Text{}, part, raw, signed)
	}
}

// begin begins a part that nothing is added to.
func (r *reader) begin(kind string, part neutral.Part) []neutral.Piece {
	r.places++
	r.open = ""
	return []neutral.Piece{{At: kind + " " + strconv.Itoa(r.places), Part: part}}
}

// says adds to what is said. What is signed is kept as it came, and nothing is added to it.
func (r *reader) says(kind string, empty neutral.Part, part *neutral.Object, raw json.RawMessage, signed bool) []neutral.Piece {
	text := part.Text("text")
	if signed {
		switch p := empty.(type) {
		case *neutral.Text:
			p.Text, p.Raw = text, raw
		case *neutral.Reasoning:
			p.Text, p.Raw = text, raw
		}
		return r.begin(kind, empty)
	}
	if text == "" {
		return nil
	}
	if r.open != "" && r.kind == kind {
		return []neutral.Piece{{At: r.open, Text: text}}
	}
	pieces := r.begin(kind, empty)
	pieces[0].Text = text
	r.open, r.kind = pieces[0].At, kind
	return pieces
}

// End is called when the connection has ended. An answer without a reason to stop is not whole, and
// one whose call was none that can be run is asked for again.
func (r *reader) End() ([]neutral.Piece, error) {
	switch r.word {
	case "":
		return nil, neutral.ErrBroken
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS":
		return nil, fmt.Errorf("the model made a call that cannot be run: %s", r.word)
	}
	return []neutral.Piece{{Finish: r.finish(), Word: r.word}}, nil
}

// filtered are the reasons to stop for what the answer says.
var filtered = map[string]bool{
	"SAFETY": true, "RECITATION": true, "BLOCKLIST": true, "PROHIBITED_CONTENT": true, "SPII": true, "LANGUAGE": true, "IMAGE_SAFETY": true,
}

func (r *reader) finish() neutral.Finish {
	switch {
	case r.filter || filtered[r.word]:
		return neutral.Filter
	case r.word == "MAX_TOKENS":
		return neutral.Length
	case r.word == "STOP" && r.calls > 0:
		return neutral.Calls
	case r.word == "STOP":
		return neutral.Stop
	}
	return neutral.Other
}

// Word returns the word for a reason to stop, "" where there is none. An answer that calls tools is
// as complete as others.
func (Dialect) Word(f neutral.Finish) string {
	switch f {
	case neutral.Stop, neutral.Calls:
		return "STOP"
	case neutral.Length:
		return "MAX_TOKENS"
	case neutral.Filter:
		return "SAFETY"
	}
	return ""
}
