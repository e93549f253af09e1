package schemacheck

import (
	"encoding/json"
	"testing"
)

// TestKeepsSaysWhatTheLibrarySays: of plain schemas, and of each of many documents.
func TestKeepsSaysWhatTheLibrarySays(t *testing.T) {
	values := []string{
		`null`, `true`, `1`, `-0`, `1e3`, `2.5`, `""`, `"a"`, `"b"`, `[]`, `["a"]`, `["b",1]`, `{}`,
		`{"x":"a"}`, `{"x":"b"}`, `{"x":"b","y":1}`, `{"x":1,"y":2.5}`, `{"x":["a"],"y":null}`, `{"x":{"x":"a","y":"b"}}`, `{"x":{"x":{}}}`, `{"y":["a",["b"]]}`,
	}
	kept, broken := 0, 0
	for _, text := range []string{
		`{}`, `true`, `{"type":"integer"}`, `{"type":"number"}`, `{"type":["string","null"]}`, `{"type":["integer","array"]}`, `{"type":"object"}`, `{"type":"boolean"}`,
		`{"enum":["a"]}`, `{"enum":[]}`, `{"const":"b","title":"b","description":"b"}`,
		`{"pattern":"a"}`, `{"type":"string","pattern":"^$"}`, `{"properties":{"x":{"pattern":"^[b-z]"}}}`,
		`{"items":{"const":"a"}}`, `{"items":{"items":{"type":"string"}}}`,
		`{"required":["x"]}`, `{"required":["x","y"],"properties":{"y":{"type":"integer"}}}`, `{"properties":{"x":{"const":"a"}}}`,
		`{"allOf":[{"required":["x"]},{"properties":{"x":{"type":"string"}}}]}`, `{"anyOf":[{"type":"string"},{"required":["y"],"type":"object"}]}`,
		`{"if":{"properties":{"x":{"const":"a"}}},"then":{"type":"object"},"else":{"required":["y"]}}`,
		`{"if":{"properties":{"x":{"const":"b"}}},"then":{"required":["y"]}}`, `{"if":{"type":"array"},"else":{"type":"object"}}`, `{"then":{"type":"object"}}`,
		`{"$ref":"#/$defs/d","required":["y"],"$defs":{"d":{"properties":{"x":{"$ref":"#/$defs/d"}},"required":["x"]}}}`,
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://example.org/s","properties":{"x":{"$ref":"#"}},"type":["object","string"]}`,
	} {
		s, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(text, err)
		}
		if !s.plain {
			t.Errorf("%s is not plain", text)
		}
		for _, document := range values {
			var value any
			if err := json.Unmarshal([]byte(document), &value); err != nil {
				t.Fatal(err)
			}
			want := s.resolved.Validate(value)
			if got := s.keeps(s.root, value); got != (want == nil) {
				t.Errorf("%s keeps %s: %v, and the library says %v", document, text, got, want)
			}
			if want == nil {
				kept++
			} else {
				broken++
			}
		}
	}
	if kept < 100 || broken < 100 {
		t.Errorf("%d documents keep their schema and %d break it", kept, broken)
	}
}

// TestOtherSchemasAreNotPlain: whose keywords mean more, or something else.
func TestOtherSchemasAreNotPlain(t *testing.T) {
	for _, text := range []string{
		`false`, `{"properties":{"x":{"minimum":1}}}`, `{"items":[{"type":"string"}]}`, `{"enum":["a",1]}`, `{"const":null}`, `{"oneOf":[{}]}`,
		`{"additionalProperties":false}`, `{"$schema":"http://json-schema.org/draft-07/schema#","type":"string"}`, `{"$defs":{"d":{"$id":"https://example.org/d"}}}`,
		`{"allOf":[{"if":{"not":{}}}]}`, `{"nothingKnown":1}`,
	} {
		s, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(text, err)
		}
		if s.plain {
			t.Errorf("%s is plain", text)
		}
	}
}
