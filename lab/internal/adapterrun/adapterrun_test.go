package adapterrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLastLines(t *testing.T) {
	if got := lastLines("a\nb\nc\n\n", 2); got != "        b\n        c" {
		t.Errorf("%q", got)
	}
	if got := lastLines("a", 2); got != "        a" {
		t.Errorf("%q", got)
	}
}

func TestCommandsAreLogged(t *testing.T) {
	log := filepath.Join(t.TempDir(), "run.log")
	err := Logged(t.Context(), log, []string{"sh", "-c", "echo out; echo err >&2; exit 3"})
	if code := exitCode(err); code != 3 {
		t.Errorf("exit code %d", code)
	}
	if err == nil || !strings.Contains(err.Error(), "more in "+log+":\n        out\n        err") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(log); string(text) != "out\nerr\n" {
		t.Errorf("the log has %q", text)
	}
	if code := exitCode(Logged(t.Context(), log, []string{"true"})); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if code := exitCode(Logged(t.Context(), log, []string{filepath.Join(t.TempDir(), "nothing")})); code != -1 {
		t.Errorf("exit code %d", code)
	}
}

func TestMissingReport(t *testing.T) {
	if _, err := ReadReport(filepath.Join(t.TempDir(), "report.json")); err == nil || !strings.Contains(err.Error(), "it wrote no report") {
		t.Error(err)
	}
}
