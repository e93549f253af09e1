package main

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/report"
)

func TestOpenQuestions(t *testing.T) {
	const reasoned = "- rule: retry/told-not-to\n  case: retry/told-not-to@**\n  reason: theirs\n"
	broken := failing("pairing/ids-present", report.Must)
	weak := failing("retry/told-not-to", report.Should)
	for name, c := range map[string]struct {
		list    string // "" is none
		result  *matrix.Result
		verdict string
		want    string // "" is nothing
	}{
		"a conformant loop":          {"", weak, "theirs", ""},
		"conformant no more":         {"", broken, "theirs", "l is not conformant any more, 1 must broken"},
		"each entry has a reason":    {reasoned, broken, "theirs", ""},
		"nobody has looked":          {reasoned, broken, matrix.NotExamined, "l: pairing/ids-present has no verdict in lab/results/l/loop.yaml"},
		"a should, neither":          {"", weak, matrix.NotExamined, "l: retry/told-not-to has no verdict"},
		"an entry without one":       {reasoned + "- rule: pairing/ids-echoed\n  case: pairing/single-call@**\n  reason: ''\n", broken, "theirs", "reason"},
		"a list that cannot be read": {"- rule: 3\n  rule: 4\n", broken, "theirs", "l: "},
		"a list that is not there":   {"-", broken, "theirs", "there is no known-failing list lab/adapters/go/l/known.yaml"},
		"no must broken, but a list": {reasoned, weak, "theirs", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			description := fmt.Sprintf("loopproof: 1\ntitle: L\nadapter: lab/adapters/go/l\nverdicts: {%s: {verdict: %s}}\n", c.result.Failed[0].Rule, c.verdict)
			if c.list != "" {
				description += "known-failing: known.yaml\n"
			}
			folder := path.Join(matrix.ResultsFolder, "l")
			for _, dir := range []string{"lab/adapters/go/l", folder} {
				if err := os.MkdirAll(dir, 0o777); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(path.Join(folder, matrix.LoopFileName), []byte(description), 0o666); err != nil {
				t.Fatal(err)
			}
			if c.list != "" && c.list != "-" {
				if err := os.WriteFile("lab/adapters/go/l/known.yaml", []byte(c.list), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := c.result.Write(folder); err != nil {
				t.Fatal(err)
			}
			unseen, err := renew()
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(unseen, "\n")
			if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !strings.Contains(read(t, matrix.ReadmeFile), "| [L](l/loop.yaml) | 1.2.3 | 9 |") {
				t.Error("it is not in the list of all loops")
			}
		})
	}
}

// A failure without a verdict is a question, and the list of all loops waits for it.
func TestMissingVerdictIsAQuestion(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := failing("pairing/ids-present", report.Must).Write("lab/results/l"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("lab/results/l/loop.yaml", []byte("loopproof: 1\ntitle: L\nadapter: lab/adapters/go/l\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	unseen, err := renew()
	if err != nil || len(unseen) != 1 || !strings.Contains(unseen[0], "breaks the must pairing/ids-present in 1.2.3, and there is no verdict") {
		t.Error(unseen, err)
	}
}

// failing is the result of a loop that breaks a rule.
func failing(rule string, level report.Level) *matrix.Result {
	result := report.Conformant
	if level == report.Must {
		result = report.NotConformant
	}
	return &matrix.Result{
		Format: 1, Name: "L", Version: "1.2.3", Language: "go", Played: "2026-11-20T09:30:00Z", JudgedBy: matrix.Judge{Version: loopproof.Version},
		Seed: "41", Result: result, Cases: 9, Claims: matrix.Claims{Dialects: []string{"chat"}},
		Failed: []matrix.Failed{{Rule: rule, Level: level, Failed: 1, Cases: 2, Example: "pairing/single-call@chat/openai/json", Message: "it does"}},
	}
}
