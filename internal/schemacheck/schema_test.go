package schemacheck_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/loopproof/loopproof/internal/schemacheck"
)

const trip = `{
	"type": "object", "required": ["city", "days"], "additionalProperties": false,
	"properties": {
		"city": {"type": "string", "minLength": 2, "pattern": "^[A-Z]"},
		"days": {"type": "array", "items": {"type": "integer"}},
		"by": {"enum": ["train", "ship", 3, null]},
		"back": {"const": true},
		"stay": {"anyOf": [{"$ref": "#/$defs/hotel"}, {"type": ["null", "string"]}]},
		"class": {"oneOf": [{"type": "integer"}, {"type": "number"}, {"const": "first"}]},
		"no": false,
		"via": {"$ref": "#"},
		"notes": {"type": "object", "additionalProperties": {"type": "string"}}
	},
	"$defs": {"hotel": {
		"type": "object", "required": ["name"],
		"allOf": [{"if": {"properties": {"name": {"const": "Grand"}}}, "then": {"required": ["stars"]}, "else": {"properties": {"stars": {"type": "null"}}}}]
	}}
}`

// TestProblems: the places and the words are those of a library that says both. The command does
// not link it, since it takes long to start.
func TestProblems(t *testing.T) {
	schema, err := schemacheck.Parse([]byte(trip))
	if err != nil {
		t.Fatal(err)
	}
	reference := compiled(t, trip)
	for _, document := range []string{
		`{"city":"Oslo","days":[1]}`, `4`, `{}`, `{"city":4,"days":["one",2,2.5]}`, `{"city":"Oslo"}`, `{"city":"Oslo","days":[],"mood":"good"}`,
		`{"city":"Oslo","days":[],"by":"ship","back":true}`, `{"city":"Oslo","days":[],"by":"car","back":"it's"}`, `{"city":"Oslo","days":[],"by":null}`,
		`{"city":"Oslo","days":[],"stay":{"name":"Grand"}}`, `{"city":"Oslo","days":[],"stay":{"name":"Small","stars":4}}`, `{"city":"Oslo","days":[],"stay":4}`,
		`{"city":"Oslo","days":[],"stay":"a tent","class":1.5}`, `{"city":"Oslo","days":[],"class":1}`, `{"city":"Oslo","days":[],"class":"second"}`,
		`{"city":"Oslo","days":[],"via":{"city":"Bergen","days":[null],"via":{"days":{}}}}`, `{"city":"Oslo","days":[],"no":1}`,
		`{"city":"Oslo","days":[],"notes":{"a/b":1,"c~d":[],"e":"f"}}`,
	} {
		got, err := schema.Problems([]byte(document))
		if err != nil {
			t.Errorf("%s: %v", document, err)
		}
		if diff := cmp.Diff(problems(t, reference, document), got); diff != "" {
			t.Errorf("%s (-reference +got)\n%s", document, diff)
		}
	}
	for document, want := range map[string]string{
		`{"city":"O","days":[]}`:    "/city minLength: ",
		`{"city":"oslo","days":[]}`: "/city pattern: ",
	} {
		got, err := schema.Problems([]byte(document))
		if err != nil || len(got) != 1 || !strings.HasPrefix(got[0].Pointer+" "+got[0].Message, want) {
			t.Errorf("%s: %v, %v, want %s", document, got, err, want)
		}
	}
	for _, document := range []string{``, `{`, `{} {}`, `Oslo`} {
		if got, err := schema.Problems([]byte(document)); err == nil {
			t.Errorf("%s: is not JSON, and the problems are %v", document, got)
		}
	}
}

// TestOtherKeywords: a document that breaks a keyword whose place is not looked for is invalid all
// the same.
func TestOtherKeywords(t *testing.T) {
	for schema, document := range map[string]string{
		`{"not":{"type":"string"}}`:                         `"a"`,
		`{"contains":{"type":"string"}}`:                    `[1]`,
		`{"patternProperties":{"^a":{"type":"string"}}}`:    `{"ab":1}`,
		`{"propertyNames":{"maxLength":1}}`:                 `{"ab":1}`,
		`{"dependentSchemas":{"a":{"required":["b"]}}}`:     `{"a":1}`,
		`{"properties":{"a":1},"unevaluatedProperties":[]}`: "",
		`{"unevaluatedProperties":false}`:                   `{"a":1}`,
		`{"prefixItems":[{"type":"string"}],"items":false}`: `["a",1]`,
	} {
		s, err := schemacheck.Parse([]byte(schema))
		if document == "" {
			if err == nil {
				t.Errorf("%s is read", schema)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", schema, err)
			continue
		}
		if got, err := s.Problems([]byte(document)); err != nil || len(got) != 1 || got[0].Message == "" {
			t.Errorf("%s is broken by %s, and the problems are %v, %v", schema, document, got, err)
		}
	}
}

// TestSchemasThatAreNotRead: others, such as those that would take for ever, are errors.
func TestSchemasThatAreNotRead(t *testing.T) {
	for _, schema := range []string{
		`[]`, `"object"`, `{"type":4}`, `{"pattern":"(?<!a)b"}`, `{"$ref":"#/$defs/none"}`, `{"$ref":"file:///etc/passwd"}`, `{"$ref":"http://127.0.0.1:1/schema.json"}`,
		`{"$ref":"#"}`, `{"$dynamicRef":"#meta"}`, `{"allOf":[{"$ref":"#"}]}`, `{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"not":{"$ref":"#/$defs/a"}}}}`,
		`{"if":{"$ref":"#"}}`, `{"dependentSchemas":{"a":{"$ref":"#"}}}`, `{"$schema":"http://json-schema.org/draft-04/schema#"}`,
	} {
		if _, err := schemacheck.Parse([]byte(schema)); err == nil {
			t.Errorf("%s is read", schema)
		}
	}
	for _, schema := range []string{
		`true`, `{}`, `{"$schema":"http://json-schema.org/draft-07/schema#","type":"string"}`, `{"items":{"$ref":"#"}}`, `{"properties":{"a b":{"items":{"$ref":"#/properties/a%20b"}}}}`,
		`{"anyOf":[{"$ref":"#/$defs/a~1b"}],"$defs":{"a/b":{"type":"null"}}}`, `{"anyOf":[{"type":"null"},{"items":{"$ref":"#/anyOf/0"}}]}`, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}`,
	} {
		if _, err := schemacheck.Parse([]byte(schema)); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

func compiled(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("schema.json")
}

// problems returns what the reference finds.
func problems(t *testing.T, schema *jsonschema.Schema, document string) []schemacheck.Problem {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(document)))
	if err != nil {
		t.Fatal(err)
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(schema.Validate(doc), &invalid) {
		return nil
	}
	var all []schemacheck.Problem
	var collect func(e *jsonschema.ValidationError)
	collect = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			collect(cause)
		}
		if len(e.Causes) == 0 {
			pointer := ""
			for _, step := range e.InstanceLocation {
				pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
			}
			all = append(all, schemacheck.Problem{Pointer: pointer, Message: e.ErrorKind.LocalizedString(message.NewPrinter(language.English))})
		}
	}
	collect(invalid)
	slices.SortFunc(all, func(a, b schemacheck.Problem) int {
		return strings.Compare(a.Pointer+"\x00"+a.Message, b.Pointer+"\x00"+b.Message)
	})
	return slices.Compact(all)
}
