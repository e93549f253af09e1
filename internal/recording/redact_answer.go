package recording

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/wire"
)

// fixture takes the secrets out of an answer. What holds none keeps every byte, and every piece its
// place.
func (r *redactor) fixture(f *fixtures.Response, by *wire.Framer) error {
	for name, values := range f.Headers {
		for i := range values {
			f.Headers[name][i] = r.text(values[i])
		}
	}
	body := f.Body()
	var edits []span
	if f.Streamed() && by.Binary {
		r.frames(f, by)
		return r.clean(f.Body())
	}
	if f.Streamed() {
		edits = r.stream(body, by)
	} else if found, err := r.document(body); err == nil {
		edits = found
	} else { // no JSON, such as a page of HTML
		edits = r.spans(string(body))
	}
	f.Writes = edited(f.Writes, edits)
	return r.clean(f.Body())
}

// frames takes the secrets out of a stream whose frames say how long they are: each event that
// loses something is framed anew, and so are all others then.
func (r *redactor) frames(f *fixtures.Response, by *wire.Framer) {
	events := by.Events(f.Body())
	lines := bytes.Join(wire.Delivery(wire.NDJSON.Word).Writes(events), nil)
	edits := r.stream(lines, wire.NDJSON)
	if len(edits) == 0 {
		return
	}
	for i, payload := range wire.NDJSON.Payloads([]byte(replace(string(lines), edits))) {
		events[i].Data = payload
	}
	f.Writes = wire.Delivery(by.Word).Writes(events)
}

// edited returns the pieces of a body after its edits. A piece that ends inside an edit ends after
// it.
func edited(writes [][]byte, edits []span) [][]byte {
	if len(edits) == 0 {
		return writes
	}
	body := bytes.Join(writes, nil)
	after := []byte(replace(string(body), edits))
	var pieces [][]byte
	old, start := 0, 0
	for _, w := range writes {
		old += len(w)
		end := old
		for _, e := range edits {
			switch {
			case e.end <= old:
				end += len(e.by) - (e.end - e.start)
			case e.start < old:
				end += len(e.by) - (old - e.start)
			}
		}
		pieces = append(pieces, after[start:end])
		start = end
	}
	return pieces
}

// lane is one text of an answer, which a stream brings in fragments: the arguments of a call, say.
type lane struct {
	fragments []fragment
	named     bool // a field of the events themselves that is to be redacted
}

// fragment is a JSON string in the bytes of a stream.
type fragment struct {
	start, end int
	text       string
}

// stream returns the edits of a stream of events. A secret may be spread over many of them: the
// texts are put together first, and each fragment then loses its share.
func (r *redactor) stream(body []byte, by *wire.Framer) []span {
	lanes := map[string]*lane{}
	var order []*lane
	var edits []span
	for start := 0; start < len(body); {
		end := len(body)
		if i := bytes.IndexAny(body[start:], "\r\n"); i >= 0 {
			end = start + i
		}
		line := body[start:end]
		payload, isData := by.PayloadOf(line)
		place := func(n *wire.Node) (int, int) {
			from := end - len(payload) + n.Offset()
			return from, from + len(n.Raw)
		}
		root, err := wire.ParseNode(payload)
		switch {
		case isData && err == nil:
			r.fragments(root, "", false, func(name string, n *wire.Node, named bool) {
				from, to := place(n)
				switch {
				case n.Is(wire.Number) && named:
					edits = append(edits, span{from, to, "0"})
				case n.Is(wire.String):
					if lanes[name] == nil {
						lanes[name] = &lane{named: named}
						order = append(order, lanes[name])
					}
					lanes[name].fragments = append(lanes[name].fragments, fragment{from, to, n.Text()})
				}
			})
		default: // a comment, another field, or data that is not JSON
			for _, s := range r.spans(string(line)) {
				edits = append(edits, span{start + s.start, start + s.end, s.by})
			}
		}
		start = end + 1
	}
	for _, l := range order {
		edits = append(edits, r.lane(l)...)
	}
	return merged(edits)
}

// fragments calls f for every leaf of an event, with the name of the text to which it belongs: the
// keys that lead to it, with the index that a choice, a call or a block gives itself.
func (r *redactor) fragments(n *wire.Node, name string, named bool, f func(name string, n *wire.Node, named bool)) {
	switch {
	case n.Is(wire.Object):
		name += indexOf(n)
		for _, m := range n.Members {
			r.fragments(m.Value, name+"/"+m.Key, named || r.names(m.Key), f)
		}
	case n.Is(wire.Array):
		for i, item := range n.Items {
			step := ""
			if indexOf(item) == "" {
				step = fmt.Sprintf("/%d", i)
			}
			r.fragments(item, name+step, named, f)
		}
	default:
		f(name, n, named)
	}
}

// indexOf returns the index that a value gives itself, or "".
func indexOf(n *wire.Node) string {
	if index, ok := n.Get("index").Int(); ok {
		return fmt.Sprintf("#%d", index)
	}
	return ""
}

// lane returns the edits of the fragments of a text.
func (r *redactor) lane(l *lane) []span {
	var whole strings.Builder
	for _, f := range l.fragments {
		whole.WriteString(f.text)
	}
	text := whole.String()
	spans := r.spans(text)
	if l.named && text != "" {
		spans = []span{{0, len(text), redacted}}
	}
	if len(spans) == 0 {
		return nil
	}
	var edits []span
	at := 0
	for _, f := range l.fragments {
		left := share(spans, f.text, at)
		if left != f.text {
			edits = append(edits, span{f.start, f.end, string(wire.Quote(left))})
		}
		at += len(f.text)
	}
	return edits
}

// share returns what is left of a fragment that begins at a place of the whole text. What replaces
// a secret is where it began.
func share(spans []span, text string, at int) string {
	var b strings.Builder
	from := 0
	for _, s := range spans {
		start, end := s.start-at, s.end-at
		if end <= 0 || start >= len(text) {
			continue
		}
		b.WriteString(text[from:max(start, from, 0)])
		if start >= 0 {
			b.WriteString(s.by)
		}
		from = min(end, len(text))
	}
	b.WriteString(text[from:])
	return b.String()
}
