package faults

import (
	"encoding/json"
	"fmt"

	"github.com/loopproof/loopproof/protocol"
)

// eachSchemaPart changes every part of the schema of every tool: the parameters, what is in them,
// and what is in that. The names of properties are no parts.
func eachSchemaPart(change func(part map[string]any)) func() Mutation {
	return eachTool(func(_ *Request, t *protocol.Tool) {
		schema := readSchema(t.Parameters)
		forEachPart(schema, change)
		t.Parameters = writeSchema(schema)
	})
}

func readSchema(text []byte) (schema map[string]any) {
	if len(text) == 0 { // the tool takes a free text
		return nil
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		panic(fmt.Sprintf("faults: the schema of a tool: %v", err))
	}
	return schema
}

func writeSchema(schema map[string]any) []byte {
	if schema == nil {
		return nil
	}
	text, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("faults: the schema of a tool: %v", err))
	}
	return text
}

func forEachPart(part map[string]any, change func(map[string]any)) {
	if part == nil {
		return
	}
	change(part)
	if properties, ok := part["properties"].(map[string]any); ok {
		for _, property := range properties {
			inner, _ := property.(map[string]any)
			forEachPart(inner, change)
		}
	}
	items, _ := part["items"].(map[string]any)
	forEachPart(items, change)
}

// objectsInLists replaces the schemas of the objects that are in lists.
func objectsInLists(replace func(object map[string]any) map[string]any) func(part map[string]any) {
	return func(part map[string]any) {
		if items, ok := part["items"].(map[string]any); ok && items["type"] == "object" {
			part["items"] = replace(items)
		}
	}
}
