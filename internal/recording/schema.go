package recording

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// types are the words for parameters that a scenario has.
var types = []string{"string", "integer", "number", "boolean", "object", "array"}

// takes gives a tool the parameters of a recorded schema: their types, or the whole schema where it
// says more.
func takes(tool *scenarios.Tool, schema *wire.Node, r *redactor) {
	if schema == nil {
		return
	}
	whole := lowerTypes(wire.Parsed([]byte(r.text(string(schema.JSON())))))
	if typesAlone(whole) || !readable(whole) {
		tool.Parameters = parameters(lowerTypes(schema.Clone()))
		return
	}
	for key, value := range whole.Fields() {
		tool.JSONSchema = tool.JSONSchema.With(key, wire.Raw(value.JSON()))
	}
}

// lowerTypes writes the types of a schema as JSON Schema does. Those of Gemini are STRING and
// OBJECT.
func lowerTypes(schema *wire.Node) *wire.Node {
	schema.Walk(func(n *wire.Node) {
		typ := n.Get("type")
		if lower := strings.ToLower(typ.Text()); lower != typ.Text() && slices.Contains(types, lower) {
			n.Set("type", lower)
		}
	})
	return schema
}

// typesAlone reports whether a schema says no more than which parameters there are, their types,
// and which are required.
func typesAlone(schema *wire.Node) bool {
	for _, property := range schema.Get("properties").Fields() {
		if !slices.Contains(types, property.Get("type").Text()) {
			return false
		}
		for key, value := range property.Fields() {
			if key != "type" && !(key == "items" && len(value.Members) == 0) {
				return false
			}
		}
	}
	for key := range schema.Fields() {
		switch key {
		case "type", "properties", "required", "additionalProperties", "$schema", "title":
		default:
			return false
		}
	}
	return true
}

// readable reports whether a scenario can have a schema: one of an object, whose properties are
// schemas and have the required names. A field whose values are removed has no types any more.
func readable(schema *wire.Node) bool {
	properties := schema.Get("properties")
	if schema.Get("type").Text() != "object" || !properties.Is(wire.Object) || schema.DoubledKey() != nil {
		return false
	}
	for _, property := range properties.Fields() {
		if !property.Is(wire.Object) {
			return false
		}
	}
	removed := false
	schema.Walk(func(n *wire.Node) { removed = removed || n.Get("type").Text() == redacted })
	return !removed && !slices.ContainsFunc(schema.Get("required").All(), func(name *wire.Node) bool { return !properties.Has(name.Text()) })
}

// parameters returns the parameters of a schema that have one plain type.
func parameters(schema *wire.Node) []scenarios.Property {
	var all []scenarios.Property
	required := map[string]bool{}
	for _, name := range schema.Get("required").All() {
		required[name.Text()] = true
	}
	for name, property := range schema.Get("properties").Fields() {
		typ := property.Get("type").Text()
		if !slices.Contains(types, typ) || slices.ContainsFunc(all, func(p scenarios.Property) bool { return p.Name == name }) {
			continue
		}
		if !required[name] {
			typ += "?"
		}
		all = append(all, scenarios.Property{Name: name, Type: typ})
	}
	return all
}
