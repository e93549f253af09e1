package knownfailing

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

const (
	everyCallAnswered = "pairing/every-call-answered"
	ordered           = "pairing/results-in-call-order"
	resent            = "reasoning/empty-resent"
)

// knownCases are the cases of two scenarios under two profiles, each as JSON and as a stream.
func knownCases() []trace.Case {
	var cases []trace.Case
	for _, scenario := range []string{"pairing/two-tools", "pairing/single-call"} {
		for _, profile := range []string{"deepseek", "openai"} {
			for _, d := range []wire.Delivery{wire.DeliverJSON, wire.DeliverSSE} {
				cases = append(cases, trace.Case{Scenario: scenario, Dialect: "chat", Profile: profile, Delivery: d})
			}
		}
	}
	return cases
}

// knownReport is a report of these cases. Which rules fail in a case, and with which messages,
// fails says; the others of the three pass.
func knownReport(cases []trace.Case, fails func(c trace.Case) map[string]string) *report.Report {
	r := &report.Report{}
	for _, c := range cases {
		one := report.Case{ID: c.ID(), Scenario: c.Scenario, Dialect: c.Dialect, Profile: c.Profile, Delivery: string(c.Delivery),
			Verdicts: map[string]trace.Verdict{everyCallAnswered: trace.Passed, ordered: trace.Passed}}
		for rule, message := range fails(c) {
			level := trace.Must
			if rule == ordered {
				level = trace.Should
			}
			one.Verdicts[rule] = trace.Failed
			one.Findings = append(one.Findings, report.Finding{Rule: rule, Level: level, Message: message})
		}
		r.Cases = append(r.Cases, one)
	}
	return r
}

// inTwoTools breaks a rule in one scenario, with the same message in all its cases.
func inTwoTools(rule, message string) func(trace.Case) map[string]string {
	return func(c trace.Case) map[string]string {
		if c.Scenario == "pairing/two-tools" {
			return map[string]string{rule: message}
		}
		return nil
	}
}

func mustParse(t *testing.T, text string) *List {
	t.Helper()
	e, err := Parse("known.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

const reason = "\n  reason: https://example.com/12\n"

func TestLists(t *testing.T) {
	dropped := inTwoTools(everyCallAnswered, "1 tool call without an answer: call_1")
	tests := []struct {
		name       string
		list       string
		fails      func(trace.Case) map[string]string
		filtered   bool
		unexpected int
		expected   int
		stale      string // part of the one message, "" for none
		mistaken   string
	}{
		{name: "no list", fails: dropped, unexpected: 4},
		{name: "all is expected", list: "- rule: " + everyCallAnswered + "\n  case: pairing/two-tools@**" + reason, fails: dropped, expected: 4},
		{name: "in one delivery", list: "- rule: " + everyCallAnswered + "\n  case: pairing/two-tools@*/*/sse" + reason, fails: dropped, expected: 2, unexpected: 2},
		{name: "the message begins so", list: "- rule: " + everyCallAnswered + "\n  case: pairing/two-tools@**\n  message: 1 tool call without" + reason, fails: dropped, expected: 4},
		{name: "the message begins otherwise", list: "- rule: " + everyCallAnswered + "\n  case: pairing/two-tools@**\n  message: 2 tool calls" + reason, fails: dropped, unexpected: 4,
			stale: "fails in pairing/two-tools@chat/deepseek/json and 3 more with another message\nexpected 2 tool calls\nactual 1 tool call without an answer: call_1"},
		{name: "it passes", list: "- rule: " + everyCallAnswered + "\n  case: pairing/single-call@**" + reason, fails: dropped, unexpected: 4,
			stale: "known.yaml:1:3: " + everyCallAnswered + " passes in pairing/single-call@chat/deepseek/json and 3 more: take the entry off the list"},
		{name: "it passes in some", list: "- rule: " + everyCallAnswered + "\n  case: pairing/*@chat/openai/json" + reason, fails: dropped, unexpected: 3, expected: 1,
			stale: "passes in pairing/single-call@chat/openai/json: narrow the pattern pairing/*@chat/openai/json"},
		{name: "it matches nothing", list: "- rule: " + everyCallAnswered + "\n  case: pairing/two-tolls@**" + reason, fails: dropped, unexpected: 4,
			mistaken: `known.yaml:1:3: pairing/two-tolls@** matches no case (did you mean "pairing/two-tools@**"?)`},
		{name: "the rule is not judged there", list: "- rule: " + resent + "\n  case: pairing/two-tools@**" + reason, fails: dropped, unexpected: 4,
			mistaken: resent + " is judged in no case that pairing/two-tools@** matches"},
		{name: "another selection", list: "- rule: " + everyCallAnswered + "\n  case: history/tools@**" + reason, fails: dropped, filtered: true, unexpected: 4},
		{name: "another rule was selected", list: "- rule: " + resent + "\n  case: pairing/two-tools@**" + reason, fails: dropped, filtered: true, unexpected: 4},
		{name: "a should is not fatal", fails: inTwoTools(ordered, "out of order")},
		{name: "a should may be expected", list: "- rule: " + ordered + "\n  case: pairing/two-tools@**" + reason, fails: inTwoTools(ordered, "out of order"), expected: 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cases := knownCases()
			j := mustParse(t, tt.list).Judge(knownReport(cases, tt.fails), Plan{Cases: cases, Filtered: tt.filtered})
			if len(j.Unexpected) != tt.unexpected || len(j.Expected) != tt.expected {
				t.Errorf("%d failures unexpected and %d expected, want %d and %d", len(j.Unexpected), len(j.Expected), tt.unexpected, tt.expected)
			}
			checkOne(t, "stale", j.Stale, tt.stale)
			checkOne(t, "mistaken", j.Mistaken, tt.mistaken)
			if clean := tt.unexpected == 0 && tt.stale == "" && tt.mistaken == ""; j.Clean() != clean {
				t.Errorf("Clean() = %t, want %t", j.Clean(), clean)
			}
			for _, f := range j.Expected {
				if !j.Covers(f.Rule, f.Case) {
					t.Errorf("%s in %s is expected but not covered", f.Rule, f.Case)
				}
			}
		})
	}
}

func checkOne(t *testing.T, kind string, errs []error, want string) {
	t.Helper()
	switch {
	case want == "" && len(errs) > 0:
		t.Errorf("%s: %v, want none", kind, errs)
	case want != "" && (len(errs) != 1 || !strings.Contains(errs[0].Error(), want)):
		t.Errorf("%s: %v, want one with %q", kind, errs, want)
	}
}

func TestListsThatCoverTooMuch(t *testing.T) {
	var cases []trace.Case
	for _, scenario := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u"} {
		cases = append(cases, trace.Case{Scenario: "pairing/" + scenario, Dialect: "chat", Profile: "openai", Delivery: wire.DeliverJSON})
	}
	everywhere := func(trace.Case) map[string]string { return map[string]string{everyCallAnswered: "none"} }
	e := mustParse(t, "- rule: "+everyCallAnswered+"\n  case: pairing/**"+reason)

	j := e.Judge(knownReport(cases, everywhere), Plan{Cases: cases})
	checkOne(t, "mistaken", j.Mistaken, "pairing/** matches 21 cases of 21 scenarios: an entry for more than 20 needs the message that the findings begin with, so that it hides nothing else")
	if len(j.Unexpected) != 21 {
		t.Errorf("%d failures unexpected, want 21: an entry that is too wide expects nothing", len(j.Unexpected))
	}

	told := mustParse(t, "- rule: "+everyCallAnswered+"\n  case: pairing/**\n  message: none"+reason)
	if j := told.Judge(knownReport(cases, everywhere), Plan{Cases: cases}); !j.Clean() {
		t.Errorf("an entry with a message may cover 21 cases: %v", j.Mistaken)
	}

	j = e.Judge(knownReport(cases[:20], everywhere), Plan{Cases: cases[:20]})
	if !j.Clean() {
		t.Errorf("20 cases are too many: %v", j.Mistaken)
	}
}

func TestListsOfOneScenarioCoverAllItsCases(t *testing.T) {
	var cases []trace.Case
	for i := range 30 {
		cases = append(cases, trace.Case{Scenario: "pairing/a", Dialect: "chat", Profile: fmt.Sprintf("provider-%d", i), Delivery: wire.DeliverJSON})
	}
	everywhere := func(trace.Case) map[string]string { return map[string]string{everyCallAnswered: "none"} }
	e := mustParse(t, "- rule: "+everyCallAnswered+"\n  case: pairing/a@**"+reason)
	if j := e.Judge(knownReport(cases, everywhere), Plan{Cases: cases}); !j.Clean() {
		t.Errorf("30 cases of one scenario are too many: %v", j.Mistaken)
	}
}

func TestListsOfUntestedRules(t *testing.T) {
	cases := knownCases()
	r := knownReport(cases, func(trace.Case) map[string]string { return nil })
	for i := range r.Cases {
		r.Cases[i].Verdicts[everyCallAnswered] = trace.Untested
	}
	r.Rules = []report.Rule{
		{ID: everyCallAnswered, Level: trace.Must, Verdict: trace.Untested},
		{ID: resent, Level: trace.Must, Verdict: trace.Untested, Description: report.Description{Evidence: "a turn with reasoning"}},
	}
	list := "- rule: " + everyCallAnswered + "\n  case: pairing/*@**" + reason
	j := mustParse(t, list).Judge(r, Plan{Cases: cases})
	if len(j.Expected) != 8 {
		t.Errorf("%d failures expected, want 8", len(j.Expected))
	}
	want := Failure{Rule: resent, Message: "untested: needs a turn with reasoning"}
	if len(j.Unexpected) != 1 || j.Unexpected[0] != want {
		t.Errorf("unexpected: %v, want only %v", j.Unexpected, want)
	}
}

func TestListsDoNotExcuseAStop(t *testing.T) {
	r := knownReport(nil, nil)
	r.Stopped = "the loop hung in 3 cases in a row; the other 900 cases were not played"
	j := mustParse(t, "- rule: "+everyCallAnswered+"\n  case: pairing/two-tools@**"+reason).Judge(r, Plan{Cases: knownCases()})
	if j.Clean() || len(j.Mistaken) > 0 {
		t.Errorf("clean %t, mistaken %v; want a stop that is no fault of the list", j.Clean(), j.Mistaken)
	}
}

func TestStrictLists(t *testing.T) {
	cases := knownCases()
	r := knownReport(cases, inTwoTools(ordered, "out of order"))
	r.Strict = true
	if j := mustParse(t, "").Judge(r, Plan{Cases: cases}); len(j.Unexpected) != 4 {
		t.Errorf("%d failures unexpected, want 4: a should is fatal in a strict report", len(j.Unexpected))
	}
}

func TestBadLists(t *testing.T) {
	tests := []struct{ name, list, want string }{
		{"no list", "rule: x", "expected a list"},
		{"no rule", "- case: x" + reason, "known.yaml:1:3: an entry needs a rule"},
		{"unknown rule", "- rule: pairing/every-call-anwered\n  case: x" + reason, `known.yaml:1:9: unknown rule "pairing/every-call-anwered" (did you mean "pairing/every-call-answered"?)`},
		{"no case", "- rule: " + everyCallAnswered + reason, "known.yaml:1:3: an entry needs a case, or a pattern of cases"},
		{"bad pattern", "- rule: " + everyCallAnswered + "\n  case: 'pairing/[x'" + reason, `known.yaml:2:9: the pattern "pairing/[x" is not well-formed`},
		{"no reason", "- rule: " + everyCallAnswered + "\n  case: x", "known.yaml:1:3: an entry needs a reason"},
		{"blank reason", "- rule: " + everyCallAnswered + "\n  case: x\n  reason: ' '", "known.yaml:3:11: an entry needs a reason"},
		{"unknown key", "- rule: " + everyCallAnswered + "\n  cases: x" + reason, `known.yaml:2:3: unknown key "cases" (did you mean "case"?)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("known.yaml", []byte(tt.list))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.yaml")); err == nil {
		t.Error("a file that does not exist was read")
	}
}

func TestEmptyLists(t *testing.T) {
	for _, text := range []string{"", "\n", "# Nothing is known to fail.\n\n  # Really.\n"} {
		if e := mustParse(t, text); len(e.Entries) > 0 {
			t.Errorf("%q: %d entries, want none", text, len(e.Entries))
		}
	}
}

// What is written for a person to paste is read again, and then expects exactly what it was written
// for.
func TestEntries(t *testing.T) {
	streamsOnly := func(c trace.Case) map[string]string {
		if c.Delivery == wire.DeliverSSE && c.Cut == 0 {
			return map[string]string{everyCallAnswered: "1 tool call without an answer: " + c.Profile + "_1"}
		}
		return nil
	}
	tests := []struct {
		name  string
		fails func(trace.Case) map[string]string
		want  []string // the patterns
	}{
		{"a whole scenario", inTwoTools(everyCallAnswered, "nothing at all"), []string{"pairing/two-tools@**"}},
		{"one delivery", streamsOnly, []string{"**@*/*/sse"}},
		{"everything", func(trace.Case) map[string]string { return map[string]string{everyCallAnswered: "nothing at all"} }, []string{"**"}},
		{"everything, for two reasons", func(c trace.Case) map[string]string {
			return map[string]string{everyCallAnswered: map[string]string{"json": "nothing at all", "sse": "everything twice"}[string(c.Delivery)]}
		}, []string{"**@*/*/json", "**@*/*/sse", "failure/cut@**"}},
		{"an area under one profile", func(c trace.Case) map[string]string {
			if c.Profile == "openai" && c.Cut == 0 {
				return map[string]string{everyCallAnswered: "nothing at all"}
			}
			return nil
		}, []string{"pairing/**@chat/openai/**"}},
		{"one profile", func(c trace.Case) map[string]string {
			if c.Profile == "openai" && c.Scenario == "pairing/two-tools" {
				return map[string]string{everyCallAnswered: "nothing at all"}
			}
			return nil
		}, []string{"pairing/two-tools@chat/openai/*"}},
		{"some places of a cut", func(c trace.Case) map[string]string {
			if c.Cut == 2 || c.Cut == 4 {
				return map[string]string{everyCallAnswered: "nothing at all"}
			}
			return nil
		}, []string{"failure/cut@chat/openai/sse/cut-{2,4}"}},
		{"each place of a cut", func(c trace.Case) map[string]string {
			if c.Cut > 0 {
				return map[string]string{everyCallAnswered: "nothing at all"}
			}
			return nil
		}, []string{"failure/cut@**"}},
		{"one case", func(c trace.Case) map[string]string {
			if c.ID() == "pairing/two-tools@chat/openai/sse" {
				return map[string]string{everyCallAnswered: "nothing at all"}
			}
			return nil
		}, []string{"pairing/two-tools@chat/openai/sse"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cases := knownCases()
			for place := range 5 {
				cases = append(cases, trace.Case{Scenario: "failure/cut", Dialect: "chat", Profile: "openai", Delivery: wire.DeliverSSE, Cut: place + 1})
			}
			r := knownReport(cases, tt.fails)
			text := EntriesFor(r, Plan{Cases: cases}, mustParse(t, "").Judge(r, Plan{Cases: cases}).Unexpected)
			if _, err := Parse("known.yaml", []byte(text)); err == nil {
				t.Error("the entries are read without a reason")
			}
			e := mustParse(t, strings.ReplaceAll(text, "reason: ''", "reason: because"))
			var patterns []string
			for _, entry := range e.Entries {
				patterns = append(patterns, entry.Case)
			}
			if !slices.Equal(patterns, tt.want) {
				t.Errorf("the patterns are %v, want %v", patterns, tt.want)
			}
			if j := e.Judge(r, Plan{Cases: cases}); !j.Clean() {
				t.Errorf("the list that was written for a report does not expect it:\n%s\n%v %v %v", text, j.Unexpected, j.Stale, j.Mistaken)
			}
		})
	}
}

func TestEntriesKeepTheBeginningOfTheMessage(t *testing.T) {
	tests := []struct {
		messages []string
		want     string
	}{
		{[]string{"the retry came too early"}, "the retry came too early"},
		{[]string{"the call call_1 was not run"}, "the call"},
		{[]string{"the call oslo was not run", "the call lima was not run"}, "the call"},
		{[]string{`the id "x" names no call`}, "the id"},
		{[]string{"1 tool call without an answer: hrOyflBo"}, "* tool call without an answer:"},
		{[]string{"1 tool call without an answer"}, "* tool call without an answer"},
		{[]string{"1 tool call without an answer: a", "2 tool calls without an answer: a, b"}, "* tool"},
		{[]string{"1", "2"}, ""},
	}
	for _, tt := range tests {
		if got := beginning(tt.messages); got != tt.want {
			t.Errorf("beginning(%q) = %q, want %q", tt.messages, got, tt.want)
		}
	}
}

func TestListsAccept(t *testing.T) {
	list, err := Parse("known.yaml", []byte(`
- {rule: pairing/every-call-answered, case: pairing/single-call@**, message: '* tool call without', reason: r}
- {rule: history/only-grows, case: history/two-prompts@**, reason: r}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		rule, message string
		want          bool
	}{
		{"pairing/every-call-answered", "1 tool call without an answer: call_1", true},
		{"pairing/every-call-answered", "the call was answered by a user", false},
		{"history/only-grows", "whatever it says", true},
		{"history/prompts-sent", "whatever it says", false},
	} {
		if got := list.Accepts(tt.rule, tt.message); got != tt.want {
			t.Errorf("%s, %q: accepted is %t, want %t", tt.rule, tt.message, got, tt.want)
		}
	}
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "known.yaml")
	text := "- rule: " + everyCallAnswered + "\n  case: pairing/two-tools@**" + reason
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := Load(file)
	if err != nil || len(e.Entries) != 1 || e.Entries[0].Reason != "https://example.com/12" {
		t.Errorf("read %v, %v", e, err)
	}
}
