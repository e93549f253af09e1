package main

import (
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	for _, c := range []struct {
		file, profile string
		broken        int
		err           string
	}{
		{"testdata/small.yaml", "openai", 0, ""},
		{"testdata/small.yaml", "openrouter", 1, ""}, // its native_finish_reason
		{"testdata/small.yaml", "opnai", 0, `there is no profile "opnai"`},
		{"testdata/none.yaml", "openai", 0, "no such file"},
		{"main_test.go", "openai", 0, "main_test.go: "},
	} {
		var out strings.Builder
		broken, err := run(&out, c.file, c.profile)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s under %s: the error is %v", c.file, c.profile, err)
		}
		if broken != c.broken {
			t.Errorf("%s under %s: broken in %d ways, want %d:\n%s", c.file, c.profile, broken, c.broken, &out)
		}
	}
}
