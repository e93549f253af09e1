package faults

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/protocol"
)

// eachSchema changes the schema of the parameters of every tool.
func eachSchema(change func(schema string) string) func() Mutation {
	return eachTool(func(_ *Request, t *protocol.Tool) { t.Parameters = []byte(change(string(t.Parameters))) })
}

// declareStrict says of a tool whether its calls keep to its schema.
func declareStrict(r *Request, t *protocol.Tool, strict bool) {
	if r.Settings.Strict == nil {
		r.Settings.Strict = map[string]bool{}
	}
	r.Settings.Strict[t.Name] = strict
}

// closed returns a schema that takes no other properties.
func closed(schema string) string { return raw.Set(schema, "additionalProperties", false) }

// properties returns the names of the properties of a schema, in order.
func properties(schema string) []string {
	var names []string
	gjson.Get(schema, "properties").ForEach(func(name, _ gjson.Result) bool {
		names = append(names, name.String())
		return true
	})
	return names
}

// hasObjects reports whether a property of a schema is an object, of which scenarios say no more.
func hasObjects(schema gjson.Result) (has bool) {
	schema.Get("properties").ForEach(func(_, property gjson.Result) bool {
		has = has || property.Get("type").String() == "object"
		return !has
	})
	return has
}

var variationsInTools = []Variation{
	{
		Name:     "tools/schemas-with-references",
		Does:     "Objects in lists are defined once, and referred to.",
		Sources:  []string{"https://docs.pydantic.dev/latest/concepts/json_schema/ ($defs)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/lib/tools/_beta_functions.py (pydantic schemas)"},
		Profiles: []string{"openai", "openai-responses", "anthropic"},
		Make: eachTool(func(_ *Request, t *protocol.Tool) {
			schema, definitions := readSchema(t.Parameters), map[string]any{}
			forEachPart(schema, objectsInLists(func(object map[string]any) map[string]any {
				name := fmt.Sprintf("Object%d", len(definitions)+1)
				definitions[name] = object
				return map[string]any{"$ref": "#/$defs/" + name}
			}))
			if len(definitions) > 0 {
				schema["$defs"] = definitions
				t.Parameters = writeSchema(schema)
			}
		}),
	},
	{
		Name:     "tools/nullable-and-titled",
		Does:     "Parameters that may be left out may be null, have a default, and all have titles.",
		Sources:  []string{"https://docs.pydantic.dev/latest/concepts/json_schema/ (anyOf with null, default, title)"},
		Profiles: []string{"openai", "openai-responses", "anthropic"},
		Make: eachSchemaPart(func(part map[string]any) {
			properties, _ := part["properties"].(map[string]any)
			required, _ := part["required"].([]any)
			for name, property := range properties {
				schema, ok := property.(map[string]any)
				if !ok {
					continue
				}
				if !slices.Contains(required, any(name)) {
					schema = map[string]any{"anyOf": []any{schema, map[string]any{"type": "null"}}, "default": nil}
				}
				schema["title"] = strings.ToUpper(name[:1]) + name[1:]
				properties[name] = schema
			}
		}),
	},
	{
		Name:     "tools/not-strict",
		Does:     "Each function says that it is not strict.",
		Sources:  []string{"https://platform.openai.com/docs/guides/function-calling (strict is optional)", "https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (strict)"},
		Profiles: []string{"openai"},
		Make:     eachTool(func(r *Request, t *protocol.Tool) { declareStrict(r, t, false) }),
	},
	{
		Name:     "tools/strict",
		Does:     "A function whose parameters are all required, and no objects, is strict, and takes no other ones.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/strict_schema.py (additionalProperties)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/lib/tools/_beta_functions.py (strict)"},
		Profiles: []string{"openai"},
		Make: eachTool(func(r *Request, t *protocol.Tool) {
			if schema := gjson.ParseBytes(t.Parameters); requiresAll(schema) && !hasObjects(schema) {
				t.Parameters = []byte(closed(string(t.Parameters)))
				declareStrict(r, t, true)
			}
		}),
	},
	{
		Name:    "tools/closed",
		Does:    "The parameters of every tool take no properties that are not named.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/provider-utils/src/add-additional-properties-to-json-schema.ts"},
		Make:    eachSchema(closed),
	},
	{
		Name:    "tools/named-by-their-schema",
		Does:    "The parameters of every tool say after which draft of JSON Schema they are written.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/provider-utils/src/schema.ts (toJSONSchema)", "https://github.com/langchain-ai/langchainjs/blob/main/libs/langchain-core/src/utils/json_schema.ts (zodToJsonSchema)"},
		Make: eachSchema(func(schema string) string {
			return raw.Set(schema, `$schema`, "http://json-schema.org/draft-07/schema#")
		}),
	},
	{
		Name:    "tools/titled",
		Does:    "The parameters of every tool, and each of them, have a title made of the name.",
		Sources: []string{"https://github.com/pydantic/pydantic-ai/blob/main/tests/models/test_openai.py ('title': 'Result')"},
		Make: eachSchema(func(schema string) string {
			for _, name := range properties(schema) {
				schema = raw.Set(schema, "properties."+name+".title", strings.ToUpper(name[:1])+name[1:])
			}
			return raw.Set(schema, "title", "Arguments")
		}),
	},
	{
		Name:    "tools/parameters-described",
		Does:    "Each parameter of a tool has a description, taken from the source of the function.",
		Sources: []string{"https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/_function_schema.py", "https://github.com/huggingface/smolagents/blob/main/src/smolagents/_function_type_hints_utils.py"},
		Make: eachSchema(func(schema string) string {
			for _, name := range properties(schema) {
				if at := "properties." + name + ".description"; !gjson.Get(schema, at).Exists() {
					schema = raw.Set(schema, at, "The "+name+".")
				}
			}
			return schema
		}),
	},
	{
		Name:    "tools/described-further",
		Does:    "The description of a tool says after the words of the task what comes back.",
		Sources: []string{"https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/_griffe.py (<returns>)"},
		Make: eachTool(func(_ *Request, t *protocol.Tool) {
			t.Description = strings.TrimSpace(t.Description + "\n<returns>A text.</returns>")
		}),
	},
	{
		Name:    "tools/required-always-listed",
		Does:    "The parameters of a tool that needs none say so with an empty list.",
		Sources: []string{"https://github.com/QwenLM/Qwen-Agent/blob/main/qwen_agent/tools/base.py (required)"},
		Make: eachSchema(func(schema string) string {
			if !gjson.Get(schema, "required").Exists() {
				schema = raw.SetRaw(schema, "required", "[]")
			}
			return schema
		}),
	},
	{
		Name:    "tools/sorted",
		Does:    "The tools are in the order of their names, so that the provider's cache finds them again.",
		Sources: []string{"https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/base.py (_tool_dicts.sort)"},
		Make: onRequest(func(r *Request) {
			slices.SortFunc(r.Tools, func(a, b protocol.Tool) int { return cmp.Compare(a.Name, b.Name) })
		}),
	},
	{
		Name:    "tools/one-more",
		Does:    "Besides the tools of the task the loop offers one of its own, for plans.",
		Sources: []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/langchain/src/agents/middleware/todoListMiddleware.ts (write_todos)"},
		Make: onRequest(func(r *Request) {
			if len(r.Tools) > 0 {
				r.Tools = append(r.Tools, protocol.Tool{
					Name: "write_todos", Description: "Keep a list of what is to be done.",
					Parameters: []byte(`{"type":"object","properties":{"todos":{"type":"string"}},"required":["todos"]}`),
				})
			}
		}),
	},
}

// requiresAll reports whether a schema has no property that may be left out, as strict mode
// demands.
func requiresAll(schema gjson.Result) bool {
	return len(schema.Get("required").Array()) == len(schema.Get("properties").Map())
}
