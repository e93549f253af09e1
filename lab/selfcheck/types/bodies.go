package types

import (
	"maps"
	"slices"
	"strings"
)

// object is one of JSON.
type object = map[string]any

// writer writes values of the types of one SDK, with as little in them as there may be.
type writer struct {
	places places

	// sensible are values by PLACE.KEY or .KEY, where a value of the right type alone makes no
	// sense.
	sensible map[string]any

	// least are objects of places in which something has to be, though no single key is required.
	least map[string]object
}

// value is one of a type, at a key of a place.
func (w writer) value(place, key, kind string) any {
	name, suffix := base(kind)
	if v, ok := w.sensibleValue(place, key, kind); ok {
		return v
	}
	switch {
	case strings.HasSuffix(suffix, "[]"):
		return []any{w.value(place, key, strings.TrimSuffix(kind, "[]"))}
	case strings.HasSuffix(suffix, "{}"):
		return object{"example": w.value(place, key, strings.TrimSuffix(kind, "{}"))}
	}
	switch name {
	case "text":
		return "example"
	case "integer", "number":
		return 1
	case "flag", "=true":
		return true
	case "=false":
		return false
	case "null":
		return nil
	case "any":
		return object{}
	}
	if word, is := strings.CutPrefix(name, "="); is {
		return word
	}
	return w.object(name)
}

// sensibleValue is one that was written down, where it has the type.
func (w writer) sensibleValue(place, key, kind string) (any, bool) {
	v, ok := w.sensible[place+"."+key]
	if !ok {
		v, ok = w.sensible["."+key]
	}
	fits := false
	switch v.(type) {
	case string:
		fits = kind == "text"
	case int:
		fits = kind == "integer" || kind == "number"
	case object:
		fits = kind == "any{}" || kind == "any" || strings.HasSuffix(kind, "{}")
	case []any:
		fits = strings.HasSuffix(kind, "[]")
	}
	return v, ok && fits
}

// object is the least that a place may contain.
func (w writer) object(place string) object {
	if o, ok := w.least[place]; ok {
		return maps.Clone(o)
	}
	o := object{}
	for _, k := range w.places[place] {
		if k.required {
			o[k.name] = w.value(place, k.name, k.simplest())
		}
	}
	return o
}

// simplest is the type of a value that says least: text or a word, before objects and lists.
func (k key) simplest() string {
	return slices.MinFunc(k.types, func(a, b string) int { return rank(a) - rank(b) })
}

func rank(kind string) int {
	_, suffix := base(kind)
	switch {
	case kind == "null":
		return 4
	case suffix != "":
		return 3
	case kind == "text" || strings.HasPrefix(kind, "="):
		return 0
	case kind == "integer" || kind == "number" || kind == "flag" || kind == "any":
		return 1
	default:
		return 2
	}
}

// step leads from a place, by the type of a value of a key, to the place within it.
type step struct {
	place string
	key   string
	kind  string
}

// within puts an object where the steps lead, each of whose places contains as little as there may
// be.
func (w writer) within(path []step, inner any) any {
	for _, s := range slices.Backward(path) {
		_, suffix := base(s.kind)
		for len(suffix) > 0 {
			if strings.HasPrefix(suffix, "[]") {
				inner = []any{inner}
			} else {
				inner = object{"example": inner}
			}
			suffix = suffix[2:]
		}
		outer := w.object(s.place)
		w.set(outer, s.place, s.key, inner)
		inner = outer
	}
	return inner
}

// set sets a key of an object. A part of Gemini has data of one kind.
func (w writer) set(o object, place, key string, value any) {
	if place == "Part" && strings.Contains(" functionCall functionResponse inlineData fileData executableCode codeExecutionResult toolCall toolResponse ", " "+key+" ") {
		delete(o, "text")
	}
	o[key] = value
}
