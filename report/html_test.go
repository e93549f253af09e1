package report_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/report"
)

func TestHTML(t *testing.T) {
	r := broken()
	r.Loop.Name = "<script>alert(1)</script>"
	text := written(t, r.WriteHTML)
	golden(t, "broken.html", text)
	if strings.Contains(text, "<script>alert") {
		t.Error("the name of the loop is not escaped")
	}
}

// The page names all failing cases of a rule, and has one anchor for each rule.
func TestHTMLNamesAllFailingCases(t *testing.T) {
	r := broken()
	r.DurationMS = 424_313
	text := written(t, r.WriteHTML)
	for _, want := range []string{
		"All 3 cases in which it is broken", "pairing/two-tools@chat/openai/sse", "pairing/eight-calls@chat/openai/json",
		"in 7 min 4 s, seed 41", "1 must is broken, 1 must is never tested, 1 should is broken", `<a href="#reasoning/empty-resent">`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, rule := range r.Rules {
		if n := strings.Count(text, ` id="`+rule.ID+`"`); n != 1 {
			t.Errorf("there are %d places to link to for %s", n, rule.ID)
		}
	}
}

// A report of requests to a mock provider says why it has no seed and no verdict on a loop.
func TestReportOfRequests(t *testing.T) {
	r := broken()
	r.Requests, r.Seed, r.Result = true, 0, report.NotConformant
	r.Rules = []report.Rule{{ID: "egress/no-private-fields", Level: report.Should, Verdict: report.Failed, Cases: 4, Failed: 1}}
	text := written(t, r.WriteHTML)
	for _, want := range []string{"There is no seed", "1 should is broken in 4 requests", "in 1 of 4 requests"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
	r.Rules = nil
	if text := written(t, r.WriteHTML); !strings.Contains(text, `<span class="failed">some requests could not be read`) {
		t.Errorf("of unreadable requests the page says\n%s", text)
	}
	r.Result = report.Partial
	if text := written(t, r.WriteHTML); !strings.Contains(text, "no rule is broken in 4 requests") || strings.Contains(text, "conformant</span>") {
		t.Errorf("of good requests the page says\n%s", text)
	}
}
