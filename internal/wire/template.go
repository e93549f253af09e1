package wire

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Template is a JSON value with places to fill, made by [NewTemplate]: a text that is just $name
// becomes the value of that name. Where there is no value the key, or the item of a list, is left
// out, unless the text says what is there instead: `$text or null`, `$text or ""`.
type Template struct{ root part }

// Values are what the places of a template are filled with, each a value that a [Field] may hold;
// nil is null.
type Values map[string]any

// part is a part of a template. It writes itself after b and reports whether there was anything to
// write.
type part interface {
	write(b []byte, v Values) ([]byte, bool)
}

type (
	fixedPart  []byte // JSON without places
	placePart  struct{ name, instead string }
	objectPart []member
	listPart   []member // without keys
	member     struct {
		key   string
		value part
	}
)

// NewTemplate returns the template of a value, which is one that a [Field] may hold. The error
// names a text that looks like a place and is none.
func NewTemplate(value any) (Template, error) {
	root, err := newPart(value)
	return Template{root}, err
}

func newPart(value any) (part, error) {
	switch v := value.(type) {
	case Fields:
		object := make(objectPart, len(v))
		for i, f := range v {
			inner, err := newPart(f.Value)
			if err != nil {
				return nil, err
			}
			object[i] = member{f.Key, inner}
		}
		return object, nil
	case []any:
		items := make(listPart, len(v))
		for i, item := range v {
			inner, err := newPart(item)
			if err != nil {
				return nil, err
			}
			items[i] = member{value: inner}
		}
		return items, nil
	case string:
		if strings.HasPrefix(v, "$") {
			return newPlace(v)
		}
	}
	return fixedPart(JSON(value)), nil
}

func newPlace(text string) (part, error) {
	name, instead, hasInstead := strings.Cut(text[1:], " or ")
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") != "" {
		return nil, fmt.Errorf("a place is a name in small letters after a $, not %q", text)
	}
	if hasInstead && instead != "null" && instead != `""` {
		return nil, fmt.Errorf(`in %q is %s; without a value there can be null or ""`, text, instead)
	}
	return placePart{name, instead}, nil
}

// Empty reports whether the template was never made.
func (t Template) Empty() bool { return t.root == nil }

// JSON returns the value with its places filled. It is put together in memory that is used again,
// since the events of a stream are made so, and what grows takes several times its bytes.
func (t Template) JSON(v Values) Raw {
	scratch := scratches.Get().(*[]byte)
	defer scratches.Put(scratch)
	filled, _ := t.root.write((*scratch)[:0], v)
	if cap(filled) <= maxScratch {
		*scratch = filled
	}
	return append(Raw(nil), filled...)
}

// Places returns the names of the places, sorted.
func (t Template) Places() []string {
	names := map[string]bool{}
	eachPlace(t.root, func(p placePart) { names[p.name] = true })
	return slices.Sorted(maps.Keys(names))
}

// Has reports whether the template has a place of this name.
func (t Template) Has(name string) (found bool) {
	eachPlace(t.root, func(p placePart) { found = found || p.name == name })
	return found
}

func eachPlace(p part, f func(placePart)) {
	switch p := p.(type) {
	case placePart:
		f(p)
	case objectPart:
		for _, m := range p {
			eachPlace(m.value, f)
		}
	case listPart:
		for _, m := range p {
			eachPlace(m.value, f)
		}
	}
}

func (p fixedPart) write(b []byte, _ Values) ([]byte, bool) { return append(b, p...), true }

func (p placePart) write(b []byte, v Values) ([]byte, bool) {
	if value, ok := v[p.name]; ok {
		return appendValue(b, value), true
	}
	return append(b, p.instead...), p.instead != ""
}

func (p objectPart) write(b []byte, v Values) ([]byte, bool) {
	return append(writeMembers(append(b, '{'), p, v, true), '}'), true
}

func (p listPart) write(b []byte, v Values) ([]byte, bool) {
	return append(writeMembers(append(b, '['), p, v, false), ']'), true
}

// writeMembers writes what there is of an object or a list.
func writeMembers(b []byte, all []member, v Values, keyed bool) []byte {
	empty := true
	for _, m := range all {
		start := len(b)
		if !empty {
			b = append(b, ',')
		}
		if keyed {
			b = append(appendString(b, m.key), ':')
		}
		written, ok := m.value.write(b, v)
		if !ok {
			b = written[:start]
			continue
		}
		b, empty = written, false
	}
	return b
}
