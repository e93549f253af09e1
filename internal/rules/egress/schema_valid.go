package egress

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// schemaValidRules are the rules of the area egress about schemas of tools that are none.
var schemaValidRules = []rules.Rule{
	{
		ID:        "egress/schema-valid",
		Level:     trace.Should,
		Where:     rules.JSONSchemas,
		Text:      "The schema of a tool is a valid JSON Schema: required is a list of names, a property is a schema, a type is one of JSON's.",
		Why:       "OpenAI and Anthropic refuse all tools with one such schema, as hand-written ones of MCP servers are.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://json-schema.org/draft/2020-12/schema", Says: "the values that each keyword may have"},
			{URL: "https://github.com/MarkusPfundstein/mcp-gsuite/pull/34", Says: "required: false, and the 400 of OpenAI and of Anthropic"},
			{URL: "https://github.com/CherryHQ/cherry-studio/issues/4188", Says: "required: true, and the 400 of OpenAI"},
			{URL: "https://github.com/FoundationAgents/OpenManus/issues/1162", Says: "a list in the place of a schema, and the 400 of OpenAI"},
			{URL: "https://github.com/anthropics/anthropic-sdk-java/issues/241", Says: "a word in the place of a schema, and the 400 of Anthropic"},
		},
		Vars:    []string{"index", "name", "problem"},
		Request: schemaValid,
	},
}

// schemaValid leaves the top of a schema, its type and what is null there, to the rules about the
// parameters of a tool.
func schemaValid(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	EachTool(req, func(i int, t wire.ToolDefinition) {
		j.HasEvidence = true
		if !t.Parameters.Is(wire.Object) {
			return
		}
		s := schemaReader{}
		s.members(t.Parameters, "type")
		if s.at == nil {
			return
		}
		j.Find(trace.Finding{
			Pointer:  s.at.Pointer(),
			Message:  fmt.Sprintf("the schema of the tool %s is not valid here", t.Name),
			Expected: s.expected,
			Actual:   rules.Show(s.at),
			Vars:     map[string]string{"index": strconv.Itoa(i), "name": t.Name, "problem": s.problem},
		})
	})
	return j
}

// schemaReader looks for the first value in a schema that its keyword may not have.
type schemaReader struct {
	at       *wire.Node // nil if there is none
	expected string
	problem  string // as the reader of JSON Schemas that OpenAI uses says it
}

// A keywordForm is what the value of a keyword may be.
type keywordForm int

const (
	oneSchema keywordForm = iota
	schemasByName
	schemaList
	nameList
	anyList
	aNumber
	aCount
	aFlag
	aText
)

// keywordForms are the keywords whose values are looked at. The texts for people, whose value is
// null where a library has none, are not among them.
var keywordForms = map[string]keywordForm{
	"properties": schemasByName, "patternProperties": schemasByName, "$defs": schemasByName, "definitions": schemasByName,
	"additionalProperties": oneSchema, "propertyNames": oneSchema, "contains": oneSchema, "not": oneSchema,
	"if": oneSchema, "then": oneSchema, "else": oneSchema, "items": oneSchema,
	"anyOf": schemaList, "oneOf": schemaList, "allOf": schemaList,
	"required": nameList, "enum": anyList,
	"minimum": aNumber, "maximum": aNumber, "multipleOf": aNumber,
	"minLength": aCount, "maxLength": aCount, "minItems": aCount, "maxItems": aCount, "minProperties": aCount, "maxProperties": aCount,
	"uniqueItems": aFlag,
	"pattern":     aText, "format": aText, "$ref": aText,
}

func (s *schemaReader) wrong(n *wire.Node, expected, problem string) {
	if s.at == nil {
		s.at, s.expected, s.problem = n, expected, problem
	}
}

// is notes a value that is of no such kind, in words for people and in those of JSON Schema.
func (s *schemaReader) is(n *wire.Node, right bool, expected, types string) bool {
	if !right {
		s.wrong(n, expected, pythonic(n)+" is not of type "+types)
	}
	return right
}

func (s *schemaReader) schema(n *wire.Node) {
	if s.is(n, n.Is(wire.Object) || n.Is(wire.Bool), "a schema", "'object', 'boolean'") {
		s.members(n, "")
	}
}

// members looks at the keywords of a schema, but for one.
func (s *schemaReader) members(schema *wire.Node, but string) {
	for _, m := range schema.Members {
		if s.at != nil || m.Key == but {
			continue
		}
		if form, known := keywordForms[m.Key]; known {
			s.keyword(form, m.Key, m.Value)
		} else if m.Key == "type" {
			s.typeWords(m.Value)
		}
	}
}

func (s *schemaReader) keyword(form keywordForm, key string, n *wire.Node) {
	switch form {
	case schemasByName:
		if s.is(n, n.Is(wire.Object), "an object of schemas", "'object'") {
			for _, m := range n.Members {
				s.schema(m.Value)
			}
		}
	case schemaList:
		if s.is(n, n.Is(wire.Array), "a list of schemas", "'array'") {
			s.each(n.Items, s.schema)
		}
	case oneSchema:
		if key == "items" && n.Is(wire.Array) { // of an older draft, about which there is a rule of its own
			s.each(n.Items, s.schema)
			return
		}
		s.schema(n)
	case nameList:
		if s.is(n, n.Is(wire.Array), "a list of names", "'array'") {
			s.each(n.Items, func(name *wire.Node) { s.is(name, name.Is(wire.String), "a name", "'string'") })
		}
	case anyList:
		s.is(n, n.Is(wire.Array), "a list", "'array'")
	case aNumber:
		s.is(n, n.Is(wire.Number), "a number", "'number'")
	case aCount:
		s.is(n, rules.SchemaKindOf(n) == "an integer", "a whole number", "'integer'")
	case aFlag:
		s.is(n, n.Is(wire.Bool), "true or false", "'boolean'")
	case aText:
		s.is(n, n.Is(wire.String), "a string", "'string'")
	}
}

func (s *schemaReader) each(list []*wire.Node, look func(*wire.Node)) {
	for _, n := range list {
		look(n)
	}
}

// schemaTypes are the types of JSON Schema.
var schemaTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

func (s *schemaReader) typeWords(n *wire.Node) {
	known := func(word *wire.Node) bool { return slices.Contains(schemaTypes, word.Text()) }
	right := known(n) || n.Is(wire.Array) && len(n.Items) > 0 && !slices.ContainsFunc(n.Items, func(word *wire.Node) bool { return !known(word) })
	if !right {
		s.wrong(n, "one of "+strings.Join(schemaTypes, ", "), pythonic(n)+" is not valid under any of the given schemas")
	}
}

// pythonic writes a value as OpenAI does in its errors about schemas.
func pythonic(n *wire.Node) string {
	switch n.Type() {
	case wire.Null:
		return "None"
	case wire.Bool:
		if n.True() {
			return "True"
		}
		return "False"
	case wire.String:
		return "'" + n.Text() + "'"
	case wire.Array:
		items := make([]string, len(n.Items))
		for i, item := range n.Items {
			items[i] = pythonic(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case wire.Object:
		members := make([]string, len(n.Members))
		for i, m := range n.Members {
			members[i] = "'" + m.Key + "': " + pythonic(m.Value)
		}
		return "{" + strings.Join(members, ", ") + "}"
	default:
		return string(n.Raw)
	}
}
