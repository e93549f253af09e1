package report_test

import (
	"io"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/report"
)

func TestComparison(t *testing.T) {
	after := broken()
	after.Loop.Version = "8.0.0"
	after.Rules[0].Verdict, after.Rules[0].Failed = report.Passed, 0
	after.Cases[2].Findings = after.Cases[2].Findings[1:]
	got := written(t, func(w io.Writer) error { return report.WriteComparison(w, broken(), after) })
	for _, want := range []string{
		"7.55.0", "8.0.0", "Rules whose verdicts differ", `<span class="failed">failed</span> → <span class="passed">passed</span>`,
		"<code>pairing/two-tools@chat/openai/json</code>", "not broken in this case", "Broken in both", "4 rules with the same verdict",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(got, "<svg"); n != 4 { // two rules, each in both
		t.Errorf("there are %d diagrams, want 4", n)
	}
}

func TestCaseIsDrawn(t *testing.T) {
	r := broken()
	if err := r.Cases[0].WriteSVG(io.Discard); err == nil {
		t.Error("a case without an exchange is drawn")
	}
	got := written(t, r.Cases[2].WriteSVG)
	for _, want := range []string{"<style>", "pairing/every-call-answered", "egress/no-private-fields", "OpenAI (openai) answers 400", "19 C"} {
		if !strings.Contains(got, want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
}

// Rules that are broken in the same cases are shown as of one cause, and so are those with the same
// error.
func TestCausesAreTogether(t *testing.T) {
	r := broken()
	for i := range r.Cases[:3] {
		r.Cases[i].Findings = append(r.Cases[i].Findings, report.Finding{Rule: "pairing/ids-distinct", Level: report.Must, Request: 2, Message: "an id twice"})
	}
	r.Rules[1].Verdict, r.Rules[1].Failed = report.Failed, 3
	if got := written(t, r.WriteHTML); !strings.Contains(got, "2 in the same cases, so probably of one cause") {
		t.Error("rules that are broken in the same cases are not together")
	}
}
