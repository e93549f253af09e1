package report_test

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/ginkgo/v2/reporters"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

var update = flag.Bool("update", false, "write the files under testdata again")

// golden compares a text with a file under testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not what is rendered (-file +rendered); -update writes it again:\n%s", name, diff)
	}
}

func TestRenderings(t *testing.T) {
	strict, stopped, partial := broken(), broken(), fine()
	strict.Strict = true
	stopped.Stopped = "the loop hung in 3 cases in a row; the other 911 cases were not played"
	partial.Result = report.Partial
	tests := []struct {
		file    string
		report  *report.Report
		console report.Console
	}{
		{"broken.txt", broken(), report.Console{}},
		{"broken-colour.txt", broken(), report.Console{Colour: true}},
		{"broken-narrow.txt", broken(), report.Console{Width: 60}},
		{"strict.txt", strict, report.Console{}},
		{"stopped.txt", stopped, report.Console{Expected: func(string, string) bool { return true }}},
		{"fine.txt", fine(), report.Console{}},
		{"partial.txt", partial, report.Console{}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			var b bytes.Buffer
			if err := tt.console.Write(&b, tt.report); err != nil {
				t.Fatal(err)
			}
			golden(t, tt.file, b.Bytes())
		})
	}
}

// A loop that does almost nothing leaves most rules untested: the summary stays short.
func TestManyUntestedRules(t *testing.T) {
	r := fine()
	for i := range 300 {
		id := fmt.Sprintf("a%d/r%d", i/20, i)
		r.Rules = append(r.Rules, report.Rule{ID: id, Level: trace.Must, Verdict: trace.Untested, Description: about("It holds.")})
	}
	text := summary(t, r)
	if n := strings.Count(text, " needs "); n != 5 {
		t.Errorf("of %d rules is told what they need, want 5:\n%s", n, text)
	}
	if n := strings.Count(text, "\n"); n > 30 {
		t.Errorf("the summary has %d lines, want at most 30:\n%s", n, text)
	}
	if !regexp.MustCompile(`and \d+ more\n`).MatchString(text) {
		t.Errorf("it is not told how many more there are:\n%s", text)
	}
}

func summary(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := (report.Console{}).WriteSummary(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Rules that are not judged because the loop does not claim them take one line.
func TestUnclaimedRules(t *testing.T) {
	r := fine()
	r.Claims.Unclaimed = []protocol.Feature{protocol.Transcript, protocol.Events, protocol.Retries}
	for i := range 40 {
		needs := r.Claims.Unclaimed[i%3]
		r.Rules = append(r.Rules, report.Rule{ID: fmt.Sprintf("record/rule-%d", i), Level: trace.Must, Verdict: trace.Unclaimed, Description: about("It holds.", needs)})
	}
	want := "  unclaimed  transcript, events, retries (40 rules are not judged)\n"
	if text := summary(t, r); !strings.Contains(text, want) {
		t.Errorf("the summary does not say %q:\n%s", want, text)
	}
}

// The result is the last line, so that it is what a terminal shows.
func TestTheResultComesLast(t *testing.T) {
	for want, r := range map[string]*report.Report{
		"NOT CONFORMANT  openai-node runTools 7.55.0 (javascript): 1 must is broken, 1 must is never tested, 1 should is broken": broken(),
		"CONFORMANT  openai-node runTools 7.55.0 (javascript): all 2 rules kept in 1 case":                                       fine(),
	} {
		var b bytes.Buffer
		if err := (report.Console{Width: 200}).Write(&b, r); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
		if got := lines[len(lines)-1]; got != want {
			t.Errorf("the last line is %q, want %q", got, want)
		}
	}
}

// A provider line is about its own violation, not about another one in the same request.
func TestNoForeignProviderLine(t *testing.T) {
	r := broken()
	for i := range r.Cases {
		r.Cases[i].ProviderAnswer = &report.Answer{Status: 400, Message: "something else", Rule: "egress/tool-shape", Request: 2}
	}
	var b bytes.Buffer
	if err := (report.Console{}).WriteFailures(&b, r); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "something else") {
		t.Errorf("the provider's answer to another violation is shown:\n%s", b.String())
	}
}

// A violation of an info rule has the label INFO.
func TestInfosAreHeadedSo(t *testing.T) {
	r := broken()
	for i := range r.Rules {
		if r.Rules[i].ID == "egress/no-private-fields" {
			r.Rules[i].Level = trace.Info
		}
	}
	for i := range r.Cases {
		for k := range r.Cases[i].Findings {
			if f := &r.Cases[i].Findings[k]; f.Rule == "egress/no-private-fields" {
				f.Level = trace.Info
			}
		}
	}
	var b bytes.Buffer
	if err := (report.Console{}).WriteFailures(&b, r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "INFO  egress/no-private-fields  info\n") {
		t.Errorf("it is not headed INFO:\n%s", b.String())
	}
}

// The order of the parts of a failure is a contract.
func TestOrderOfAFailure(t *testing.T) {
	var b bytes.Buffer
	if err := (report.Console{}).WriteFailures(&b, broken()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, part := range []string{
		"FAIL  pairing/every-call-answered  must", ", and 2 more", "We answered with 2 tool calls", everyCallAnswered.Text,
		"expected  ", "actual  ", "request 2  /messages/1/tool_calls", `{"role":"assistant"`, "provider  OpenAI (openai) answers 400: An assistant message",
		"source  https://", "reproduce  loopproof run --case pairing/two-tools@chat/openai/json", "explain  loopproof explain pairing/every-call-answered",
		"WARN  egress/no-private-fields  should",
	} {
		_, rest, found := strings.Cut(text, part)
		if !found {
			t.Fatalf("%q is missing, or is not where it should, in:\n%s", part, b.String())
		}
		text = rest
	}
}

// One failure of a rule is expected: the example is another one, and the expected one is not counted.
func TestExpectedFailuresAreNotDescribed(t *testing.T) {
	c := report.Console{Expected: func(rule, caseID string) bool {
		return rule == "egress/no-private-fields" || caseID == "pairing/two-tools@chat/openai/json"
	}}
	var b bytes.Buffer
	if err := c.WriteFailures(&b, broken()); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "in pairing/eight-calls@chat/openai/json, and 1 more") || strings.Contains(text, "egress/") {
		t.Errorf("the expected failures are described:\n%s", text)
	}
}

// A report is rendered from its own data alone, also if this version has other rules.
func TestRulesThatThisVersionDoesNotHave(t *testing.T) {
	r := broken()
	renamed := func(rule string) string { return "later/" + strings.ReplaceAll(rule, "/", "-") }
	for i := range r.Rules {
		r.Rules[i].ID = renamed(r.Rules[i].ID)
	}
	for i := range r.Cases {
		for k := range r.Cases[i].Findings {
			r.Cases[i].Findings[k].Rule = renamed(r.Cases[i].Findings[k].Rule)
		}
	}
	var written, console, junit, markdown bytes.Buffer
	if err := r.Write(&written); err != nil {
		t.Fatal(err)
	}
	r, err := report.Read(&written)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{report.Console{Width: 300}.Write(&console, r), r.WriteJUnit(&junit), r.WriteMarkdown(&markdown)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	page := html(t, r)
	always := []string{everyCallAnswered.Text, everyCallAnswered.Sources[0].URL, emptyResent.Evidence}
	for _, shown := range []struct {
		file, text string
		want       []string
	}{
		{"the console", console.String(), always},
		{"junit.xml", junit.String(), append(always, "not claimed: 1 rule is not judged")},
		{"summary.md", markdown.String(), always},
		{"report.html", page, append(always, everyCallAnswered.Why, everyCallAnswered.Sources[0].Says, noPrivateFields.Why)},
	} {
		text := strings.Join(strings.Fields(shown.text), " ")
		for _, want := range shown.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", shown.file, want, shown.text)
			}
		}
	}
}

func TestJUnit(t *testing.T) {
	strict := broken()
	strict.Strict = true
	strict.Stopped = "the loop hung in 3 cases in a row"
	for file, r := range map[string]*report.Report{"broken.xml": broken(), "strict.xml": strict} {
		var b bytes.Buffer
		if err := r.WriteJUnit(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, file, b.Bytes())
	}
}

func TestJUnitCounts(t *testing.T) {
	var b bytes.Buffer
	if err := broken().WriteJUnit(&b); err != nil {
		t.Fatal(err)
	}
	var suites reporters.JUnitTestSuites
	if err := xml.Unmarshal(b.Bytes(), &suites); err != nil {
		t.Fatal(err)
	}
	// 4 cases, a must untested and 3 features unclaimed; 3 cases break a must, the should is told.
	if suites.Tests != 8 || suites.Failures != 4 || suites.Disabled != 3 || suites.Errors != 0 {
		t.Errorf("tests %d, failures %d, skipped %d, errors %d; want 8, 4, 3, 0", suites.Tests, suites.Failures, suites.Disabled, suites.Errors)
	}
}

func TestMarkdown(t *testing.T) {
	for file, r := range map[string]*report.Report{"broken.md": broken(), "fine.md": fine()} {
		var b bytes.Buffer
		if err := r.WriteMarkdown(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, file, b.Bytes())
	}
}

func TestHTML(t *testing.T) {
	r := broken()
	r.Loop.Name = "<script>alert(1)</script>"
	var b bytes.Buffer
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "broken.html", b.Bytes())
	if strings.Contains(b.String(), "<script>alert") {
		t.Error("the name of the loop is not escaped")
	}
}

// The page names all failing cases of a rule, and has one anchor for each rule.
func TestHTMLNamesAllFailingCases(t *testing.T) {
	r := broken()
	r.DurationMS = 424_313
	text := html(t, r)
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
	r.Rules = []report.Rule{{ID: "egress/no-private-fields", Level: trace.Should, Verdict: trace.Failed, Cases: 4, Failed: 1}}
	text := html(t, r)
	for _, want := range []string{"There is no seed", "1 should is broken in 4 requests", "in 1 of 4 requests"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
	r.Rules = nil
	if text := html(t, r); !strings.Contains(text, `<span class="failed">some requests could not be read`) {
		t.Errorf("of unreadable requests the page says\n%s", text)
	}
	r.Result = report.Partial
	if text := html(t, r); !strings.Contains(text, "no rule is broken in 4 requests") || strings.Contains(text, "conformant</span>") {
		t.Errorf("of good requests the page says\n%s", text)
	}
}

func html(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A request may contain the fence of a code block.
func TestMarkdownFence(t *testing.T) {
	r := broken()
	r.Cases[2].Findings[0].Exhibit = "{\"content\":\"```\"}"
	var b bytes.Buffer
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "\n````text\n") {
		t.Errorf("the block ends at the fence in it:\n%s", b.String())
	}
}

func TestWriteDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := broken().WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	back, err := report.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(broken(), back); diff != "" {
		t.Errorf("report.json is read otherwise than it was written:\n%s", diff)
	}
	for _, name := range []string{"junit.xml", "report.html", "summary.md", "badge.json"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s was not written: %v", name, err)
		}
	}
	if err := broken().WriteDir(filepath.Join(dir, "report.json")); err == nil {
		t.Error("a report was written into a file")
	}
}

func TestBadge(t *testing.T) {
	for result, want := range map[report.Result]string{
		report.Conformant:    `{"schemaVersion":1,"label":"loopproof","message":"conformant","color":"brightgreen"}`,
		report.Partial:       `{"schemaVersion":1,"label":"loopproof","message":"partial","color":"yellow"}`,
		report.NotConformant: `{"schemaVersion":1,"label":"loopproof","message":"not conformant","color":"red"}`,
	} {
		var b bytes.Buffer
		if err := (&report.Report{Result: result}).WriteBadge(&b); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(b.String()); got != want {
			t.Errorf("the badge of %s is %s, want %s", result, got, want)
		}
	}
}
