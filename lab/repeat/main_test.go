package main

import (
	"encoding/json"
	"slices"
	"testing"
)

func report(t *testing.T, text string) *judged {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	return newJudged(all)
}

func TestDifferences(t *testing.T) {
	first := report(t, `{"result":"conformant","started":"a","duration_ms":1,"cases":[{"id":"a","duration_ms":5,"verdicts":{"x":"failed"}},{"id":"b"}]}`)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"other times", `{"result":"conformant","started":"b","duration_ms":2,"cases":[{"id":"a","duration_ms":6,"verdicts":{"x":"failed"}},{"id":"b"}]}`, nil},
		{"another verdict", `{"result":"conformant","cases":[{"id":"a","verdicts":{"x":"untested"}},{"id":"b"}]}`, []string{"the case a"}},
		{"another result, and a case less", `{"result":"partial","cases":[{"id":"a","verdicts":{"x":"failed"}}]}`, []string{"the key result", "the case b"}},
	} {
		if got := first.differences(report(t, c.text)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDifferencesOfTraces(t *testing.T) {
	traced := func(trace string) *judged { return report(t, `{"cases":[{"id":"a","trace":`+trace+`}]}`) }
	for _, c := range []struct {
		name, first, other string
		same               bool
	}{
		{"the name of the run", `{"target":"/run/5e86704db336/v1/chat"}`, `{"target":"/run/aa1122334455/v1/chat"}`, true},
		{"a path", `{"target":"/run/5e86704db336/v1/chat"}`, `{"target":"/run/5e86704db336/v1/responses"}`, false},
		{"times", `{"at_ms":1}`, `{"at_ms":2}`, true},
		{"a measured time in a text", `{"actual":"4.02s of silence"}`, `{"actual":"4s of silence"}`, true},
		{"a time that is set", `{"expected":"a timeout of 2s"}`, `{"expected":"a timeout of 3s"}`, false},
		{"a port", `{"error":"dial 127.0.0.1:41069: refused"}`, `{"error":"dial 127.0.0.1:38083: refused"}`, true},
		{"an error", `{"error":"dial 127.0.0.1:41069: refused"}`, `{"error":"dial 127.0.0.1:41069: reset"}`, false},
		{"a date", `{"headers":{"Retry-After":"Fri, 27 Nov 2026 06:35:23 GMT"}}`, `{"headers":{"Retry-After":"Fri, 27 Nov 2026 06:35:40 GMT"}}`, true},
		{"the order of tools", `{"tools":[{"tool":"look"},{"tool":"find"}]}`, `{"tools":[{"tool":"find"},{"tool":"look"}]}`, true},
		{"a tool", `{"tools":[{"tool":"look"},{"tool":"find"}]}`, `{"tools":[{"tool":"look"},{"tool":"look"}]}`, false},
		{"a call more", `{"tools":[{"tool":"look"}]}`, `{"tools":[{"tool":"look"},{"tool":"look"}]}`, false},
		{"the order of requests", `{"requests":[{"method":"GET"},{"method":"POST"}]}`, `{"requests":[{"method":"POST"},{"method":"GET"}]}`, false},
	} {
		if found := traced(c.first).differences(traced(c.other)); (len(found) == 0) != c.same {
			t.Errorf("%s: the differences are %q", c.name, found)
		}
	}
}
