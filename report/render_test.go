package report_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

var update = flag.Bool("update", false, "write the files under testdata again")

// golden compares a text with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not what is rendered (-file +rendered); -update writes it again:\n%s", name, diff)
	}
}

// written returns what one of the methods of a report writes.
func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// shown returns what the console shows of a report.
func shown(t *testing.T, write func(io.Writer, *report.Report) error, r *report.Report) string {
	t.Helper()
	return written(t, func(w io.Writer) error { return write(w, r) })
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
			golden(t, tt.file, shown(t, tt.console.Write, tt.report))
		})
	}
}

// A loop that does almost nothing leaves most rules untested: the summary stays short.
func TestManyUntestedRules(t *testing.T) {
	r := fine()
	for i := range 300 {
		id := fmt.Sprintf("a%d/r%d", i/20, i)
		r.Rules = append(r.Rules, report.Rule{ID: id, Level: report.Must, Verdict: report.Untested, Description: about("It holds.")})
	}
	text := shown(t, report.Console{}.WriteSummary, r)
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

// Rules that are not judged because the loop does not claim them take one line.
func TestUnclaimedRules(t *testing.T) {
	r := fine()
	r.Claims.Unclaimed = []protocol.Feature{protocol.Transcript, protocol.Events, protocol.Retries}
	for i := range 40 {
		needs := r.Claims.Unclaimed[i%3]
		r.Rules = append(r.Rules, report.Rule{ID: fmt.Sprintf("record/rule-%d", i), Level: report.Must, Verdict: report.Unclaimed, Description: about("It holds.", needs)})
	}
	want := "  unclaimed  transcript, events, retries (40 rules are not judged)\n"
	if text := shown(t, report.Console{}.WriteSummary, r); !strings.Contains(text, want) {
		t.Errorf("the summary does not say %q:\n%s", want, text)
	}
}

// The result is the last line, so that it is what a terminal shows.
func TestTheResultComesLast(t *testing.T) {
	for want, r := range map[string]*report.Report{
		"NOT CONFORMANT  openai-node runTools 7.55.0 (javascript): 1 must is broken, 1 must is never tested, 1 should is broken": broken(),
		"CONFORMANT  openai-node runTools 7.55.0 (javascript): all 2 rules kept in 1 case":                                       fine(),
	} {
		text := shown(t, report.Console{Width: 200}.Write, r)
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
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
	text := shown(t, report.Console{}.WriteFailures, r)
	if strings.Contains(text, "something else") {
		t.Errorf("the provider's answer to another violation is shown:\n%s", text)
	}
}

// A violation of an info rule has the label INFO.
func TestInfosAreHeadedSo(t *testing.T) {
	r := broken()
	for i := range r.Rules {
		if r.Rules[i].ID == "egress/no-private-fields" {
			r.Rules[i].Level = report.Info
		}
	}
	for i := range r.Cases {
		for k := range r.Cases[i].Findings {
			if f := &r.Cases[i].Findings[k]; f.Rule == "egress/no-private-fields" {
				f.Level = report.Info
			}
		}
	}
	text := shown(t, report.Console{}.WriteFailures, r)
	if !strings.Contains(text, "INFO  egress/no-private-fields  info\n") {
		t.Errorf("it is not headed INFO:\n%s", text)
	}
}

// The order of the parts of a failure is a contract.
func TestOrderOfAFailure(t *testing.T) {
	text := shown(t, report.Console{}.WriteFailures, broken())
	rest := text
	for _, part := range []string{
		"FAIL  pairing/every-call-answered  must", ", and 2 more", "The mock provider answered with 2 tool calls", everyCallAnswered.Text,
		"expected  ", "actual  ", "request 2  /messages/1/tool_calls", `{"role":"assistant"`, "provider  OpenAI (openai) answers 400: An assistant message",
		"source  https://", "reproduce  loopproof run --case pairing/two-tools@chat/openai/json", "explain  loopproof explain pairing/every-call-answered",
		"WARN  egress/no-private-fields  should",
	} {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q is missing, or is not where it should, in:\n%s", part, text)
		}
		rest = after
	}
}

// One failure of a rule is expected: the example is another one, and the expected one is not
// counted.
func TestExpectedFailuresAreNotDescribed(t *testing.T) {
	c := report.Console{Expected: func(rule, caseID string) bool {
		return rule == "egress/no-private-fields" || caseID == "pairing/two-tools@chat/openai/json"
	}}
	text := shown(t, c.WriteFailures, broken())
	if !strings.Contains(text, "in pairing/eight-calls@chat/openai/json, and 1 more") || strings.Contains(text, "egress/") {
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
		verdicts := map[string]report.Verdict{}
		for rule, v := range r.Cases[i].Verdicts {
			verdicts[renamed(rule)] = v
		}
		r.Cases[i].Verdicts = verdicts
	}
	r, err := report.Read(strings.NewReader(written(t, r.Write)))
	if err != nil {
		t.Fatal(err)
	}
	always := []string{everyCallAnswered.Text, everyCallAnswered.Sources[0].URL, emptyResent.Evidence}
	for _, rendered := range []struct {
		file, text string
		want       []string
	}{
		{"the console", shown(t, report.Console{Width: 300}.Write, r), always},
		{"junit.xml", written(t, r.WriteJUnit), append(always, "not claimed: 1 rule is not judged")},
		{"summary.md", written(t, r.WriteMarkdown), always},
		{"report.html", written(t, r.WriteHTML), append(always, everyCallAnswered.Why, everyCallAnswered.Sources[0].Says, noPrivateFields.Why)},
	} {
		text := strings.Join(strings.Fields(rendered.text), " ")
		for _, want := range rendered.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", rendered.file, want, rendered.text)
			}
		}
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
	for _, name := range []string{"junit.xml", "ctrf.json", "report.sarif", "report.html", "summary.md", "badge.json"} {
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
		text := written(t, (&report.Report{Result: result}).WriteBadge)
		if got := strings.TrimSpace(text); got != want {
			t.Errorf("the badge of %s is %s, want %s", result, got, want)
		}
	}
}
