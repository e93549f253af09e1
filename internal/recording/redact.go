package recording

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopproof/loopproof/internal/secret"
	"github.com/loopproof/loopproof/internal/wire"
)

// redacted is where a secret was.
const redacted = "REDACTED"

// redactor removes secrets from what is written: known keys, texts that look like a key, and the
// values of named fields, in JSON and in strings that contain JSON.
type redactor struct {
	secrets secret.Keys
	fields  []string
	named   *regexp.Regexp // nil if no field is named
}

func newRedactor(secrets secret.Keys, fields []string) *redactor {
	r := &redactor{secrets: secrets, fields: fields}
	if len(fields) > 0 {
		names := make([]string, len(fields))
		for i, f := range fields {
			names[i] = regexp.QuoteMeta(f)
		}
		r.named = regexp.MustCompile(`(?i)(\\*)"(?:` + strings.Join(names, "|") + `)\\*"\s*:\s*`)
	}
	return r
}

// span is a part of a text that is replaced.
type span struct {
	start, end int
	by         string
}

// text returns a text without its secrets.
func (r *redactor) text(s string) string { return replace(s, r.spans(s)) }

// spans returns what is to be replaced in a text, in order and without overlaps.
func (r *redactor) spans(s string) []span {
	var all []span
	for _, at := range r.secrets.Find(s) {
		all = append(all, span{at[0], at[1], redacted})
	}
	if r.named != nil {
		for _, at := range r.named.FindAllStringSubmatchIndex(s, -1) {
			end, by := valueEnd(s, at[1], s[at[2]:at[3]])
			all = append(all, span{at[1], end, by})
		}
	}
	return merged(all)
}

// valueEnd returns where the JSON value ends that begins at a place, and what is there instead.
// JSON inside a JSON text has its quotes escaped. A value that breaks off ends with the text.
func valueEnd(s string, start int, escape string) (int, string) {
	if escape != "" {
		quote := escape + `"`
		if !strings.HasPrefix(s[start:], quote) {
			if i := strings.IndexAny(s[start:], ",}]"); i >= 0 {
				return start + i, "0"
			}
			return len(s), ""
		}
		for i := start + len(quote); i+len(quote) <= len(s); i++ {
			if strings.HasPrefix(s[i:], quote) && s[i-1] != '\\' {
				return i + len(quote), quote + redacted + quote
			}
		}
		return len(s), quote + redacted
	}
	d := jsontext.NewDecoder(strings.NewReader(s[start:]), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	value, err := d.ReadValue()
	if err != nil {
		return len(s), `"` + redacted
	}
	return start + int(d.InputOffset()), blank(value)
}

// blank returns a JSON value of the same shape that says nothing.
func blank(value []byte) string {
	n, err := wire.ParseNode(bytes.TrimSpace(value))
	if err != nil {
		return `"` + redacted + `"`
	}
	return replace(string(n.Raw), blanks(n))
}

// blanks returns what is to be replaced in the document of a value so that no leaf of the value
// says anything.
func blanks(n *wire.Node) []span {
	var all []span
	n.Walk(func(leaf *wire.Node) {
		at := leaf.Offset()
		by := map[wire.Kind]string{wire.String: `"` + redacted + `"`, wire.Number: "0"}[leaf.Kind]
		if by != "" {
			all = append(all, span{at, at + len(leaf.Raw), by})
		}
	})
	return all
}

func merged(all []span) []span {
	slices.SortStableFunc(all, func(a, b span) int { return a.start - b.start })
	var out []span
	for _, s := range all {
		if last := len(out) - 1; last >= 0 && s.start < out[last].end {
			out[last].end = max(out[last].end, s.end)
			continue
		}
		out = append(out, s)
	}
	return out
}

func replace(s string, spans []span) string {
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, p := range spans {
		b.WriteString(s[at:p.start])
		b.WriteString(p.by)
		at = p.end
	}
	b.WriteString(s[at:])
	return b.String()
}

// document returns the edits of a JSON document: the leaves of named fields, and texts that hold a
// secret.
func (r *redactor) document(data []byte) ([]span, error) {
	root, err := wire.ParseNode(data)
	if err != nil {
		return nil, err
	}
	var edits []span
	r.walk(root, func(leaf *wire.Node, named bool) {
		at := leaf.Offset()
		switch {
		case named:
			edits = append(edits, blanks(leaf)...)
		case leaf.Is(wire.String):
			if text := leaf.Text(); r.text(text) != text {
				edits = append(edits, span{at, at + len(leaf.Raw), string(wire.Quote(r.text(text)))})
			}
		}
	})
	return merged(edits), nil
}

// cleaned returns a JSON object without its secrets.
func (r *redactor) cleaned(data []byte) (*wire.Node, error) {
	spans, err := r.document(data)
	if err != nil {
		return nil, err
	}
	clean := []byte(replace(string(data), spans))
	if err := r.clean(clean); err != nil {
		return nil, err
	}
	n, err := wire.ParseNode(clean)
	if err == nil && !n.Is(wire.Object) {
		err = errors.New("it is no JSON object")
	}
	return n, err
}

// names reports whether a field is to be redacted.
func (r *redactor) names(key string) bool {
	return slices.ContainsFunc(r.fields, func(name string) bool { return strings.EqualFold(name, key) })
}

// walk calls f for every leaf, and for every value of a named field as a whole.
func (r *redactor) walk(n *wire.Node, f func(leaf *wire.Node, named bool)) {
	for _, m := range n.Members {
		if r.names(m.Key) {
			f(m.Value, true)
			continue
		}
		r.walk(m.Value, f)
	}
	for _, item := range n.Items {
		r.walk(item, f)
	}
	if !n.Is(wire.Object) && !n.Is(wire.Array) {
		f(n, false)
	}
}

var errLeft = errors.New("a secret in it could not be taken out")

// clean returns an error when a secret is still to be found in what is written.
func (r *redactor) clean(data []byte) error {
	if r.secrets.Has(string(data)) {
		return errLeft
	}
	return nil
}
