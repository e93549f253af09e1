package variations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// eachSchema changes the schema of the parameters of every tool.
func eachSchema(change func(schema string) string) func() hooks.Mutation {
	return hooks.EachTool(func(_ *hooks.Request, t *protocol.Tool) { t.Parameters = []byte(change(string(t.Parameters))) })
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

var tools = []hooks.Variation{
	{
		Name:     "tools/schemas-with-references",
		Does:     "Objects in lists are defined once, and referred to.",
		Sources:  []string{"https://docs.pydantic.dev/latest/concepts/json_schema/ ($defs)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/lib/tools/_beta_functions.py (pydantic schemas)"},
		Profiles: []string{"openai", "openai-responses", "anthropic"},
		Make: hooks.EachTool(func(_ *hooks.Request, t *protocol.Tool) {
			schema, definitions := hooks.ReadSchema(t.Parameters), map[string]any{}
			hooks.ForEachPart(schema, hooks.ObjectsInLists(func(object map[string]any) map[string]any {
				name := fmt.Sprintf("Object%d", len(definitions)+1)
				definitions[name] = object
				return map[string]any{"$ref": "#/$defs/" + name}
			}))
			if len(definitions) > 0 {
				schema["$defs"] = definitions
				t.Parameters = hooks.WriteSchema(schema)
			}
		}),
	},
	{
		Name:     "tools/nullable-and-titled",
		Does:     "Parameters that may be left out may be null, have a default, and all have titles.",
		Sources:  []string{"https://docs.pydantic.dev/latest/concepts/json_schema/ (anyOf with null, default, title)"},
		Profiles: []string{"openai", "openai-responses", "anthropic"},
		Make: hooks.EachSchemaPart(func(part map[string]any) {
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
		Make:     hooks.EachTool(func(r *hooks.Request, t *protocol.Tool) { hooks.DeclareStrict(r, t, false) }),
	},
	{
		Name:     "tools/strict",
		Does:     "A function whose parameters are all required, and no objects, is strict, and takes no other ones.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/strict_schema.py (additionalProperties)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/lib/tools/_beta_functions.py (strict)"},
		Profiles: []string{"openai"},
		Make: hooks.EachTool(func(r *hooks.Request, t *protocol.Tool) {
			if schema := gjson.ParseBytes(t.Parameters); requiresAll(schema) && !hasObjects(schema) {
				t.Parameters = []byte(closed(string(t.Parameters)))
				hooks.DeclareStrict(r, t, true)
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
		Make: hooks.EachTool(func(_ *hooks.Request, t *protocol.Tool) {
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
		Make: hooks.OnRequest(func(r *hooks.Request) {
			slices.SortFunc(r.Tools, func(a, b protocol.Tool) int { return cmp.Compare(a.Name, b.Name) })
		}),
	},
	{
		Name:    "tools/one-more",
		Does:    "Besides the tools of the task the loop offers one of its own, for plans.",
		Sources: []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/langchain/src/agents/middleware/todoListMiddleware.ts (write_todos)"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if len(r.Tools) > 0 {
				r.Tools = append(r.Tools, protocol.Tool{
					Name: "write_todos", Description: "Keep a list of what is to be done.",
					Parameters: []byte(`{"type":"object","properties":{"todos":{"type":"string"}},"required":["todos"]}`),
				})
			}
		}),
	},
	{
		Name:    "tools/of-a-plugin",
		Does:    "Tools are offered in the namespace of a plugin.",
		Sources: []string{"https://learn.microsoft.com/en-us/semantic-kernel/concepts/ai-services/chat-completion/function-calling/ (plugin-function)"},
		Make:    offeredIn("weather-"),
	},
	{
		Name:    "tools/of-a-server",
		Does:    "Tools are offered in the namespace of an MCP server.",
		Sources: []string{"https://docs.claude.com/en/docs/claude-code/sdk/custom-tools (mcp__server__tool)"},
		Make:    offeredIn("mcp__loopproof__"),
	},
	{
		Name:    "tools/in-small-letters-and-underscores",
		Does:    "Tools are offered under their names in small letters, with underscores, which the loop knows to be theirs in calls.",
		Sources: []string{"https://github.com/Hmbown/Codewhale/issues/4729 (sanitize_component)", "https://github.com/openai/codex/blob/main/codex-rs/codex-mcp/src/mcp/mod.rs (sanitize_responses_api_tool_name)"},
		Make: spelledAs(func(name string, _ int) string {
			return strings.ToLower(strings.ReplaceAll(name, "-", "_"))
		}),
	},
	{
		Name:    "tools/without-separators",
		Does:    "Tools are offered under the letters of their names, which the loop knows to be theirs in calls.",
		Sources: []string{"https://github.com/Hmbown/Codewhale/issues/4729 (names are made such as all providers take them, and mapped back)"},
		Make: spelledAs(func(name string, _ int) string {
			return strings.NewReplacer("-", "", "_", "").Replace(name)
		}),
	},
	{
		Name:    "tools/cut-and-numbered",
		Does:    "Tools are offered under the first letters of their names and a number, which the loop knows to be theirs in calls.",
		Sources: []string{"https://github.com/openai/codex/blob/main/codex-rs/codex-mcp/src/tools.rs (unique_callable_parts: names that are too long, or equal once they are sanitized, are cut and get a hash)"},
		Make: spelledAs(func(name string, number int) string {
			return fmt.Sprintf("%s_%d", name[:min(len(name), 24)], number)
		}),
	},
	{
		Name:    "tools/of-two-servers",
		Does:    "Tools are offered in the namespaces of two MCP servers by turns, and called by their own names.",
		Sources: []string{"https://docs.claude.com/en/docs/claude-code/sdk/custom-tools (mcp__server__tool)"},
		Make: spelledAs(func(name string, number int) string {
			return fmt.Sprintf("mcp__server%d__%s", number%2, name)
		}),
	},
}

// requiresAll reports whether a schema has no property that may be left out, as strict mode
// demands.
func requiresAll(schema gjson.Result) bool {
	return len(schema.Get("required").Array()) == len(schema.Get("properties").Map())
}

// offeredIn offers the tools of a task in a namespace.
func offeredIn(namespace string) func() hooks.Mutation {
	return hooks.OnTask(func(t *protocol.Task) {
		t.Tools = slices.Clone(t.Tools)
		for i := range t.Tools {
			t.Tools[i].Name = namespace + t.Tools[i].Name
		}
	})
}

// spelledAs offers the tools of a task under other names. Those are on the wire alone: the loop
// runs the tools, and records what it did, under their own.
func spelledAs(spell func(name string, number int) string) func() hooks.Mutation {
	return func() hooks.Mutation {
		wire, own := map[string]string{}, map[string]string{}
		translate := func(names map[string]string, name *string) {
			if other, known := names[*name]; known {
				*name = other
			}
		}
		return hooks.Mutation{
			Request: func(r *hooks.Request) {
				for i := range r.Tools {
					name := r.Tools[i].Name
					spelled := spell(name, i+1)
					if other, taken := own[spelled]; taken && other != name {
						spelled = fmt.Sprintf("%s_%d", spelled, i+1)
					}
					r.Tools[i].Name = spelled
					wire[name], own[spelled] = spelled, name
				}
				hooks.EachPart(r, func(c *neutral.Call) { translate(wire, &c.Name) })
				hooks.EachPart(r, func(res *neutral.Result) { translate(wire, &res.Name) })
			},
			Turn: func(t *neutral.Turn) {
				for _, c := range t.Calls() {
					translate(own, &c.Name)
				}
			},
		}
	}
}
