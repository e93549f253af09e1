package hooks

import (
	"encoding/json"
	"fmt"

	"github.com/loopproof/loopproof/protocol"
)

// EachSchemaPart changes every part of the schema of every tool: the parameters, what is in them,
// and what is in that. The names of properties are no parts.
func EachSchemaPart(change func(part map[string]any)) func() Mutation {
	return EachTool(func(_ *Request, t *protocol.Tool) {
		schema := ReadSchema(t.Parameters)
		ForEachPart(schema, change)
		t.Parameters = WriteSchema(schema)
	})
}

// ReadSchema reads the schema of a tool, nil for a tool that takes a free text.
func ReadSchema(text []byte) (schema map[string]any) {
	if len(text) == 0 { // the tool takes a free text
		return nil
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		panic(fmt.Sprintf("faults: the schema of a tool: %v", err))
	}
	return schema
}

// WriteSchema is the opposite of [ReadSchema].
func WriteSchema(schema map[string]any) []byte {
	if schema == nil {
		return nil
	}
	text, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("faults: the schema of a tool: %v", err))
	}
	return text
}

// ForEachPart changes every part of a schema; see [EachSchemaPart].
func ForEachPart(part map[string]any, change func(map[string]any)) {
	if part == nil {
		return
	}
	change(part)
	if properties, ok := part["properties"].(map[string]any); ok {
		for _, property := range properties {
			inner, _ := property.(map[string]any)
			ForEachPart(inner, change)
		}
	}
	items, _ := part["items"].(map[string]any)
	ForEachPart(items, change)
}

// ObjectsInLists replaces the schemas of the objects that are in lists.
func ObjectsInLists(replace func(object map[string]any) map[string]any) func(part map[string]any) {
	return func(part map[string]any) {
		if items, ok := part["items"].(map[string]any); ok && items["type"] == "object" {
			part["items"] = replace(items)
		}
	}
}

// DeclareStrict says of a tool whether its calls keep to its schema.
func DeclareStrict(r *Request, t *protocol.Tool, strict bool) {
	if r.Settings.Strict == nil {
		r.Settings.Strict = map[string]bool{}
	}
	r.Settings.Strict[t.Name] = strict
}
