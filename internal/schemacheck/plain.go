package schemacheck

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// isPlain reports whether a schema, with all within it, has only the keywords that [Schema.keeps]
// knows.
func isPlain(root *jsonschema.Schema) bool {
	unnamed := *root
	unnamed.ID, unnamed.Schema = "", ""                 // within it, they would change what a $ref refers to
	draft7 := strings.Contains(root.Schema, "draft-07") // there, keywords beside a $ref count for nothing
	return !draft7 && hasPlainKeywords(&unnamed)
}

func hasPlainKeywords(s *jsonschema.Schema) bool {
	others := *s
	others.Title, others.Description, others.PropertyOrder = "", "", nil
	others.Ref, others.Defs, others.Definitions = "", nil, nil
	others.Type, others.Types, others.Enum, others.Const = "", nil, nil, nil
	others.Pattern = ""
	others.Items, others.Required, others.Properties = nil, nil, nil
	others.AllOf, others.AnyOf, others.If, others.Then, others.Else = nil, nil, nil, nil, nil
	constants := slices.Clone(s.Enum)
	if s.Const != nil {
		constants = append(constants, *s.Const)
	}
	return reflect.ValueOf(others).IsZero() &&
		!slices.ContainsFunc(constants, func(c any) bool { _, is := c.(string); return !is }) &&
		!slices.ContainsFunc(children(s), func(child *jsonschema.Schema) bool { return !hasPlainKeywords(child) })
}

// keeps reports whether a value keeps a plain schema. It says the same as the library, which makes
// the text of an error of each `if` that does not apply and of each of `anyOf` that does not fit:
// for the records of loops that took a tenth of the time of a run.
func (s *Schema) keeps(schema *jsonschema.Schema, value any) bool {
	breaks := func(each *jsonschema.Schema) bool { return !s.keeps(each, value) }
	switch {
	case schema.Ref != "" && breaks(s.refs[schema]),
		!hasType(schema, value),
		!s.matches(schema, value),
		schema.Enum != nil && !slices.Contains(schema.Enum, value),
		schema.Const != nil && *schema.Const != value,
		slices.ContainsFunc(schema.AllOf, breaks),
		schema.AnyOf != nil && !slices.ContainsFunc(schema.AnyOf, func(each *jsonschema.Schema) bool { return !breaks(each) }):
		return false
	}
	if schema.If != nil {
		then := schema.Then
		if breaks(schema.If) {
			then = schema.Else
		}
		if then != nil && breaks(then) {
			return false
		}
	}
	switch value := value.(type) {
	case map[string]any:
		return s.keepsMembers(schema, value)
	case []any:
		return schema.Items == nil || !slices.ContainsFunc(value, func(item any) bool { return !s.keeps(schema.Items, item) })
	default:
		return true
	}
}

// matches reports whether a value matches the pattern of a schema, which speaks of strings alone.
func (s *Schema) matches(schema *jsonschema.Schema, value any) bool {
	text, is := value.(string)
	pattern := s.patterns[schema]
	return !is || pattern == nil || pattern.MatchString(text)
}

func (s *Schema) keepsMembers(schema *jsonschema.Schema, object map[string]any) bool {
	for _, key := range schema.Required {
		if _, has := object[key]; !has {
			return false
		}
	}
	for key, property := range schema.Properties {
		if value, has := object[key]; has && !s.keeps(property, value) {
			return false
		}
	}
	return true
}

// hasType reports whether a value is of a type that a schema names, or the schema names none.
func hasType(schema *jsonschema.Schema, value any) bool {
	if schema.Type == "" && schema.Types == nil {
		return true
	}
	kind, number := typeOf(value), 0.5
	if n, is := value.(float64); is {
		number = n
	}
	is := func(named string) bool { return named == kind || named == "integer" && number == math.Trunc(number) }
	return is(schema.Type) || slices.ContainsFunc(schema.Types, is)
}
