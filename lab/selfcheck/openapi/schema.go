package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/lab/selfcheck"
)

// schemas are the parts of a description that answers have to satisfy, the first of them that it
// has: OpenAI's, then that of Open Responses.
var schemas = map[selfcheck.Kind][]string{
	selfcheck.Completion:    {"/components/schemas/CreateChatCompletionResponse"},
	selfcheck.Chunk:         {"/components/schemas/CreateChatCompletionStreamResponse"},
	selfcheck.Response:      {"/components/schemas/Response", "/components/schemas/ResponseResource"},
	selfcheck.ResponseEvent: {"/components/schemas/ResponseStreamEvent", "/paths/~1responses/post/responses/200/content/text~1event-stream/schema"},
}

// load reads an OpenAPI description and returns its schemas for the kinds of samples that it
// describes.
func load(file string) (map[selfcheck.Kind]*jsonschema.Schema, error) {
	document, err := read(file)
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("openapi.json", document); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	compiled := map[selfcheck.Kind]*jsonschema.Schema{}
	for kind, pointers := range schemas {
		i := slices.IndexFunc(pointers, func(pointer string) bool { return has(document, pointer) })
		if i < 0 {
			continue
		}
		if compiled[kind], err = compiler.Compile("openapi.json#" + pointers[i]); err != nil {
			return nil, fmt.Errorf("%s: the schema %s: %w", file, pointers[i], err)
		}
	}
	return compiled, nil
}

// read reads an OpenAPI description as JSON Schema.
func read(file string) (any, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var description any
	if err := yaml.Unmarshal(data, &description); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	allowRecordedNulls(description)
	document, err := plainJSON(nullsAllowed(description))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return document, nil
}

// recordedAsNull are properties that are null in recorded answers of OpenAI, although the
// description has them as never null:
// https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestOpenAIResponsesWithSummaryThinking
var recordedAsNull = map[string][]string{
	"ModelResponseProperties": {"user"},
	"Response":                {"usage"}, // until the response is completed
}

// allowRecordedNulls marks these properties as nullable, wherever in their schema they are.
func allowRecordedNulls(description any) {
	all, _ := description.(map[string]any)
	components, _ := all["components"].(map[string]any)
	known, _ := components["schemas"].(map[string]any)
	for name, properties := range recordedAsNull {
		markNullable(known[name], properties)
	}
}

func markNullable(schema any, properties []string) {
	switch schema := schema.(type) {
	case map[string]any:
		if own, ok := schema["properties"].(map[string]any); ok {
			for _, name := range properties {
				if property, ok := own[name].(map[string]any); ok {
					property["nullable"] = true
				}
			}
		}
		markNullable(schema["allOf"], properties)
	case []any:
		for _, part := range schema {
			markNullable(part, properties)
		}
	}
}

// has reports whether a document has a value at a JSON pointer through objects.
func has(document any, pointer string) bool {
	for key := range jsontext.Pointer(pointer).Tokens() {
		object, _ := document.(map[string]any)
		value, ok := object[key]
		if !ok {
			return false
		}
		document = value
	}
	return true
}

// plainJSON turns what a YAML reader returns into what a JSON reader would.
func plainJSON(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(data))
}

// nullsAllowed writes `nullable: true`, which OpenAPI had before 3.1 and the description still has
// in places, as JSON Schema does, and leaves out an anchor of an older JSON Schema, which the
// present one refuses.
func nullsAllowed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "$recursiveAnchor")
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
