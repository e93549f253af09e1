package gemini

import (
	"testing"
)

// TestArgumentsInOneLine: an event of a stream has one line, however the model laid out the
// arguments.
func TestArgumentsInOneLine(t *testing.T) {
	for written, want := range map[string]string{
		"{\n  \"city\": \"Oslo\"\n}":                 `{"city":"Oslo"}`,
		"{\"b\": 1.50,\r\n\"a\": [ 1, \"x\\ny\" ] }": `{"b":1.50,"a":[1,"x\ny"]}`,
		"{\"a\":1,\n\"a\":2}":                        `{"a":1,"a":2}`,
		`{ "city": "Oslo" }`:                         `{ "city": "Oslo" }`,
	} {
		if got := string(inOneLine(written)); got != want {
			t.Errorf("%s is written as %s, want %s", written, got, want)
		}
	}
}
