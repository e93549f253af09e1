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
