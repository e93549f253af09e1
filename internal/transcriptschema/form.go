package transcriptschema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
)

// form is a JSON Schema in the few keywords that ours have, so that a record is checked as it was read. Nearly every record
// is valid, and the library, which says what is wrong with the others, builds an error for each condition that does not
// hold: with it alone the check took a tenth of the time of a run.
type form struct {
	types      []string // none: any
	texts      []string // of an enum or a const; nil: any
	pattern    *regexp.Regexp
	minLength  int
	required   []string
	properties []property
	closed     bool // there are no other properties
	items      *form
	all, any   []*form
	when, then *form
}

type property struct {
	key  string
	form *form
}

// forms are the forms of all formats by name, compiled once.
var forms = sync.OnceValue(func() map[string]*form {
	all := map[string]*form{}
	for _, f := range transcript.Formats() {
		root := new(jsonschema.Schema)
		if err := json.Unmarshal(f.Schema(), root); err != nil {
			panic(fmt.Sprintf("transcriptschema: the schema of %s: %v", f.Name, err))
		}
		c := compiler{root: root, known: map[*jsonschema.Schema]*form{}}
		all[f.Name] = c.compile(root)
	}
	return all
})

// fits reports whether a value, which has no number that is too large, is valid.
func (f *form) fits(n *wire.Node) bool {
	fits := func(inner *form) bool { return inner.fits(n) }
	switch {
	case f == nil:
		return true
	case len(f.types) > 0 && !slices.Contains(f.types, typeOf(n)), !f.fitsText(n):
		return false
	case n.Is(wire.Object) && !f.fitsObject(n):
		return false
	case f.items != nil && slices.ContainsFunc(n.Items, func(item *wire.Node) bool { return !f.items.fits(item) }):
		return false
	case slices.ContainsFunc(f.all, func(inner *form) bool { return !inner.fits(n) }):
		return false
	case len(f.any) > 0 && !slices.ContainsFunc(f.any, fits):
		return false
	}
	return f.when == nil || !f.when.fits(n) || f.then.fits(n)
}

func (f *form) fitsText(n *wire.Node) bool {
	if !n.Is(wire.String) {
		return f.texts == nil
	}
	if f.texts == nil && f.pattern == nil && f.minLength == 0 {
		return true
	}
	text := n.Text()
	return (f.texts == nil || slices.Contains(f.texts, text)) &&
		(f.pattern == nil || f.pattern.MatchString(text)) && utf8.RuneCountInString(text) >= f.minLength
}

func (f *form) fitsObject(n *wire.Node) bool {
	for _, key := range f.required {
		if n.Get(key) == nil {
			return false
		}
	}
	for _, p := range f.properties {
		if value := n.Get(p.key); value != nil && !p.form.fits(value) {
			return false
		}
	}
	return !f.closed || !slices.ContainsFunc(n.Members, func(m wire.Member) bool {
		return !slices.ContainsFunc(f.properties, func(p property) bool { return p.key == m.Key })
	})
}

// typeOf returns the type of a value as a schema names it. What is a whole number does not matter to ours.
func typeOf(n *wire.Node) string {
	switch n.Type() {
	case wire.Object:
		return "object"
	case wire.Array:
		return "array"
	case wire.String:
		return "string"
	case wire.Number:
		return "number"
	case wire.Bool:
		return "boolean"
	default:
		return "null"
	}
}

// compiler compiles the parts of a schema.
type compiler struct {
	root  *jsonschema.Schema
	known map[*jsonschema.Schema]*form
}

func (c compiler) compile(s *jsonschema.Schema) *form {
	if s == nil {
		return nil
	}
	if f, known := c.known[s]; known {
		return f
	}
	mustKnow(s)
	f := &form{types: s.Types, required: s.Required, closed: s.AdditionalProperties != nil}
	c.known[s] = f
	if s.Type != "" {
		f.types = []string{s.Type}
	}
	if s.Pattern != "" {
		f.pattern = regexp.MustCompile(s.Pattern)
	}
	if s.MinLength != nil {
		f.minLength = *s.MinLength
	}
	f.texts = textsOf(s)
	for key, value := range s.Properties {
		f.properties = append(f.properties, property{key, c.compile(value)})
	}
	f.items, f.when, f.then = c.compile(s.Items), c.compile(s.If), c.compile(s.Then)
	f.all, f.any = c.compileAll(s.AllOf), c.compileAll(s.AnyOf)
	if name, is := strings.CutPrefix(s.Ref, "#/$defs/"); is {
		f.all = append(f.all, c.compile(c.root.Defs[name]))
	}
	return f
}

func (c compiler) compileAll(schemas []*jsonschema.Schema) []*form {
	var all []*form
	for _, s := range schemas {
		all = append(all, c.compile(s))
	}
	return all
}

// textsOf returns the texts of an enum or a const, which are texts in our schemas.
func textsOf(s *jsonschema.Schema) []string {
	values := s.Enum
	if s.Const != nil {
		values = []any{*s.Const}
	}
	var texts []string
	for _, value := range values {
		texts = append(texts, value.(string))
	}
	return texts
}

// mustKnow panics if a schema has a keyword that [form] does not know, or knows in another use: we wrote it.
func mustKnow(s *jsonschema.Schema) {
	rest := *s
	rest.ID, rest.Schema, rest.Title, rest.Defs, rest.PropertyOrder, rest.Default = "", "", "", nil, nil, nil // which validate nothing
	rest.Type, rest.Types, rest.Pattern, rest.MinLength, rest.Required = "", nil, "", nil, nil
	rest.Properties, rest.Items, rest.AllOf, rest.AnyOf, rest.If, rest.Then = nil, nil, nil, nil, nil, nil
	if rest.Const == nil || rest.Enum == nil {
		rest.Const, rest.Enum = nil, nil
	}
	if more := rest.AdditionalProperties; more != nil && reflect.DeepEqual(more, &jsonschema.Schema{Not: &jsonschema.Schema{}}) {
		rest.AdditionalProperties = nil
	}
	if strings.HasPrefix(rest.Ref, "#/$defs/") {
		rest.Ref = ""
	}
	if !reflect.ValueOf(rest).IsZero() || s.Type == "integer" || slices.Contains(s.Types, "integer") {
		panic(fmt.Sprintf("transcriptschema: a schema has more than is known: %+v", rest))
	}
}
