package gemini

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// jsonSchema returns a Schema in the terms of JSON Schema, whose types are in small letters. The
// result is not part of the request.
func jsonSchema(schema *wire.Node) *wire.Node {
	if !schema.Is(wire.Object) {
		return schema
	}
	small := wire.Parsed(schema.Raw)
	if !smallTypes(small) {
		return schema
	}
	return wire.Parsed(small.JSON())
}

// smallTypes changes the types of a schema and of those within it, and reports whether there were
// any to change.
func smallTypes(schema *wire.Node) (changed bool) {
	if !schema.Is(wire.Object) {
		return false
	}
	if kind := schema.Get("type").Text(); isSchemaType(kind) && kind != strings.ToLower(kind) {
		schema.Set("type", strings.ToLower(kind))
		changed = true
	}
	within := Items(get(schema, "anyOf"))
	if properties := schema.Get("properties"); properties.Is(wire.Object) {
		for _, m := range properties.Members {
			within = append(within, m.Value)
		}
	}
	for _, each := range append(slices.Clone(within), schema.Get("items")) {
		changed = smallTypes(each) || changed
	}
	return changed
}
