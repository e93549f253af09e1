package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/report"
)

// following is the report of a loop in which one violation of a must causes another one.
func following() *report.Report {
	r := broken()
	r.Rules[1] = report.Rule{ID: "pairing/repeated-ids-kept-apart", Level: report.Must, Verdict: report.Failed, Cases: 4, Failed: 2, Follows: 2, Description: about("Each turn keeps its own call.")}
	for _, i := range []int{1, 2} {
		r.Cases[i].Verdicts["pairing/repeated-ids-kept-apart"] = report.Failed
		r.Cases[i].Findings = append(r.Cases[i].Findings, report.Finding{
			Rule: "pairing/repeated-ids-kept-apart", Level: report.Must, Request: 2, Message: "the result is missing",
			Expected: "a result", Actual: "none", Because: "pairing/every-call-answered",
		})
	}
	return r
}

func TestFollowing(t *testing.T) {
	r := following()
	if got := r.Broken(report.Must); len(got) != 1 || got[0].ID != "pairing/every-call-answered" {
		t.Errorf("the musts that are broken are %+v", got)
	}
	if got := r.Cases[1].Because("pairing/repeated-ids-kept-apart"); got != "pairing/every-call-answered" {
		t.Errorf("it follows from %q", got)
	}
	if got := r.Cases[1].Because("pairing/every-call-answered"); got != "" {
		t.Errorf("the cause follows from %q", got)
	}
}

// TestConsequencesAreShownUnderTheirCause: in all formats, and counted separately.
func TestConsequencesAreShownUnderTheirCause(t *testing.T) {
	r := following()
	var console, markdown, html, junit bytes.Buffer
	for _, err := range []error{report.Console{}.Write(&console, r), r.WriteMarkdown(&markdown), r.WriteHTML(&html), r.WriteJUnit(&junit)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		what, text  string
		has, hasNot []string
	}{
		{"the console", console.String(), []string{
			"as a result  pairing/repeated-ids-kept-apart (must, 2 cases)",
			"1 must is broken",
			"as a result  1 must",
			"pairing/repeated-ids-kept-apart  in 2 of 4 cases, as a consequence",
		}, []string{"FAIL  pairing/repeated-ids-kept-apart", "2 musts are broken"}},
		{"markdown", markdown.String(), []string{"| failed | 1 | 1 |", "| as a result | 1 | 0 |", "as a result  pairing/repeated-ids-kept-apart"}, []string{"<code>pairing/repeated-ids-kept-apart</code> (must) broken"}},
		{"HTML", html.String(), []string{"<dt>as a result</dt><dd>pairing/repeated-ids-kept-apart (must, 2 cases)</dd>"}, []string{"<summary><span class=\"badge must\">must</span> <code>pairing/repeated-ids-kept-apart</code>"}},
		{"JUnit", junit.String(), []string{"broken as a result of another rule, and not counted: pairing/repeated-ids-kept-apart (must): the result is missing, which follows from pairing/every-call-answered"}, []string{"and 1 rule more"}},
	} {
		for _, words := range c.has {
			if !strings.Contains(c.text, words) {
				t.Errorf("%s does not say %q:\n%s", c.what, words, c.text)
			}
		}
		for _, words := range c.hasNot {
			if strings.Contains(c.text, words) {
				t.Errorf("%s says %q", c.what, words)
			}
		}
	}
}
