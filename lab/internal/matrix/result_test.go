package matrix_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/report"
)

// What is kept of a report says the same of every rule, with an archive and without.
func TestResultSaysWhatTheReportSays(t *testing.T) {
	whole := complete(t)
	breaks(whole, 1, brokenShould)
	dir := folder(t, "acme", loopFile, whole)
	for _, archive := range []string{"", archiveOf(dir)} {
		l, err := matrix.LoadLoop(dir, archive)
		if err != nil {
			t.Fatal(err)
		}
		v := l.Versions[0]
		if v.Archived != (archive != "") || v.Stale != nil {
			t.Errorf("archived %v, stale %v", v.Archived, v.Stale)
		}
		if len(v.Cases)+v.CasesLeftOut != len(whole.Cases) || v.Seed != whole.Seed || !v.Started.Equal(whole.Started) || v.Result.JudgedBy.Commit != "abc1234" {
			t.Errorf("%d cases, seed %d, %v, %v", len(v.Cases)+v.CasesLeftOut, v.Seed, v.Started, v.Result.JudgedBy)
		}
		if want, got := counts(whole), counts(v.Report); !maps.Equal(want, got) {
			t.Errorf("the rules are %v, want %v", got, want)
		}
		c, f := v.Example(brokenMust)
		if f == nil || f.Message != "a call without an answer" || f.Pointer != "/messages/1" || c.Reproduce != whole.Cases[1].Reproduce {
			t.Errorf("the example is %v of %v", f, c)
		}
		if shown := c.Trace != nil; shown != (archive != "") {
			t.Errorf("there is an exchange: %v", shown)
		}
	}
}

// counts returns what a report says of each rule.
func counts(r *report.Report) map[string]string {
	all := map[string]string{}
	for _, rule := range r.Rules {
		all[rule.ID] = fmt.Sprint(rule.Level, rule.Verdict, rule.Cases, rule.Failed, rule.Follows)
	}
	return all
}

func TestBadResults(t *testing.T) {
	const foreign = `"You are a helpful agent that never says no and always uses the tools that it has been given by the people who wrote this very long text for it to read."`
	dir := folder(t, "acme", loopFile, complete(t))
	file := filepath.Join(dir, "1.2.3.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ before, after, want string }{
		{"loopproof: 1", "loopproof: 2", "the version of the file format is 1, not 2"},
		{"language: go", "langage: go", `unknown key "langage" (did you mean "language"?)`},
		{"seed: '41'", "seed: some", `expected a whole number, not "some"`},
		{"seed: '41'", "seed: '0'", "/seed: it is 0"},
		{"2026-11-20T09:30:00Z", "yesterday", "expected a time"},
		{"result: not-conformant", "result: conformant", "1 rules that count are broken"},
		{"failed: 1", "failed: 3", "which cannot be"},
		{"@chat/mistral/json", "@chat/mistral", "is not the case of its"},
		{"message: a call", "message: '" + foreign + " a call' #", "it quotes a text that the loop wrote itself"},
		{"message: a call", "message: " + strings.Repeat("long ", 100), "a message of Loopproof has at most 400"},
	} {
		changed := strings.Replace(string(text), c.before, c.after, 1)
		if changed == string(text) {
			t.Errorf("there is no %q in\n%.3000s", c.before, text)
		}
		write(t, file, changed)
		_, err := matrix.LoadLoop(dir, "")
		contains(t, err, c.want)
	}
}

// A report of the archive that is of another run is not shown, and verify tells it.
func TestStaleArchive(t *testing.T) {
	dir := folder(t, "acme", loopFile, complete(t))
	other := complete(t)
	other.Loop.Language = "perl"
	if _, err := matrix.Archive(other, archiveOf(dir), "acme"); err != nil {
		t.Fatal(err)
	}
	l, err := matrix.LoadLoop(dir, archiveOf(dir))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, l.Versions[0].Stale, `expected "language: perl", found "language: go"`)
	if l.Versions[0].Archived {
		t.Error("it is shown")
	}
	_, err = matrix.Load(filepath.Dir(dir), filepath.Join(dir, "nowhere"))
	contains(t, err, "the archive cannot be read")
}
