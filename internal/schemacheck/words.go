package schemacheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// check is what some keywords of a schema say of a value itself, without its parts, and the words
// for what is wrong.
type check struct {
	schema *jsonschema.Schema
	words  func(value any, invalid error) string
}

// resolvedCheck is a check that the library has prepared.
type resolvedCheck struct {
	check
	resolved *jsonschema.Resolved
}

// ownProblems returns what is wrong with a value itself.
func (s *Schema) ownProblems(schema *jsonschema.Schema, value any, at string) []Problem {
	var found []Problem
	for _, c := range s.checksOf(schema) {
		if err := c.resolved.Validate(value); err != nil {
			found = append(found, Problem{at, c.words(value, err)})
		}
	}
	return found
}

// checksOf returns the checks of a schema, which are prepared once: each item of a list needs them.
func (s *Schema) checksOf(schema *jsonschema.Schema) []resolvedCheck {
	if known, ok := s.checked.Load(schema); ok {
		return known.([]resolvedCheck)
	}
	var all []resolvedCheck
	for _, c := range checks(schema) {
		if resolved, err := c.schema.Resolve(nil); err == nil {
			all = append(all, resolvedCheck{c, resolved})
		}
	}
	s.checked.Store(schema, all)
	return all
}

// checks returns what a schema says of a value itself.
func checks(s *jsonschema.Schema) []check {
	if refuses(s) {
		return []check{{&jsonschema.Schema{Not: &jsonschema.Schema{}}, func(any, error) string { return "false schema" }}}
	}
	var all []check
	if types := typesOf(s); len(types) > 0 {
		all = append(all, check{&jsonschema.Schema{Types: types}, func(value any, _ error) string {
			return "got " + typeOf(value) + ", want " + strings.Join(types, " or ")
		}})
	}
	if s.Enum != nil {
		all = append(all, check{&jsonschema.Schema{Enum: s.Enum}, func(any, error) string { return oneOf("enum", s.Enum) }})
	}
	if s.Const != nil {
		all = append(all, check{&jsonschema.Schema{Const: s.Const}, func(any, error) string { return oneOf("const", []any{*s.Const}) }})
	}
	if len(s.Required) > 0 {
		all = append(all, check{&jsonschema.Schema{Required: s.Required}, func(value any, _ error) string { return missing(s.Required, value) }})
	}
	if s.AdditionalProperties != nil && refuses(s.AdditionalProperties) {
		all = append(all, check{onlyNames(s), func(value any, _ error) string { return tooMany(s, value) }})
	}
	return append(all, limits(s))
}

// limits checks sizes and forms.
func limits(s *jsonschema.Schema) check {
	only := &jsonschema.Schema{
		MultipleOf: s.MultipleOf, Minimum: s.Minimum, Maximum: s.Maximum, ExclusiveMinimum: s.ExclusiveMinimum, ExclusiveMaximum: s.ExclusiveMaximum,
		MinLength: s.MinLength, MaxLength: s.MaxLength, Pattern: s.Pattern,
		MinItems: s.MinItems, MaxItems: s.MaxItems, UniqueItems: s.UniqueItems,
		MinProperties: s.MinProperties, MaxProperties: s.MaxProperties, DependentRequired: s.DependentRequired,
	}
	return check{only, func(_ any, invalid error) string { return words(invalid) }}
}

// onlyNames returns a schema that allows the keys of another one, with any values.
func onlyNames(s *jsonschema.Schema) *jsonschema.Schema {
	anything := func(schemas map[string]*jsonschema.Schema) map[string]*jsonschema.Schema {
		all := map[string]*jsonschema.Schema{}
		for key := range schemas {
			all[key] = &jsonschema.Schema{}
		}
		return all
	}
	return &jsonschema.Schema{
		Properties: anything(s.Properties), PatternProperties: anything(s.PatternProperties),
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}

// words are those of the library for what is wrong, without the path of the schema.
func words(invalid error) string {
	text := invalid.Error()
	for {
		inner, cut := strings.CutPrefix(text, "validating ")
		if !cut {
			break
		}
		_, text, _ = strings.Cut(inner, ": ")
	}
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// typesOf returns the types that a schema allows, in the order in which they are told.
func typesOf(s *jsonschema.Schema) []string {
	allowed := s.Types
	if s.Type != "" {
		allowed = []string{s.Type}
	}
	order := []string{"null", "boolean", "number", "integer", "string", "array", "object"}
	return slices.DeleteFunc(order, func(t string) bool { return !slices.Contains(allowed, t) })
}

// typeOf returns the JSON type of a value.
func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	default:
		return "object"
	}
}

// missing names the keys that an object does not have.
func missing(required []string, value any) string {
	object, _ := value.(map[string]any)
	var names []string
	for _, name := range required {
		if _, there := object[name]; !there {
			names = append(names, quote(name))
		}
	}
	if len(names) == 1 {
		return "missing property " + names[0]
	}
	return "missing properties " + strings.Join(names, ", ")
}

// oneOf says which values a keyword allows, if they can be written in a line.
func oneOf(keyword string, values []any) string {
	var all []string
	for _, v := range values {
		switch v := v.(type) {
		case []any, map[string]any:
			return "'" + keyword + "' failed"
		case string:
			all = append(all, quote(v))
		default:
			all = append(all, fmt.Sprint(v))
		}
	}
	if len(all) == 1 {
		return "value must be " + all[0]
	}
	return "value must be one of " + strings.Join(all, ", ")
}

// tooMany names the keys of an object that a schema does not allow.
func tooMany(s *jsonschema.Schema, value any) string {
	object, _ := value.(map[string]any)
	var names []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if s.Properties[name] == nil {
			names = append(names, quote(name))
		}
	}
	return "additional properties " + strings.Join(names, ", ") + " not allowed"
}

// quote writes a text in single quotes.
func quote(text string) string {
	text = fmt.Sprintf("%q", text)
	text = strings.ReplaceAll(text, `\"`, `"`)
	return "'" + strings.ReplaceAll(text[1:len(text)-1], `'`, `\'`) + "'"
}
