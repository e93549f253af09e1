package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/selfcheck"
)

// schemas are the parts of the description that answers have to satisfy.
var schemas = map[selfcheck.Kind]string{
	selfcheck.Completion: "CreateChatCompletionResponse",
	selfcheck.Chunk:      "CreateChatCompletionStreamResponse",
}

// load reads an OpenAPI description and returns its schemas for each kind of sample.
func load(file string) (map[selfcheck.Kind]*jsonschema.Schema, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var description any
	if err := yaml.Unmarshal(data, &description); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	document, err := plainJSON(nullsAllowed(description))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("openapi.json", document); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	compiled := map[selfcheck.Kind]*jsonschema.Schema{}
	for kind, name := range schemas {
		if compiled[kind], err = compiler.Compile("openapi.json#/components/schemas/" + name); err != nil {
			return nil, fmt.Errorf("%s: the schema %s: %w", file, name, err)
		}
	}
	return compiled, nil
}

// plainJSON turns what a YAML reader returns into what a JSON reader would.
func plainJSON(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(data))
}

// nullsAllowed writes `nullable: true`, which OpenAPI had before 3.1 and the description still has in places, as JSON
// Schema does.
func nullsAllowed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = nullsAllowed(value)
		}
		if nullable, ok := v["nullable"].(bool); ok && nullable {
			delete(v, "nullable")
			return map[string]any{"anyOf": []any{v, map[string]any{"type": "null"}}}
		}
	case []any:
		for i, value := range v {
			v[i] = nullsAllowed(value)
		}
	}
	return v
}
