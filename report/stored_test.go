package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/report"
)

// A stored report has the counts of all cases, and of each broken rule some cases, the best example
// with its exchange.
func TestStored(t *testing.T) {
	r := broken()
	for i := range 20 {
		r.Cases = append(r.Cases, one(fmt.Sprintf("pairing/s%d", i), "openai", "sse", dropped("call_b")))
		r.Cases = append(r.Cases, one(fmt.Sprintf("history/s%d", i), "openai", "sse"))
	}
	long := strings.Repeat("é", 4000)
	for i := range r.Cases {
		r.Cases[i].Trace = &report.Trace{Ending: "reported", Note: "the last lines of its standard error: /home/me/adapter.py", Requests: []report.TracedRequest{{Number: 1, Body: report.TracedBody{Text: long, Bytes: len(long)}}}}
	}
	stored := r.Stored()
	if n := len(stored.Cases); n != 4 || stored.CasesLeftOut != len(r.Cases)-n {
		t.Errorf("%d cases are stored and %d left out, of %d", n, stored.CasesLeftOut, len(r.Cases))
	}
	traced := 0
	for _, c := range stored.Cases {
		for id, v := range c.Verdicts {
			if v != report.Failed {
				t.Errorf("%s is stored with %s %s", c.ID, id, v)
			}
		}
		if c.Trace != nil {
			if c.Trace.Note != "" {
				t.Errorf("what the adapter printed is stored: %s", c.Trace.Note)
			}
			traced++
			if body := c.Trace.Requests[0].Body; len(body.Text) > 2000 || !body.Cut || body.Bytes != len(long) {
				t.Errorf("%s: a body of %d bytes, cut: %t", c.ID, len(body.Text), body.Cut)
			}
		}
	}
	if traced != 1 || stored.TracesLeftOut != len(r.Cases)-1 {
		t.Errorf("%d exchanges are stored, %d are left out; want that of the case that breaks both rules best", traced, stored.TracesLeftOut)
	}
	for i, rule := range stored.Rules {
		if rule.Cases != r.Rules[i].Cases || rule.Failed != r.Rules[i].Failed {
			t.Errorf("%s: other counts", rule.ID)
		}
		if told := rule.Text != ""; told != (rule.Verdict == report.Failed) {
			t.Errorf("%s %s: its text is %q", rule.ID, rule.Verdict, rule.Text)
		}
	}
	if r.Cases[0].Trace.Requests[0].Body.Cut || len(r.Cases[0].Verdicts) < 3 {
		t.Error("the report itself was changed")
	}
	var b bytes.Buffer
	if err := stored.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := report.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stored, again.Stored()); diff != "" {
		t.Error("storing a stored report changes it:", diff)
	}
}

func TestExample(t *testing.T) {
	r := broken()
	c, f := r.Example("pairing/every-call-answered")
	if c == nil || c.ID != "pairing/two-tools@chat/openai/json" || f.ProviderAnswer == nil || f.ProviderAnswer.Status != 400 {
		t.Errorf("the example is %+v", f)
	}
	for _, id := range []string{"pairing/ids-distinct", "no/such-rule"} {
		if c, _ := r.Example(id); c != nil {
			t.Errorf("%s has the example %s", id, c.ID)
		}
	}
}
