package egress

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// schemaRules are the rules of the area egress about the JSON Schemas of tools. Gemini has schemas
// of a form of its own.
var schemaRules = []rules.Rule{
	{
		ID:        "egress/schema-not-combined",
		Level:     trace.Should,
		Where:     rules.JSONSchemas,
		Text:      "The schema of a tool is one object, without anyOf, oneOf or allOf at its top.",
		Why:       "OpenAI and Anthropic refuse such a schema, which many MCP servers have, and all tools with it.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/langchain-ai/langchainjs/issues/9804", Says: "the 400 of OpenAI for a tool of an MCP server"},
			{URL: "https://github.com/dearlordylord/huly-mcp/issues/66", Says: "the 400 of Anthropic; below the top they are taken"},
			{URL: "https://github.com/anthropics/claude-code/issues/40075", Says: "the same"},
		},
		Vars:    []string{"index", "name"},
		Request: schemaNotCombined,
	},
	{
		ID:        "egress/schema-complete",
		Level:     trace.Should,
		Where:     rules.OfOpenAI,
		Text:      "The schema of a tool has properties, and items where a part of it is of type array.",
		Why:       "OpenAI refuses a schema without them, and all tools with it; other providers take it.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/spring-projects/spring-ai/issues/4776", Says: "the 400 of OpenAI for a tool without parameters: object schema missing properties"},
			{URL: "https://github.com/evalstate/fast-agent/issues/143", Says: "the same for a tool of an MCP server"},
			{URL: "https://github.com/digitalocean-labs/mcp-digitalocean/issues/265", Says: "the 400 of OpenAI: array schema missing items; others take it"},
			{URL: "https://github.com/sigoden/aichat/pull/1049", Says: "the same"},
		},
		Vars:    []string{"index", "name", "context", "missing"},
		Request: schemaComplete,
	},
	{
		ID:        "egress/strict-schema",
		Level:     trace.Should,
		Where:     rules.OfOpenAI,
		Text:      "A tool sent as strict has a schema that strict mode takes: every object is closed and requires all its properties, and no part has allOf or a format that OpenAI does not list.",
		Why:       "OpenAI refuses any other schema, so a loop cannot simply set strict on schemas of its users.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "strict mode: additionalProperties false, and all fields required"},
			{URL: "https://github.com/kevinwatt/mysql-mcp/issues/5", Says: "the 400 of OpenAI, in the Responses API: required has to include every key"},
			{URL: "https://github.com/cyanheads/git-mcp-server/issues/47", Says: "the 400 of OpenAI: 'uri' is not a valid format"},
			{URL: "https://platform.openai.com/docs/guides/structured-outputs", Says: "allOf, not, if and others are not supported; nine formats are"},
		},
		Vars:    []string{"index", "name", "context", "problem"},
		Request: strictSchema,
	},
}

// combining are the keys that combine schemas.
var combining = []string{"anyOf", "oneOf", "allOf"}

func schemaNotCombined(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	EachTool(req, func(i int, t wire.ToolDefinition) {
		j.HasEvidence = true
		for _, key := range combining {
			if combined := t.Parameters.Get(key); combined.Is(wire.Array) {
				j.Find(trace.Finding{
					Pointer:  combined.Pointer(),
					Message:  fmt.Sprintf("the schema of the tool %s has %s at its top", t.Name, key),
					Expected: `"type":"object" with properties`,
					Actual:   rules.Show(t.Parameters),
					Vars:     map[string]string{"index": strconv.Itoa(i), "name": t.Name},
				})
				return
			}
		}
	})
	return j
}

func schemaComplete(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	EachTool(req, func(i int, t wire.ToolDefinition) {
		j.HasEvidence = true
		at, missing := incomplete(t.Parameters)
		if at == nil {
			return
		}
		j.Find(trace.Finding{
			Pointer:  at.Pointer(),
			Message:  fmt.Sprintf("the schema of the tool %s has no %s here", t.Name, missing),
			Expected: missing,
			Actual:   rules.Show(at),
			Vars:     map[string]string{"index": strconv.Itoa(i), "name": t.Name, "context": contextOf(t.Parameters, at), "missing": at.Get("type").Text() + " schema missing " + missing},
		})
	})
	return j
}

// incomplete returns the first place of a schema that says too little, and the key that it lacks;
// nil where there is none. Only an object at the top needs properties.
func incomplete(schema *wire.Node) (at *wire.Node, missing string) {
	if schema.Get("type").Text() == "object" && saysNothingOf(schema, "properties", "additionalProperties", "patternProperties") {
		return schema, "properties"
	}
	eachSchema(schema, func(s *wire.Node) {
		if at == nil && s.Get("type").Text() == "array" && saysNothingOf(s, "items", "prefixItems") {
			at, missing = s, "items"
		}
	})
	return at, missing
}

func strictSchema(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	EachTool(req, func(i int, t wire.ToolDefinition) {
		j.HasEvidence = true
		if !t.Strict {
			return
		}
		if at, problem := notStrict(t.Parameters); at != nil {
			j.Find(trace.Finding{
				Pointer:  at.Pointer(),
				Message:  fmt.Sprintf("the tool %s is sent as strict with a schema that is not", t.Name),
				Expected: cmp.Or(strictly[problem], strictObject),
				Actual:   rules.Show(at),
				Vars:     map[string]string{"index": strconv.Itoa(i), "name": t.Name, "context": contextOf(t.Parameters, at), "problem": problem},
			})
		}
	})
	return j
}

// The words of OpenAI for what strict mode does not take, and what is expected instead; of objects
// it is the same each time.
const (
	oneOfThere   = "'oneOf' is not permitted."
	noType       = "schema must have a 'type' key."
	strictObject = `"additionalProperties":false and all properties required`
)

var strictly = map[string]string{oneOfThere: "anyOf", noType: "a type"}

// notStrict returns the first part of a schema that strict mode does not take, and why, in the
// words of OpenAI.
func notStrict(schema *wire.Node) (at *wire.Node, problem string) {
	eachSchema(schema, func(n *wire.Node) {
		if at != nil {
			return
		}
		if why := looseIn(n, n == schema); why != "" {
			at, problem = n, why
		}
	})
	return at, problem
}

// looseIn says why strict mode does not take a part of a schema, "" where it does.
func looseIn(n *wire.Node, top bool) string {
	const required = "'required' is required to be supplied and to be an array including every key in properties."
	if n.Get("oneOf").Is(wire.Array) {
		return oneOfThere
	}
	for _, key := range notInStrict {
		if n.Has(key) {
			return "'" + key + "' is not permitted."
		}
	}
	if format := n.Get("format").Text(); format != "" && n.Get("type").Text() == "string" && !slices.Contains(strictFormats, format) {
		return "'" + format + "' is not a valid format."
	}
	if !isObject(n) {
		if top && n.Get("type").Is(wire.String) {
			return `schema must be a JSON Schema of 'type: "object"', got 'type: "` + n.Get("type").Text() + `"'.`
		}
		if !top && !slices.ContainsFunc([]string{"type", "$ref", "anyOf", "allOf", "enum", "const"}, n.Has) {
			return noType
		}
		return ""
	}
	if closed := n.Get("additionalProperties"); !closed.Is(wire.Bool) || closed.True() {
		return "'additionalProperties' is required to be supplied and to be false."
	}
	given := map[string]bool{}
	for _, r := range n.Get("required").All() {
		given[r.Text()] = true
	}
	there := map[string]bool{}
	for _, key := range n.Get("properties").Keys() {
		if there[key] = true; !given[key] {
			return required + " Missing '" + key + "'."
		}
	}
	for _, r := range n.Get("required").All() {
		if !there[r.Text()] {
			return required + " Extra required key '" + r.Text() + "' supplied."
		}
	}
	return ""
}

// notInStrict are keywords that strict mode does not have, and strictFormats the formats of a
// string that it has: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas.
// A default is taken: https://github.com/openai/openai-agents-python/issues/4390
var (
	notInStrict   = []string{"allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"}
	strictFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)

// isObject reports whether a schema is one of an object, which may be null besides.
func isObject(schema *wire.Node) bool {
	said := schema.Get("type")
	return said.Text() == "object" || slices.ContainsFunc(said.All(), func(n *wire.Node) bool { return n.Text() == "object" })
}

// saysNothingOf reports whether a schema has none of some keys, and gets them from no other schema
// either.
func saysNothingOf(schema *wire.Node, keys ...string) bool {
	says := func(key string) bool {
		value := schema.Get(key)
		return value != nil && string(value.Raw) != "false"
	}
	return !slices.ContainsFunc(keys, says) && !says("$ref") && !slices.ContainsFunc(combining, says)
}

// eachSchema calls f for a schema and for those within it.
func eachSchema(schema *wire.Node, f func(*wire.Node)) {
	if !schema.Is(wire.Object) {
		return
	}
	f(schema)
	for _, key := range []string{"properties", "$defs", "definitions"} {
		for _, part := range schema.Get(key).Fields() {
			eachSchema(part, f)
		}
	}
	eachSchema(schema.Get("items"), f)
	eachSchema(schema.Get("additionalProperties"), f)
	for _, key := range combining {
		for _, part := range schema.Get(key).All() {
			eachSchema(part, f)
		}
	}
}

// contextOf writes where a part of a schema is, as OpenAI does: ('properties', 'paths').
func contextOf(schema, part *wire.Node) string {
	steps := strings.Split(strings.TrimPrefix(part.Pointer(), schema.Pointer()), "/")[1:]
	for i, step := range steps {
		steps[i] = "'" + step + "'"
	}
	switch len(steps) {
	case 0:
		return "()"
	case 1:
		return "(" + steps[0] + ",)"
	}
	return "(" + strings.Join(steps, ", ") + ")"
}
