package profiles

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/nearest"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/wire"
)

// Template is a JSON value with places to fill: a text that is just $message, $type, $param, $code or $status becomes
// that value, null included.
type Template struct{ value any }

// place is a text of a template that is replaced as a whole.
type place string

var places = []string{"code", "message", "param", "status", "type"}

// ReadYAML reads the template from a profile file.
func (t *Template) ReadYAML(n *yaml.Node) error {
	v, err := strictyaml.JSON(n)
	if err != nil {
		return err
	}
	t.value = markPlaces(v)
	return checkPlaces(n)
}

func checkPlaces(n *yaml.Node) error {
	if name, isPlace := strings.CutPrefix(n.Value, "$"); isPlace && !slices.Contains(places, name) {
		return strictyaml.At(n, "unknown place $%s%s; the places are $%s", name, nearest.Hint(name, places), strings.Join(places, ", $"))
	}
	for _, c := range n.Content {
		if err := checkPlaces(c); err != nil {
			return err
		}
	}
	return nil
}

// JSON returns the value with its places filled.
func (t Template) JSON(values map[string]any) []byte { return wire.JSON(fill(t.value, values)) }

// Empty reports whether the profile says nothing here.
func (t Template) Empty() bool { return t.value == nil }

func markPlaces(v any) any {
	switch v := v.(type) {
	case wire.Fields:
		for i := range v {
			v[i].Value = markPlaces(v[i].Value)
		}
	case []any:
		for i := range v {
			v[i] = markPlaces(v[i])
		}
	case string:
		if name, isPlace := strings.CutPrefix(v, "$"); isPlace {
			return place(name)
		}
	}
	return v
}

func fill(v any, values map[string]any) any {
	switch v := v.(type) {
	case wire.Fields:
		filled := make(wire.Fields, len(v))
		for i, f := range v {
			filled[i] = wire.Field{Key: f.Key, Value: fill(f.Value, values)}
		}
		return filled
	case []any:
		filled := make([]any, len(v))
		for i, item := range v {
			filled[i] = fill(item, values)
		}
		return filled
	case place:
		return values[string(v)]
	default:
		return v
	}
}

// Fill returns the words with every {name} replaced by its value.
func (w Words) Fill(values map[string]string) Words {
	replace := func(s string) string {
		for name, value := range values {
			s = strings.ReplaceAll(s, "{"+name+"}", value)
		}
		return s
	}
	filled := Words{Message: replace(w.Message)}
	for _, field := range []struct{ from, to **string }{{&w.Type, &filled.Type}, {&w.Param, &filled.Param}, {&w.Code, &filled.Code}} {
		if *field.from != nil {
			text := replace(**field.from)
			*field.to = &text
		}
	}
	return filled
}

// Variables returns the names that stand in braces in the words, sorted.
func (w Words) Variables() []string {
	found := map[string]bool{}
	for _, text := range []*string{&w.Message, w.Type, w.Param, w.Code} {
		if text == nil {
			continue
		}
		for rest := *text; ; {
			_, after, ok := strings.Cut(rest, "{")
			if !ok {
				break
			}
			name, after, ok := strings.Cut(after, "}")
			if !ok {
				break
			}
			found[name] = true
			rest = after
		}
	}
	return slices.Sorted(maps.Keys(found))
}
