// Package schemasample writes the plainest JSON document that fits a JSON Schema:
//
//	document, err := schemasample.Of(schema) // {"city":"city","degrees":1}
//
// A text is the name of its key, a number is 1 or the nearest one that fits, a list has one entry,
// and a schema that names values has its first one. The same schema has the same document. What few
// schemas say is not read: whether the document fits is for a validator to say.
package schemasample

import (
	"fmt"
	"math"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/wire"
)

// Of returns the plainest document that fits a schema, which may be in the form of Gemini, with
// types in capitals. The error says which part of the schema has none.
func Of(schema *wire.Node) ([]byte, error) {
	s := &sampler{root: schema}
	value, err := s.value(schema, "text", 0)
	if err != nil {
		return nil, err
	}
	return wire.JSON(value), nil
}

// deep is from which depth on objects have only what they have to, so that a schema of a tree ends;
// one that does not is given up at so many levels, or values.
const (
	deep       = 8
	mostLevels = 64
	mostValues = 10_000
)

type sampler struct {
	root   *wire.Node
	values int // so far
}

func (s *sampler) value(schema *wire.Node, name string, depth int) (any, error) {
	if s.values++; depth > mostLevels || s.values > mostValues {
		return nil, fmt.Errorf("the schema has no end at %s", schema.Pointer())
	}
	if ref := schema.Get("$ref").Text(); ref != "" {
		to := s.root.At(strings.TrimPrefix(ref, "#"))
		if !strings.HasPrefix(ref, "#") || to == nil {
			return nil, fmt.Errorf("the schema refers to %s, which is not in it", ref)
		}
		return s.value(to, name, depth+1)
	}
	if value := given(schema); value != nil {
		return wire.Raw(value.JSON()), nil
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if some := schema.Get(key).All(); len(some) > 0 {
			first := slices.IndexFunc(some, func(one *wire.Node) bool { return typeOf(one) != "null" })
			return s.value(some[max(0, first)], name, depth+1)
		}
	}
	switch typeOf(schema) {
	case "object":
		return s.object(schema, depth)
	case "array":
		return s.list(schema, name, depth)
	case "integer", "number":
		return number(schema), nil
	case "boolean":
		return true, nil
	case "null":
		return nil, nil
	}
	return text(schema, name)
}

// given returns a value that a schema names, or nil.
func given(schema *wire.Node) *wire.Node {
	if schema.Has("const") {
		return schema.Get("const")
	}
	for _, key := range []string{"enum", "examples"} {
		for _, value := range schema.Get(key).All() {
			if !value.Is(wire.Null) {
				return value
			}
		}
	}
	for _, key := range []string{"example", "default"} {
		if value := schema.Get(key); value != nil && !value.Is(wire.Null) {
			return value
		}
	}
	return nil
}

// typeOf returns the type of a schema in small letters; of several it is the first that is not
// null.
func typeOf(schema *wire.Node) string {
	if all := schema.Get("type").All(); len(all) > 0 {
		for _, one := range all {
			if one.Text() != "null" {
				return one.Text()
			}
		}
		return "null"
	}
	kind := strings.ToLower(schema.Get("type").Text())
	switch {
	case kind != "":
	case schema.Has("properties") || schema.Has("allOf"):
		return "object"
	case schema.Has("items") || schema.Has("prefixItems"):
		return "array"
	}
	return kind
}

func (s *sampler) object(schema *wire.Node, depth int) (any, error) {
	object := wire.Fields{}
	for _, part := range schema.Get("allOf").All() {
		value, err := s.value(part, "text", depth+1)
		if err != nil {
			return nil, err
		}
		fields, is := value.(wire.Fields)
		if !is {
			return value, nil // all of it is no object
		}
		object = append(object, fields...)
	}
	required := wire.TextsOf(schema.Get("required"))
	for key, property := range schema.Get("properties").Fields() {
		if depth >= deep && !slices.Contains(required, key) {
			continue
		}
		value, err := s.value(property, key, depth+1)
		if err != nil {
			return nil, err
		}
		object = slices.DeleteFunc(object, func(f wire.Field) bool { return f.Key == key })
		object = append(object, wire.Field{Key: key, Value: value})
	}
	return object, nil
}

// most is how long a list is at most that a schema wants.
const most = 100

func (s *sampler) list(schema *wire.Node, name string, depth int) (any, error) {
	list := []any{}
	for _, item := range schema.Get("prefixItems").All() {
		value, err := s.value(item, name, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	least := 1
	if items := schema.Get("items"); depth >= deep || !items.Is(wire.Object) {
		least = 0
	}
	if n, is := bound(schema, "minItems"); is {
		least = max(least, int(min(n, most)))
	}
	if n, is := bound(schema, "maxItems"); is {
		least = min(least, int(n))
	}
	for len(list) < least {
		value, err := s.value(schema.Get("items"), name, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}

// bound returns a number of a schema, which Gemini writes as a text.
func bound(schema *wire.Node, key string) (float64, bool) {
	if n, is := schema.Get(key).Float(); is {
		return n, true
	}
	n, err := strconv.ParseFloat(schema.Get(key).Text(), 64)
	return n, err == nil
}

// number returns 1, or the number nearest to it that the schema allows.
func number(schema *wire.Node) any {
	step := 1.0
	if n, is := bound(schema, "multipleOf"); is && n > 0 {
		step = n
	}
	value := max(step, 1-math.Mod(1, step))
	if n, is := bound(schema, "maximum"); is {
		value = min(value, math.Floor(n/step)*step)
	}
	if n, is := bound(schema, "exclusiveMaximum"); is {
		value = min(value, math.Ceil(n/step)*step-step)
	}
	if n, is := bound(schema, "minimum"); is {
		value = max(value, math.Ceil(n/step)*step)
	}
	if n, is := bound(schema, "exclusiveMinimum"); is {
		value = max(value, math.Floor(n/step)*step+step)
	}
	if top, is := bound(schema, "maximum"); is && value > top { // between two whole numbers
		low, _ := bound(schema, "minimum")
		value = (low + top) / 2
	}
	return wire.Raw(strconv.FormatFloat(value, 'g', -1, 64))
}

// formats are texts of the formats that JSON Schema names.
var formats = map[string]string{
	"date-time": "2026-01-01T00:00:00Z", "date": "2026-01-01", "time": "00:00:00Z", "duration": "P1D",
	"email": "someone@example.com", "hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
	"uri": "https://example.com/", "url": "https://example.com/", "uuid": "00000000-0000-4000-8000-000000000000",
}

// text returns the name of a text, or what its schema says that it is like.
func text(schema *wire.Node, name string) (any, error) {
	if said := formats[schema.Get("format").Text()]; said != "" {
		return said, nil
	}
	said := name
	if pattern := schema.Get("pattern").Text(); pattern != "" {
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("the pattern at %s cannot be read: %w", schema.Pointer(), err)
		}
		var b strings.Builder
		match(&b, tree.Simplify())
		return b.String(), nil
	}
	if least, is := bound(schema, "minLength"); is {
		said += strings.Repeat("a", max(0, int(min(least, 1e6))-utf8.RuneCountInString(said)))
	}
	if longest, is := bound(schema, "maxLength"); is && longest >= 0 && int(longest) < utf8.RuneCountInString(said) {
		said = string([]rune(said)[:int(longest)])
	}
	return said, nil
}

// match writes the shortest text that a regular expression matches.
func match(b *strings.Builder, r *syntax.Regexp) {
	switch r.Op {
	case syntax.OpLiteral:
		b.WriteString(string(r.Rune))
	case syntax.OpCharClass:
		b.WriteRune(plainest(r.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpAlternate, syntax.OpPlus, syntax.OpCapture:
		match(b, r.Sub[0])
	case syntax.OpConcat:
		for _, part := range r.Sub {
			match(b, part)
		}
	}
}

// plainest returns a character of ranges: a letter or a digit, if there is one.
func plainest(ranges []rune) rune {
	for _, c := range "aA1" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= c && c <= ranges[i+1] {
				return c
			}
		}
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}
