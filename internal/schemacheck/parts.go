package schemacheck

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// named returns the schemas of a keyword whose value is an object of schemas.
func named(s *jsonschema.Schema, keyword string) map[string]*jsonschema.Schema {
	switch keyword {
	case "$defs":
		return s.Defs
	case "definitions":
		return s.Definitions
	case "properties":
		return s.Properties
	case "patternProperties":
		return s.PatternProperties
	case "dependentSchemas":
		return s.DependentSchemas
	case "dependencies":
		return s.DependencySchemas
	default:
		return nil
	}
}

// listed returns the schemas of a keyword whose value is an array of schemas.
func listed(s *jsonschema.Schema, keyword string) []*jsonschema.Schema {
	switch keyword {
	case "allOf":
		return s.AllOf
	case "anyOf":
		return s.AnyOf
	case "oneOf":
		return s.OneOf
	case "prefixItems":
		return s.PrefixItems
	case "items":
		return s.ItemsArray
	default:
		return nil
	}
}

// single returns the schema of a keyword whose value is a schema, or nil.
func single(s *jsonschema.Schema, keyword string) *jsonschema.Schema {
	switch keyword {
	case "items":
		return s.Items
	case "additionalProperties":
		return s.AdditionalProperties
	case "additionalItems":
		return s.AdditionalItems
	case "contains":
		return s.Contains
	case "propertyNames":
		return s.PropertyNames
	case "unevaluatedItems":
		return s.UnevaluatedItems
	case "unevaluatedProperties":
		return s.UnevaluatedProperties
	case "contentSchema":
		return s.ContentSchema
	case "not":
		return s.Not
	case "if":
		return s.If
	case "then":
		return s.Then
	case "else":
		return s.Else
	default:
		return nil
	}
}

// The keywords whose values are schemas. Those of the first list apply to the same value as the
// schema that has them, those of the second to parts of it, or to none.
var (
	forTheSame = []string{"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"}
	forParts   = []string{
		"$defs", "definitions", "properties", "patternProperties", "prefixItems", "items", "additionalItems", "contains",
		"additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema",
	}
)

// of returns the schemas that a schema has by some keywords.
func of(s *jsonschema.Schema, keywords []string) []*jsonschema.Schema {
	var all []*jsonschema.Schema
	for _, keyword := range keywords {
		for _, child := range named(s, keyword) {
			all = append(all, child)
		}
		all = append(all, listed(s, keyword)...)
		all = append(all, single(s, keyword))
	}
	return slices.DeleteFunc(all, func(child *jsonschema.Schema) bool { return child == nil })
}

// children returns all schemas within a schema.
func children(s *jsonschema.Schema) []*jsonschema.Schema {
	return append(of(s, forTheSame), of(s, forParts)...)
}

// besides returns the schemas that a schema applies to the same value as itself.
func (s *Schema) besides(schema *jsonschema.Schema) []*jsonschema.Schema {
	all := of(schema, forTheSame)
	if target := s.refs[schema]; target != nil {
		all = append(all, target)
	}
	return all
}

// lookUp finds the part of a schema that a reference names.
func lookUp(root *jsonschema.Schema, ref string) (*jsonschema.Schema, error) {
	pointer, within := strings.CutPrefix(ref, "#")
	pointer, err := url.PathUnescape(pointer)
	if !within || err != nil || pointer != "" && pointer[0] != '/' {
		return nil, fmt.Errorf("the $ref %q is no JSON pointer into the schema", ref)
	}
	if pointer == "" {
		return root, nil
	}
	found, steps := root, slices.Collect(jsontext.Pointer(pointer).Tokens())
	for len(steps) > 0 {
		var taken int
		if found, taken = step(found, steps); found == nil {
			return nil, fmt.Errorf("the $ref %q leads nowhere", ref)
		}
		steps = steps[taken:]
	}
	return found, nil
}

// step follows the first steps of a pointer, and says how many it took.
func step(s *jsonschema.Schema, steps []string) (*jsonschema.Schema, int) {
	if child := single(s, steps[0]); child != nil {
		return child, 1
	}
	if len(steps) == 1 {
		return nil, 1
	}
	key := steps[1]
	if child := named(s, steps[0])[key]; child != nil {
		return child, 2
	}
	list := listed(s, steps[0])
	if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(list) {
		return list[i], 2
	}
	return nil, 2
}
