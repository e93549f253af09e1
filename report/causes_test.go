package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/report"
)

// threw is the report of a loop that threw the same error in many cases, so that it broke several
// rules, and that has another bug besides.
func threw() *report.Report {
	r := fine()
	r.Result = report.NotConformant
	failed := func(id string, level report.Level, cases int) report.Rule {
		return report.Rule{ID: id, Level: level, Verdict: report.Failed, Cases: 9, Failed: cases, Description: about("The rule " + id + ".")}
	}
	r.Rules = []report.Rule{
		failed("retry/waits", report.Must, 2), failed("execution/every-call-run", report.Must, 3), failed("stream/no-choices", report.Should, 1), failed("outcome/completed", report.Must, 1),
	}
	finding := func(rule string, level report.Level, message, reported string) report.Finding {
		return report.Finding{Rule: rule, Level: level, Request: 1, Message: message, Expected: "otherwise", Actual: "no run", Reported: reported}
	}
	r.Cases = nil
	for i, number := range []string{"17", "4", "23"} {
		thrown := "the loop failed: IndexError: no choice in chunk_" + number
		c := one("execution/calls-"+number, "openai", "sse", finding("execution/every-call-run", report.Must, "a call was not run", thrown))
		if i == 0 {
			for _, f := range []report.Finding{finding("stream/no-choices", report.Should, "a chunk without choices ended the run", thrown), finding("outcome/completed", report.Must, "not completed", thrown)} {
				c.Findings, c.Verdicts[f.Rule] = append(c.Findings, f), report.Failed
			}
		}
		r.Cases = append(r.Cases, c)
	}
	for _, scenario := range []string{"retry/a", "retry/b"} {
		r.Cases = append(r.Cases, one(scenario, "openai", "json", finding("retry/waits", report.Must, "asked again at once", "")))
	}
	return r
}

// TestTheCauseIsTold: what the loop itself reported is in each finding that follows from it, and
// rules with the same error are told together.
func TestTheCauseIsTold(t *testing.T) {
	r := threw()
	var console, short, markdown, html, junit bytes.Buffer
	for _, err := range []error{
		report.Console{}.Write(&console, r), report.Console{Short: true, More: "see the page"}.Write(&short, r),
		r.WriteMarkdown(&markdown), r.WriteHTML(&html), r.WriteJUnit(&junit),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	const said = "the loop failed: IndexError: no choice in chunk_17"
	for what, text := range map[string]string{
		"the console": console.String(), "a short console": short.String(), "markdown": markdown.String(), "HTML": html.String(), "JUnit": junit.String(),
	} {
		if !strings.Contains(text, said) {
			t.Errorf("%s does not say %q:\n%s", what, said, text)
		}
		inOrder(t, what, text, "execution/every-call-run", "outcome/completed")
	}
	inOrder(t, "the console", console.String(), "FAIL  execution/every-call-run", "FAIL  outcome/completed", "WARN  stream/no-choices", "FAIL  retry/waits")
	inOrder(t, "HTML", html.String(), "execution/every-call-run", "outcome/completed", "stream/no-choices", "retry/waits")
	inOrder(t, "a short console", short.String(),
		"FAIL  execution/every-call-run  must", "reported  "+said, "Failures in which the loop reported an error of this kind",
		"  FAIL  outcome/completed (1 of 9 cases): not completed", "  WARN  stream/no-choices (1 of 9 cases): a chunk without choices ended the run",
		"Other failures", "  FAIL  retry/waits (2 of 9 cases): asked again at once", "more  see the page", "failed  3 must, 1 should\n", "NOT CONFORMANT")
	if lines := strings.Count(short.String(), "\n"); lines > 40 {
		t.Errorf("%d lines do not fit on a screen", lines)
	}
}

// TestWhatTheFindingSaysIsNotRepeated: an error that is in Actual already, perhaps in several
// lines, is not told twice.
func TestWhatTheFindingSaysIsNotRepeated(t *testing.T) {
	for _, between := range []string{" ", "\n", "\r\n\t  "} {
		r := threw()
		for _, c := range r.Cases {
			f := &c.Findings[0]
			_, said, _ := strings.Cut(f.Reported, ": ")
			f.Actual = fmt.Sprintf("the loop reported failed: %q", strings.Replace(said, " ", between, 1))
		}
		var console bytes.Buffer
		if err := (report.Console{Short: true}).Write(&console, r); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(console.String(), "reported  the loop") {
			t.Errorf("the error is told twice:\n%s", console.String())
		}
	}
}

func inOrder(t *testing.T, what, text string, words ...string) {
	t.Helper()
	rest := text
	for _, w := range words {
		_, after, found := strings.Cut(rest, w)
		if !found {
			t.Errorf("%s does not say %q, or not in its place:\n%s", what, w, text)
			return
		}
		rest = after
	}
}
