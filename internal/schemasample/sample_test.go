package schemasample_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/schemacheck"
	"github.com/loopproof/loopproof/internal/schemasample"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestSamples(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{"type":"object","properties":{"city":{"type":"string"},"degrees":{"type":"integer"},"dry":{"type":"boolean"}},"required":["city"]}`, `{"city":"city","degrees":1,"dry":true}`},
		{`{"type":"object","properties":{"unit":{"enum":[null,"C","F"]},"kind":{"const":"a"},"n":{"type":["null","number"]}}}`, `{"unit":"C","kind":"a","n":1}`},
		{`{"type":"array","items":{"type":"string"},"minItems":2}`, `["text","text"]`},
		{`{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false}`, `[1,"text"]`},
		{`{"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"next":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/node"}]}},"required":["name"]}},"$ref":"#/$defs/node"}`, ""},
		{`{"$defs":{"tree":{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"required":["all"]}},"$ref":"#/$defs/tree"}`, ""},
		{`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"null"}}}]}`, `{"a":"a","b":null}`},
		{`{"type":"integer","minimum":3}`, `3`},
		{`{"type":"integer","exclusiveMinimum":3,"multipleOf":5}`, `5`},
		{`{"type":"number","minimum":0,"maximum":0.5}`, ``},
		{`{"type":"integer","maximum":-4}`, `-4`},
		{`{"type":"number","exclusiveMaximum":1}`, `0`},
		{`{"type":"string","format":"date"}`, `"2026-01-01"`},
		{`{"type":"string","pattern":"^[A-Z]{3}-\\d+(x|y)?$"}`, `"AAA-1"`},
		{`{"type":"string","minLength":6}`, `"textaa"`},
		{`{"type":"string","maxLength":2}`, `"te"`},
		{`{"type":"object","properties":{"a":{"type":"string","default":"b"},"c":{"examples":[{"d":1}]}}}`, `{"a":"b","c":{"d":1}}`},
		{`{}`, `"text"`},
	} {
		got, err := schemasample.Of(wire.Parsed([]byte(c.schema)))
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
			continue
		}
		if c.want != "" && string(got) != c.want {
			t.Errorf("%s has the document %s, want %s", c.schema, got, c.want)
		}
		schema, err := schemacheck.Parse([]byte(c.schema))
		if err != nil {
			t.Fatal(err)
		}
		if problems, err := schema.Problems(got); err != nil || len(problems) > 0 {
			t.Errorf("%s is not fitted by %s: %v %v", c.schema, got, problems, err)
		}
	}
}

// Gemini writes types in capitals, and numbers as texts.
func TestSampleInTheFormOfGemini(t *testing.T) {
	got, err := schemasample.Of(wire.Parsed([]byte(`{"type":"OBJECT","properties":{"days":{"type":"ARRAY","minItems":"2","items":{"type":"NUMBER"}}}}`)))
	if err != nil || string(got) != `{"days":[1,1]}` {
		t.Errorf("%s %v", got, err)
	}
}

func TestNoSample(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"a":{"$ref":"#/$defs/a"}}}`: "refers to #/$defs/a, which is not in it",
		`{"$ref":"other.json"}`:                     "refers to other.json, which is not in it",
		`{"$ref":"#"}`:                              "has no end",
		`{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"required":["a","b"]}`: "has no end",
		`{"type":"string","pattern":"(?=a)"}`:                                     "the pattern at",
	} {
		if got, err := schemasample.Of(wire.Parsed([]byte(schema))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %s %v, want %s", schema, got, err, want)
		}
	}
}
