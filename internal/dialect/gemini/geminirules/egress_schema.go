package geminirules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const schemaDocs = "https://ai.google.dev/api/caching#Schema"

// geminiSchemas are the rules of the area egress about the parameters of functions, which are a
// Schema of the API: a part of OpenAPI, held more strictly than JSON Schema.
var geminiSchemas = []rules.Rule{
	schemaRule("egress/schema-type-is-one-word", trace.Must,
		"The type of a schema is a single string; nullable allows null.",
		"A list of types, as JSON Schema has it, makes Google refuse all tools.",
		aListOfTypes,
		rules.Source{URL: schemaDocs, Says: "type: enum (Type), and nullable: boolean"},
		rules.Source{URL: "https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099", Says: "the 400: Proto field is not repeating, cannot start list"},
		rules.Source{URL: "https://github.com/openclaw/openclaw/issues/112050", Says: "lists of types that were left in"}),
	schemaRule("egress/schema-array-has-items", trace.Must,
		"A schema of the type array has items.",
		"An array without items, which is valid JSON Schema, makes Google refuse all tools.",
		anArrayWithoutItems,
		rules.Source{URL: "https://github.com/NousResearch/hermes-agent/pull/69924", Says: "the 400: items: missing field"},
		rules.Source{URL: "https://github.com/RightNow-AI/openfang/pull/1010", Says: "arrays of MCP tools without items"},
		rules.Source{URL: "https://github.com/TokenRhythm/opensquilla/issues/1263", Says: "also where an array is in another one"}),
	schemaRule("egress/schema-required-is-defined", trace.Must,
		"Every name in the required of a schema is one of its properties.",
		"A name in required without a property makes Google refuse all tools.",
		requiredButUndefined,
		rules.Source{URL: "https://github.com/znlsl/Antigravity2Api/issues/22", Says: "the 400: required[1]: property is not defined"},
		rules.Source{URL: "https://github.com/iBUHub/AIStudioToAPI/issues/154", Says: "the same, for tools that others wrote"}),
	schemaRule("egress/schema-enum-of-texts", trace.Must,
		"The values of an enum are strings.",
		"One number among them makes Google refuse the request.",
		anEnumOfOthers,
		rules.Source{URL: schemaDocs, Says: "enum[]: string"},
		rules.Source{URL: "https://github.com/Draculabo/AntigravityManager/pull/260", Says: "the 400: Invalid value (TYPE_STRING)"}),
	schemaRule("egress/schema-enum-not-empty", trace.Should,
		"No value of an enum is an empty string.",
		"One that is makes Google refuse all tools.",
		anEmptyEnumValue,
		rules.Source{URL: "https://github.com/Bobsilvio/ha-claude/pull/32", Says: "the 400: enum[1]: cannot be empty"},
		rules.Source{URL: "https://github.com/Smana/runlore/issues/40", Says: "the same"}),
	schemaRule("egress/schema-enum-of-strings-alone", trace.Must,
		"Only a schema of the type string has an enum.",
		"An enum of whole numbers, or one without a type, makes Google refuse all tools.",
		anEnumOfAnotherType,
		rules.Source{URL: schemaDocs, Says: "enum: possible values of the element of primitive type with enum format"},
		rules.Source{URL: "https://github.com/decolua/9router/pull/380", Says: "the 400: enum: only allowed for STRING type"},
		rules.Source{URL: "https://github.com/diegosouzapw/OmniRoute/pull/760", Says: "enums of whole numbers"}),
	schemaRule("egress/schema-format-known", trace.Should,
		"The format of a string is enum or date-time, and no other word of JSON Schema.",
		"Other formats, such as uri and email, make models refuse all tools.",
		anUnknownFormat,
		rules.Source{URL: "https://github.com/enechange/collmbo/pull/195", Says: "the 400: only 'enum' and 'date-time' are supported for STRING type"},
		rules.Source{URL: "https://github.com/labring/aiproxy/pull/312", Says: "the same"}),
	schemaRule("egress/schema-properties-of-objects-alone", trace.Must,
		"Only a schema of the type object has properties and required.",
		"On another type they make Google refuse all tools.",
		propertiesOfNoObject,
		rules.Source{URL: schemaDocs, Says: "properties and required: of an object"},
		rules.Source{URL: "https://github.com/anomalyco/opencode/pull/11888", Says: "the 400: properties: only allowed for OBJECT type"}),
	schemaRule("egress/schema-object-has-properties", trace.Info,
		"A function without parameters is declared without any, and not with an object that has no properties.",
		"Some models refuse an object without properties; newer ones take it.",
		anEmptyObject,
		rules.Source{URL: "https://github.com/agno-agi/agno/issues/2112", Says: "the 400: properties: should be non-empty for OBJECT type"},
		rules.Source{URL: "https://github.com/SWE-agent/SWE-agent/pull/1431", Says: "the same"},
		rules.Source{URL: "https://github.com/bug-ops/zeph/issues/1641", Says: "taken by newer models"}),
	{
		ID:        "egress/parameters-given-once",
		Level:     trace.Should,
		Text:      "A function has parameters or parametersJsonSchema, and not both.",
		Why:       "Both describe the parameters; the API accepts only one of them.",
		Invariant: true,
		Evidence:  "a request with functions that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#FunctionDeclaration", Says: "parametersJsonSchema: this field is mutually exclusive with parameters"}},
		Vars:      []string{"at", "found"},
		Request: eachDeclared(func(f *wire.Node) []trace.Finding {
			if !isGiven(under(f, "parameters")) || !isGiven(under(f, "parametersJsonSchema")) {
				return nil
			}
			return []trace.Finding{at(f, "parameters", "the parameters of a function are given twice", "parameters or parametersJsonSchema", placed(f, "both"))}
		}),
	},
}

// schemaRule is a rule about each schema in the parameters of functions, and in those schemas.
func schemaRule(id string, level trace.Level, text, why string, wrong func(schema *wire.Node) []trace.Finding, sources ...rules.Source) rules.Rule {
	return rules.Rule{
		ID: id, Level: level, Text: text, Why: why, Sources: sources,
		Invariant: true,
		Evidence:  "a request with functions that carries a function response",
		Vars:      []string{"at", "found"},
		Request: func(p *profiles.Profile, req *wire.Request) rules.CheckResult {
			find := func(of *wire.Node) (all []trace.Finding) {
				eachSchema(of, func(schema *wire.Node) { all = append(all, wrong(schema)...) })
				return all
			}
			j := eachDeclared(func(f *wire.Node) []trace.Finding { return find(under(f, "parameters")) })(p, req)
			j.Find(find(under(under(req.Body, "generationConfig"), "responseSchema"))...)
			return j
		},
	}
}

func anEmptyEnumValue(schema *wire.Node) (all []trace.Finding) {
	for _, value := range gemini.Items(schema.Get("enum")) {
		if value.Is(wire.String) && value.Text() == "" {
			all = append(all, at(value, "", "a value of an enum is an empty text", "a text, or no such value", placed(value, "")))
		}
	}
	return all
}

// eachSchema calls f for a schema and for those within it.
func eachSchema(schema *wire.Node, f func(*wire.Node)) {
	if !schema.Is(wire.Object) {
		return
	}
	f(schema)
	for _, m := range membersOf(schema.Get("properties")) {
		eachSchema(m.Value, f)
	}
	eachSchema(schema.Get("items"), f)
	for _, one := range gemini.Items(under(schema, "anyOf")) {
		eachSchema(one, f)
	}
}

func placed(n *wire.Node, found string) map[string]string {
	return map[string]string{"at": gemini.Place(n), "found": found}
}

// schemaTypes are the types of a schema, each at its number in the protos.
var schemaTypes = []string{"TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}

// isOf reports whether a schema is of a type. Google takes the word in small letters, too, and its
// number, which its clients for protos send.
func isOf(schema *wire.Node, word string) bool {
	said := schema.Get("type")
	if said.Is(wire.Number) {
		return string(said.Raw) == strconv.Itoa(slices.Index(schemaTypes, strings.ToUpper(word)))
	}
	return strings.EqualFold(said.Text(), word)
}

func aListOfTypes(schema *wire.Node) []trace.Finding {
	if said := schema.Get("type"); said.Is(wire.Array) {
		return []trace.Finding{at(schema, "type", "a schema has a list of types", "one type, and nullable", map[string]string{"at": gemini.Field(schema), "found": "a list"})}
	}
	return nil
}

func anArrayWithoutItems(schema *wire.Node) []trace.Finding {
	if !isOf(schema, "array") || isGiven(schema.Get("items")) {
		return nil
	}
	return []trace.Finding{at(schema, "items", "an array does not say what is in it", "items", placed(schema, "nothing"))}
}

func requiredButUndefined(schema *wire.Node) (all []trace.Finding) {
	defined := map[string]bool{}
	for _, m := range membersOf(schema.Get("properties")) {
		defined[m.Key] = true
	}
	for _, name := range gemini.Items(schema.Get("required")) {
		if !defined[name.Text()] {
			all = append(all, at(name, "", "a schema requires what is none of its properties", "the name of a property", placed(name, name.Text())))
		}
	}
	return all
}

func anEnumOfOthers(schema *wire.Node) (all []trace.Finding) {
	for _, value := range gemini.Items(schema.Get("enum")) {
		if !value.Is(wire.String) && isGiven(value) { // a parser of protobuf leaves out what is null
			all = append(all, at(value, "", "a value of an enum is no text", "a text", map[string]string{"at": gemini.Field(value), "found": string(value.Raw)}))
		}
	}
	return all
}

func anEnumOfAnotherType(schema *wire.Node) []trace.Finding {
	if len(gemini.Items(schema.Get("enum"))) == 0 || isOf(schema, "string") || schema.Get("type").Is(wire.Array) {
		return nil
	}
	return []trace.Finding{at(schema, "enum", "an enum of another type than string", "the type STRING", placed(schema, schema.Get("type").Text()))}
}

func anUnknownFormat(schema *wire.Node) []trace.Finding {
	format := schema.Get("format")
	if !isOf(schema, "string") || !isGiven(format) || slices.Contains([]string{"", "enum", "date-time"}, format.Text()) {
		return nil
	}
	return []trace.Finding{at(schema, "format", fmt.Sprintf("a string has the format %q", format.Text()), "enum, date-time or none", placed(schema, format.Text()))}
}

func propertiesOfNoObject(schema *wire.Node) (all []trace.Finding) {
	if isOf(schema, "object") || schema.Get("type").Is(wire.Array) {
		return nil
	}
	for _, key := range []string{"properties", "required"} {
		if value := schema.Get(key); isGiven(value) && len(value.Members)+len(value.Items) > 0 {
			all = append(all, at(schema, key, "a schema that is of no object has "+key, "the type OBJECT", map[string]string{"at": gemini.Place(schema) + "." + key, "found": schema.Get("type").Text()}))
		}
	}
	return all
}

func anEmptyObject(schema *wire.Node) []trace.Finding {
	properties := schema.Get("properties")
	if !isOf(schema, "object") || !properties.Is(wire.Object) || len(properties.Members) > 0 {
		return nil
	}
	return []trace.Finding{at(schema, "properties", "an object has no properties", "some properties, or no parameters", placed(schema, "none"))}
}
