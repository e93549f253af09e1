package schemacheck_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// TestProblems: each place at which a document breaks a schema is told, and in which way.
func TestProblems(t *testing.T) {
	schema, err := schemacheck.Parse([]byte(trip))
	if err != nil {
		t.Fatal(err)
	}
	for document, want := range map[string][]schemacheck.Problem{
		`{"city":"Oslo","days":[1]}`:      nil,
		`4`:                               {{"", `got number, want object`}},
		`{}`:                              {{"", `missing properties 'city', 'days'`}},
		`{"city":4,"days":["one",2,2.5]}`: {{"/city", `got number, want string`}, {"/days/0", `got string, want integer`}, {"/days/2", `got number, want integer`}},
		`{"city":"Oslo"}`:                 {{"", `missing property 'days'`}},
		`{"city":"Oslo","days":[],"mood":"good"}`:                                           {{"", `additional properties 'mood' not allowed`}},
		`{"city":"Oslo","days":[],"by":"ship","back":true}`:                                 nil,
		`{"city":"Oslo","days":[],"by":"car","back":"it's"}`:                                {{"/back", `value must be true`}, {"/by", `value must be one of 'train', 'ship', 3, <nil>`}},
		`{"city":"Oslo","days":[],"by":null}`:                                               nil,
		`{"city":"Oslo","days":[],"stay":{"name":"Grand"}}`:                                 {{"/stay", `got object, want null or string`}, {"/stay", `missing property 'stars'`}},
		`{"city":"Oslo","days":[],"stay":{"name":"Small","stars":4}}`:                       {{"/stay", `got object, want null or string`}, {"/stay/stars", `got number, want null`}},
		`{"city":"Oslo","days":[],"stay":4}`:                                                {{"/stay", `got number, want null or string`}, {"/stay", `got number, want object`}},
		`{"city":"Oslo","days":[],"stay":"a tent","class":1.5}`:                             nil,
		`{"city":"Oslo","days":[],"class":1}`:                                               {{"/class", `'oneOf' failed, subschemas 0, 1 matched`}},
		`{"city":"Oslo","days":[],"class":"second"}`:                                        {{"/class", `got string, want integer`}, {"/class", `got string, want number`}, {"/class", `value must be 'first'`}},
		`{"city":"Oslo","days":[],"via":{"city":"Bergen","days":[null],"via":{"days":{}}}}`: {{"/via/days/0", `got null, want integer`}, {"/via/via", `missing property 'city'`}, {"/via/via/days", `got object, want array`}},
		`{"city":"Oslo","days":[],"no":1}`:                                                  {{"/no", `false schema`}},
		`{"city":"Oslo","days":[],"notes":{"a/b":1,"c~d":[],"e":"f"}}`:                      {{"/notes/a~1b", `got number, want string`}, {"/notes/c~0d", `got array, want string`}},
	} {
		got, err := schema.Problems([]byte(document))
		if err != nil {
			t.Errorf("%s: %v", document, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", document, diff)
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
