package matrix_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/report"
)

const statement = "statement: {by: The Acme team, url: \"https://example.com/pull/9\", date: 2026-12-01, text: We play it in CI.}\n"

var answered = strings.Replace(loopFile, "{verdict: a bug,", "{verdict: a bug, statement: \"Repaired in <2.1>\",", 1)

func TestStatement(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"about all":         {loopFile + statement, ""},
		"about a verdict":   {answered + strings.Replace(statement, ", text: We play it in CI.", "", 1), ""},
		"by nobody":         {answered, "a statement of a loop's authors says who they are (by) and where they said it (url)"},
		"says nothing":      {loopFile + strings.Replace(statement, ", text: We play it in CI.", "", 1), "it says nothing"},
		"no place":          {loopFile + strings.Replace(statement, "https://example.com/pull/9", "", 1), "where they said it"},
		"no link":           {loopFile + strings.Replace(statement, "https:", "javascript:", 1), "expected a URL that begins with https://"},
		"on no day":         {loopFile + strings.Replace(statement, "2026-12-01", "today", 1), "expected a date as in 2026-12-01"},
		"a key that is not": {loopFile + "statement: {from: us}\n", "unknown key"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := matrix.LoadLoop(folder(t, "acme", c.file, complete(t)), "")
			contains(t, err, c.want)
		})
	}
}

// The answer of the authors is beside the verdict, on each page that has it.
func TestStatementIsShown(t *testing.T) {
	dir := folder(t, "acme", answered+statement, complete(t))
	loops, err := matrix.Load(filepath.Dir(dir), "")
	if err != nil {
		t.Fatal(err)
	}
	site, err := matrix.Render(loops)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"loops/acme.html", "rules/" + brokenMust + ".html"} {
		if page := string(site[file]); !strings.Contains(page, "Its authors: <bdi>Repaired in &lt;2.1&gt;</bdi>") {
			t.Errorf("%s does not say what the authors say", file)
		}
	}
	if page := string(site["loops/acme.html"]); !strings.Contains(page, "What its authors say") || !strings.Contains(page, "https://example.com/pull/9") {
		t.Error("the page of the loop does not have their statement")
	}
	for _, want := range []string{"its authors: Repaired in <2.1>", "## What its authors say", "The Acme team, 2026-12-01: <https://example.com/pull/9>"} {
		if page := loops[0].Page(); !strings.Contains(page, want) {
			t.Errorf("the findings do not say %q", want)
		}
	}
}

// A result that somebody else reports is marked until this project has played it.
func TestSelfReported(t *testing.T) {
	r := complete(t)
	r.RulebookNumber = "2026.12"
	r.Levels = []report.LevelResult{
		{Level: "core", Dialect: "chat", Result: report.NotConformant, Broken: []string{brokenMust}},
		{Level: "streaming", Dialect: "chat", Result: report.Conformant},
	}
	dir := filepath.Join(t.TempDir(), "acme")
	file := filepath.Join(dir, "1.2.3.yaml")
	write(t, filepath.Join(dir, matrix.LoopFileName), loopFile)
	page := func(commit string) string {
		if _, err := matrix.Store(r, dir, commit); err != nil {
			t.Fatal(err)
		}
		loops, err := matrix.Load(filepath.Dir(dir), "")
		if err != nil {
			t.Fatal(err)
		}
		site, err := matrix.Render(loops)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"2026.12", "Chat Completions: 1 must broken", "</strong> conformant"} {
			if !strings.Contains(string(site["loops/acme.html"]), want) {
				t.Errorf("the page does not say %q", want)
			}
		}
		if strings.Contains(string(site["index.html"]), "self-reported") != (commit == "") {
			t.Errorf("the first page says the wrong thing about a result of the commit %q", commit)
		}
		return string(site["loops/acme.html"])
	}
	if !strings.Contains(page(""), "Self-reported") {
		t.Error("the result has no mark")
	}
	if differs, err := matrix.Confirmed(r, dir); err != nil || len(differs) > 0 {
		t.Error(differs, err)
	}
	r.Rules[1].Verdict = report.Untested
	if differs, err := matrix.Confirmed(r, dir); err != nil || len(differs) != 1 || !strings.Contains(differs[0], "is untested, and passed was reported") {
		t.Error(differs, err)
	}
	r.Rules[1].Verdict = report.Passed
	if strings.Contains(page("abc1234"), "Self-reported") {
		t.Error("the mark is still there")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.Replace(string(text), "  commit: abc1234\n", "", 1))
	_, err = matrix.LoadLoop(dir, "")
	contains(t, err, "/self-reported: a result is self-reported, or says by which commit")
}

func TestNewest(t *testing.T) {
	dir := filepath.Dir(folder(t, "acme", loopFile, complete(t)))
	n, err := matrix.ReadNewest(dir)
	if err != nil || n.Looked != "" {
		t.Fatal(n, err)
	}
	n.Looked = "2026-12-08"
	n.Set("acme", "acme 1.3.0", "it fell over", "2026-12-01")
	n.Set("acme", "acme 1.3.0", "it fell over again", "2026-12-08") // known since a week
	if err := n.Write(dir); err != nil {
		t.Fatal(err)
	}
	loops, err := matrix.Load(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	site, err := matrix.Render(loops)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"index.html":      "stale since 2026-12-01",
		"loops/acme.html": "Stale since 2026-12-01: <bdi>acme 1.3.0</bdi> could not be played: <bdi>it fell over again</bdi>",
	} {
		if !strings.Contains(string(site[file]), want) {
			t.Errorf("%s does not say %q", file, want)
		}
	}
	n.Remove("acme")
	n.Set("acne", "acne 1", "", "2026-12-08")
	if err := n.Write(dir); err != nil {
		t.Fatal(err)
	}
	_, err = matrix.Load(dir, "")
	contains(t, err, `there is no loop "acne"`)
	write(t, filepath.Join(dir, matrix.NewestFile), "loopproof: 1\nlooked: today\n")
	_, err = matrix.Load(dir, "")
	contains(t, err, `expected a date as in 2026-12-01, not "today"`)
}
