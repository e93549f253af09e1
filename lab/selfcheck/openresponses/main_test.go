package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun: the tests are asked in their checkout for the address at which the profile answers, and
// their exit code is returned.
func TestRun(t *testing.T) {
	folder := t.TempDir()
	bun := filepath.Join(folder, "bun")
	script := `#!/bin/sh
echo "$PWD" "$@" > asked.txt
curl -s "$4/responses" -d '{"model":"m","input":"Go."}' > answer.json || exit 4
exit 3
`
	if err := os.WriteFile(bun, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	code, err := run(bun, "open-responses", folder, []string{"--verbose"})
	if err != nil || code != 3 {
		t.Fatalf("the exit code is %d, with the error %v, want 3", code, err)
	}
	for file, want := range map[string]string{"asked.txt": folder + " run bin/compliance-test.ts --base-url http://127.0.0.1:", "answer.json": `"text":"Yes."`} {
		data, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s has %s, with the error %v, want %s", file, data, err, want)
		}
	}
}

func TestRunFails(t *testing.T) {
	if _, err := run("bun", "open-respnses", t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), `"open-respnses"`) {
		t.Errorf("a profile that there is not: the error is %v", err)
	}
	if _, err := run("no-such-command", "open-responses", t.TempDir(), nil); err == nil {
		t.Error("a command that there is not: there is no error")
	}
}
