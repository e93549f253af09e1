package schemacheck

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// search returns where a value breaks a schema: the innermost places, which name what is wrong and
// not the rules that led there.
func (s *Schema) search(schema *jsonschema.Schema, value any, at string) []Problem {
	found := s.ownProblems(schema, value, at)
	if target := s.refs[schema]; target != nil {
		found = append(found, s.search(target, value, at)...)
	}
	for _, each := range schema.AllOf {
		found = append(found, s.search(each, value, at)...)
	}
	found = append(found, s.searchAny(schema, value, at)...)
	found = append(found, s.searchOne(schema, value, at)...)
	if schema.If != nil {
		then := schema.Then
		if len(s.search(schema.If, value, at)) > 0 {
			then = schema.Else
		}
		if then != nil {
			found = append(found, s.search(then, value, at)...)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		return append(found, s.searchObject(schema, value, at)...)
	case []any:
		return append(found, s.searchArray(schema, value, at)...)
	default:
		return found
	}
}

func (s *Schema) searchAny(schema *jsonschema.Schema, value any, at string) []Problem {
	var all []Problem
	for _, each := range schema.AnyOf {
		found := s.search(each, value, at)
		if len(found) == 0 {
			return nil
		}
		all = append(all, found...)
	}
	return all
}

func (s *Schema) searchOne(schema *jsonschema.Schema, value any, at string) []Problem {
	var all []Problem
	var fits []int
	for i, each := range schema.OneOf {
		found := s.search(each, value, at)
		if len(found) == 0 {
			fits = append(fits, i)
		}
		all = append(all, found...)
	}
	switch len(fits) {
	case 0:
		return all
	case 1:
		return nil
	default:
		return []Problem{{at, fmt.Sprintf("'oneOf' failed, subschemas %d, %d matched", fits[0], fits[1])}}
	}
}

func (s *Schema) searchObject(schema *jsonschema.Schema, object map[string]any, at string) []Problem {
	var found []Problem
	for key, value := range object {
		inside := string(jsontext.Pointer(at).AppendToken(key))
		if property := schema.Properties[key]; property != nil {
			found = append(found, s.search(property, value, inside)...)
		} else if more := schema.AdditionalProperties; more != nil && !refuses(more) && len(schema.PatternProperties) == 0 {
			found = append(found, s.search(more, value, inside)...)
		}
	}
	return found
}

func (s *Schema) searchArray(schema *jsonschema.Schema, array []any, at string) []Problem {
	var found []Problem
	first := slices.Concat(schema.PrefixItems, schema.ItemsArray)
	for i, value := range array {
		item := schema.Items
		if i < len(first) {
			item = first[i]
		}
		if item != nil {
			found = append(found, s.search(item, value, at+"/"+strconv.Itoa(i))...)
		}
	}
	return found
}

// refuses reports whether a schema is false, which the library reads as {"not": {}}.
func refuses(s *jsonschema.Schema) bool {
	return s.Not != nil && reflect.ValueOf(*s.Not).IsZero()
}

// sorted orders problems by their places, each once.
func sorted(all []Problem) []Problem {
	slices.SortFunc(all, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(all)
}
