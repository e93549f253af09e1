package chat

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// piece is an entry in the tool_calls of a streamed answer.
type piece struct {
	raw     string
	dropped bool
}

func (p *piece) get(path string) gjson.Result { return gjson.Get(p.raw, path) }

func (p *piece) set(path string, value any) { p.raw = raw.Set(p.raw, path, value) }

func (p *piece) remove(path string) { p.raw = raw.Remove(p.raw, path) }

func (p *piece) drop() { p.dropped = true }

// text returns a text of the piece, "" when it is not there.
func (p *piece) text(path string) string { return p.get(path).String() }

// eachPiece changes the entries in the tool_calls of a streamed answer.
func eachPiece(a *raw.Answer, change func(*piece)) {
	const at = "choices.0.delta.tool_calls"
	for i, p := range a.Payloads {
		calls := gjson.Get(p, at).Array()
		if len(calls) == 0 {
			continue
		}
		var kept []string
		for _, c := range calls {
			entry := &piece{raw: c.Raw}
			if change(entry); !entry.dropped {
				kept = append(kept, entry.raw)
			}
		}
		a.Payloads[i] = raw.SetRaw(p, at, "["+strings.Join(kept, ",")+"]")
	}
}

// onPieces makes a fault that changes the entries in the tool_calls of a streamed answer. reader
// makes a new reader of them for every answer.
func onPieces(reader func() func(*piece)) func() raw.Mutation {
	return raw.OnStream(func(a *raw.Answer) { eachPiece(a, reader()) })
}

// onHeads makes a fault that drops calls by what their first piece says.
func onHeads(keeps func(*piece) bool) func() raw.Mutation {
	return onPieces(func() func(*piece) {
		var heads opened
		dropped := map[string]bool{}
		return func(p *piece) {
			index := p.get("index").Raw
			if heads.take(p) {
				dropped[index] = !keeps(p)
			}
			if dropped[index] {
				p.drop()
			}
		}
	})
}

// opened remembers the first piece of each call, by the index.
type opened map[string]piece

// take reports whether a piece is the first of its call. A new id and a name on an index begin a
// new call, and so does a name without an index.
func (o *opened) take(p *piece) (head bool) {
	if *o == nil {
		*o = opened{}
	}
	index := p.get("index").Raw
	first, known := (*o)[index]
	id := p.text("id")
	name := p.text("function.name")
	if known && (id == "" || id == first.text("id") || name == "") && (index != "" || name == "") {
		return false
	}
	(*o)[index] = *p
	return true
}

func (o opened) withID(p *piece) bool { return o.of(p).text("id") != "" }

func (o opened) name(p *piece) string { return o.of(p).text("function.name") }

func (o opened) of(p *piece) *piece {
	first := o[p.get("index").Raw]
	return &first
}
