package schemas_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/mockprovider/schemas"
)

func TestCheck(t *testing.T) {
	const city = `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"array","items":{"type":"integer"}}},"required":["city"],"additionalProperties":false}`
	for _, c := range []struct{ name, schema, document, wrong string }{
		{"fits", city, `{"city":"Oslo","days":[1,2]}`, ""},
		{"a wrong type", city, `{"city":4}`, "at /city: got number, want string"},
		{"deep inside", city, `{"city":"Oslo","days":[1,"two"]}`, "at /days/1: got string, want integer"},
		{"a missing key", city, `{}`, "missing propert"},
		{"a key too many", city, `{"city":"Oslo","a":1}`, "additional propert"},
		{"no JSON", city, `Oslo`, "it is not JSON"},
		{"a schema that refers to itself", `{"$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}},"$ref":"#/$defs/n"}`, `{"next":{"next":4}}`, "at /next/next: "},
		{"a file is not read", `{"$ref":"file:///etc/passwd"}`, `{}`, ""},
		{"a URL is not read", `{"$ref":"http://127.0.0.1:1/schema.json"}`, `{}`, ""},
		{"no schema", `[]`, `{}`, ""},
		{"a pattern that Go does not read", `{"pattern":"(?<!a)b"}`, `"b"`, ""},
	} {
		err := schemas.Check([]byte(c.schema), []byte(c.document))
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %v, want %q", c.name, err, c.wrong)
		}
	}
}
