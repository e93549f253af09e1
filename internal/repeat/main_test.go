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

func TestTracesDiffer(t *testing.T) {
	traced := func(trace string) *judged { return report(t, `{"cases":[{"id":"a","trace":`+trace+`}]}`) }
	first := traced(`{"requests":[{"at_ms":1,"target":"/run/5e86704db336/v1/chat"}],"tools":[{"tool":"look","end_ms":2},{"tool":"find"}]}`)
	for _, c := range []struct {
		name, trace string
		same        bool
	}{
		{"another name of the run, other times, and parallel calls that began in another order", `{"requests":[{"at_ms":4,"target":"/run/aa1122334455/v1/chat"}],"tools":[{"tool":"find"},{"tool":"look","end_ms":3}]}`, true},
		{"another path", `{"requests":[{"target":"/run/5e86704db336/v1/responses"}],"tools":[{"tool":"look"},{"tool":"find"}]}`, false},
		{"another tool", `{"requests":[{"target":"/run/5e86704db336/v1/chat"}],"tools":[{"tool":"look"},{"tool":"look"}]}`, false},
		{"a call less", `{"requests":[{"target":"/run/5e86704db336/v1/chat"}],"tools":[{"tool":"look"}]}`, false},
		{"a request more", `{"requests":[{"target":"/run/5e86704db336/v1/chat"},{"target":"/run/5e86704db336/v1/chat"}],"tools":[{"tool":"look"},{"tool":"find"}]}`, false},
	} {
		if found := first.differences(traced(c.trace)); (len(found) == 0) != c.same {
			t.Errorf("%s: the differences are %q", c.name, found)
		}
	}
}
