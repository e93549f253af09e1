package casereport

import "testing"

func TestPlainJSON(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`get_weather run with "{\"city\":\"Oslo\"}"`, `get_weather run with {"city":"Oslo"}`},
		{`look "{\"a\":\"}\\\"\"}", and "[\"b\"]"`, `look {"a":"}\""}, and ["b"]`},
		{`the text "It is \"4 C\"."`, `the text "It is \"4 C\"."`},
		{`run with "{\"city\":\"Os"… (200 characters)`, `run with "{\"city\":\"Os"… (200 characters)`},
		{`run with "{\"city\": }"`, `run with "{\"city\": }"`},
		{`run with "{}"`, `run with "{}"`},
	} {
		if got := plainJSON(c.text); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
