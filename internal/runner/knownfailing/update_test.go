package knownfailing

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

const (
	twoTools      = "- rule: pairing/every-call-answered\n  case: pairing/two-tools@**\n"
	filed         = "  reason: https://example.com/12 # filed\n"
	noReason      = "  reason: ''\n"
	everywhereOne = "- rule: pairing/every-call-answered\n  case: '**'\n  message: none of\n"
	sameReason    = "  reason: https://example.com/12\n"
)

func TestUpdate(t *testing.T) {
	dropped := inTwoTools(everyCallAnswered, "none of 2 tool calls is answered")
	inStreams := func(c trace.Case) map[string]string {
		if c.Scenario == "pairing/two-tools" && c.Delivery == wire.DeliverSSE {
			return map[string]string{everyCallAnswered: "none of 2 tool calls is answered"}
		}
		return nil
	}
	everywhere := func(trace.Case) map[string]string { return map[string]string{everyCallAnswered: "none of 2"} }
	nothing := func(trace.Case) map[string]string { return nil }
	streams := "- rule: pairing/every-call-answered\n  case: pairing/two-tools@chat/*/sse\n  message: none of\n"
	other := "- rule: reasoning/empty-resent\n  case: reasoning/empty@**\n" + filed

	for _, test := range []struct {
		name     string
		list     string
		fails    func(trace.Case) map[string]string
		filtered bool
		want     string
		counts   Update // without the text
	}{
		{"a first list", "", dropped, false, twoTools + "  message: none of\n" + noReason, Update{Added: 1, Unreasoned: 1}},
		{"nothing to do", "# Known.\n" + twoTools + filed, dropped, false, "# Known.\n" + twoTools + filed, Update{Kept: 1}},
		{"nothing fails any more", "# Known.\n" + twoTools + filed + "# The end.\n", nothing, false, "# Known.\n# The end.\n", Update{Removed: 1}},
		{"its comment goes with an entry", "# Known.\n" + twoTools + filed + "\n# Repaired soon.\n" + strings.Replace(twoTools, "two-tools", "single-call", 1) + filed, dropped, false,
			"# Known.\n" + twoTools + filed, Update{Kept: 1, Removed: 1}},
		{"some cases pass", "# Known.\n" + twoTools + filed, inStreams, false, "# Known.\n" + streams + sameReason, Update{Rewritten: 1}},
		{"another message", twoTools + "  message: an old one\n" + filed, dropped, false, twoTools + "  message: none of\n" + sameReason, Update{Rewritten: 1}},
		{"more cases of the same scenario", streams + filed, dropped, false, twoTools + "  message: none of\n" + sameReason, Update{Kept: 1, Added: 1, Joined: 2}},
		{"entries of one cause", strings.Replace(twoTools, "two-tools@**", "single-call@chat/openai/json", 1) + sameReason + twoTools + sameReason, func(c trace.Case) map[string]string {
			if c.Scenario == "pairing/two-tools" || c.ID() == "pairing/single-call@chat/openai/json" {
				return map[string]string{everyCallAnswered: "none of 2"}
			}
			return nil
		}, false, strings.Replace(twoTools, "two-tools@**", "single-call@chat/openai/json", 1) + sameReason + twoTools + sameReason, Update{Kept: 2}},
		{"entries that one can stand for", "# Known.\n" + twoTools + filed + strings.Replace(twoTools, "two-tools", "single-call", 1) + sameReason, everywhere, false,
			"# Known.\n" + everywhereOne + sameReason, Update{Kept: 2, Joined: 2}},
		{"for two reasons they stay", twoTools + filed + strings.Replace(twoTools, "two-tools", "single-call", 1) + "  reason: another\n", everywhere, false,
			twoTools + filed + strings.Replace(twoTools, "two-tools", "single-call", 1) + "  reason: another\n", Update{Kept: 2}},
		{"with comments they stay", twoTools + filed + "# Alongside it.\n" + strings.Replace(twoTools, "two-tools", "single-call", 1) + sameReason, everywhere, false,
			twoTools + filed + "# Alongside it.\n" + strings.Replace(twoTools, "two-tools", "single-call", 1) + sameReason, Update{Kept: 2}},
		{"a selection joins nothing", twoTools + filed + strings.Replace(twoTools, "two-tools", "single-call", 1) + sameReason, everywhere, true,
			twoTools + filed + strings.Replace(twoTools, "two-tools", "single-call", 1) + sameReason, Update{Kept: 2}},
		{"all of a first list", "", everywhere, false, everywhereOne + noReason, Update{Added: 1, Unreasoned: 1}},
		{"another scenario", twoTools + filed, everywhere, false,
			twoTools + filed + "- rule: pairing/every-call-answered\n  case: pairing/single-call@**\n  message: none of\n" + noReason, Update{Kept: 1, Added: 1, Unreasoned: 1}},
		{"a scenario that is gone", twoTools + filed + strings.Replace(other, "reasoning/empty@", "reasoning/gone@", 1), dropped, false, twoTools + filed, Update{Kept: 1, Removed: 1}},
		{"a should is not added", "", inTwoTools(ordered, "out of order"), false, "", Update{}},
		{"a should that is on the list stays", strings.Replace(twoTools, everyCallAnswered, ordered, 1) + filed, inTwoTools(ordered, "out of order"), false,
			strings.Replace(twoTools, everyCallAnswered, ordered, 1) + filed, Update{Kept: 1}},
		{"without a reason as yet", twoTools + noReason, dropped, false, twoTools + noReason, Update{Kept: 1, Unreasoned: 1}},
		{"no line end", strings.TrimSuffix(twoTools+filed, "\n"), dropped, false, twoTools + filed, Update{Kept: 1}},
		{"another selection leaves entries alone", twoTools + filed + other, dropped, true, twoTools + filed + other, Update{Kept: 2}},
		{"a selection knows one scenario whole", twoTools + filed + other, nothing, true, other, Update{Kept: 1, Removed: 1}},
		{"a selection does not know a pattern of scenarios", "- rule: pairing/every-call-answered\n  case: pairing/*@**\n" + filed, inStreams, true,
			"- rule: pairing/every-call-answered\n  case: pairing/*@**\n" + filed, Update{Kept: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			cases := knownCases()
			r := knownReport(cases, test.fails)
			plan := Plan{Cases: cases, Filtered: test.filtered}
			e, err := parse("known.yaml", []byte(test.list), false)
			if err != nil {
				t.Fatal(err)
			}
			u := e.Update(r, plan)
			if diff := cmp.Diff(test.want, u.Text); diff != "" {
				t.Errorf("the list (-want +got):\n%s", diff)
			}
			text := u.Text
			if u.Text = ""; u != test.counts {
				t.Errorf("got %+v, want %+v", u, test.counts)
			}
			again, err := parse("known.yaml", []byte(text), false)
			if err != nil {
				t.Fatal(err)
			}
			if j := again.Judge(r, plan); len(j.Unexpected)+len(j.Mistaken) > 0 || !test.filtered && len(j.Stale) > 0 {
				t.Errorf("the new list does not expect the report: %v %v %v", j.Unexpected, j.Stale, j.Mistaken)
			}
			if once := again.Update(r, plan); once.Text != text {
				t.Errorf("a second update changes the list again:\n%s", cmp.Diff(text, once.Text))
			}
		})
	}
}

func TestUpdateOfAnEntryThatIsTooWide(t *testing.T) {
	var cases []trace.Case
	for _, scenario := range strings.Split("abcdefghijklmnopqrstu", "") {
		cases = append(cases, trace.Case{Scenario: "pairing/" + scenario, Dialect: "chat", Profile: "openai", Delivery: wire.DeliverJSON})
	}
	r := knownReport(cases, func(trace.Case) map[string]string { return map[string]string{everyCallAnswered: "nothing at all"} })
	u := mustParse(t, "- rule: "+everyCallAnswered+"\n  case: pairing/**"+reason).Update(r, Plan{Cases: cases})
	e := mustParse(t, u.Text)
	if len(e.Entries) != 1 || e.Entries[0].Message != "nothing at all" || u.Rewritten != 1 || u.Unreasoned != 0 {
		t.Errorf("%+v, %+v", e.Entries, u)
	}
	if j := e.Judge(r, Plan{Cases: cases}); !j.Clean() {
		t.Errorf("%v %v %v", j.Unexpected, j.Stale, j.Mistaken)
	}
}

// A rule that a selection does not test may be tested elsewhere.
func TestUpdateOfAnUntestedRule(t *testing.T) {
	cases := knownCases()
	r := knownReport(cases, func(trace.Case) map[string]string { return nil })
	for i := range r.Cases {
		r.Cases[i].Verdicts[everyCallAnswered] = trace.Untested
	}
	r.Rules = []report.Rule{{ID: everyCallAnswered, Level: trace.Must, Verdict: trace.Untested}}
	for filtered, added := range map[bool]int{false: 1, true: 0} {
		if u := mustParse(t, "").Update(r, Plan{Cases: cases, Filtered: filtered}); u.Added != added {
			t.Errorf("filtered %t: %d entries added, want %d:\n%s", filtered, u.Added, added, u.Text)
		}
	}
}

// Where a rule is tested nowhere, entries of one reason become one only as far as that covers no
// case of another entry.
func TestUpdateOfAnUntestedRuleForTwoReasons(t *testing.T) {
	var cases []trace.Case
	list := ""
	for i, why := range []string{"one reason", "one reason", "another reason"} {
		scenario := string(rune('a' + i))
		cases = append(cases, trace.Case{Scenario: "pairing/" + scenario, Dialect: "chat", Profile: "openai", Delivery: wire.DeliverJSON})
		list += "- rule: " + everyCallAnswered + "\n  case: pairing/" + scenario + "@**\n  message: untested\n  reason: " + why + "\n"
	}
	r := knownReport(cases, func(trace.Case) map[string]string { return nil })
	for i := range r.Cases {
		r.Cases[i].Verdicts[everyCallAnswered] = trace.Untested
	}
	r.Rules = []report.Rule{{ID: everyCallAnswered, Level: trace.Must, Verdict: trace.Untested}}
	u := mustParse(t, list).Update(r, Plan{Cases: cases})
	for _, e := range mustParse(t, u.Text).Entries {
		if scenario, _, _ := strings.Cut(e.Case, "@"); strings.Contains(scenario, "*") {
			t.Errorf("an entry covers what another one is about:\n%s", u.Text)
		}
	}
}

// An entry covers all that is found in its cases, and not only what is found first.
func TestUpdateOfSeveralFindings(t *testing.T) {
	cases := knownCases()
	r := knownReport(cases, inTwoTools(everyCallAnswered, "the call was run"))
	for i := range r.Cases {
		if len(r.Cases[i].Findings) > 0 {
			more := r.Cases[i].Findings[0]
			more.Message = "the tool was run"
			r.Cases[i].Findings = append(r.Cases[i].Findings, more)
		}
	}
	u := mustParse(t, "").Update(r, Plan{Cases: cases})
	e := mustParse(t, strings.ReplaceAll(u.Text, "reason: ''", "reason: because"))
	if j := e.Judge(r, Plan{Cases: cases}); !j.Clean() || e.Entries[0].Message != "the" {
		t.Errorf("%v %v\n%s", j.Unexpected, j.Stale, u.Text)
	}
}

func TestUpdateKnowsAHabit(t *testing.T) {
	entry := func(scenario, message, reason string) string {
		return "- rule: " + everyCallAnswered + "\n  case: pairing/" + scenario + "@chat/openai/json\n  message: " + message + "\n  reason: " + reason + "\n"
	}
	known := strings.Split("abcdefghij", "")
	nine := ""
	for _, scenario := range known[:9] {
		nine += entry(scenario, "none of", "habit")
	}
	for _, test := range []struct {
		name, list string
		unreasoned int
	}{
		{"ten with one reason", nine + entry("j", "none of", "habit"), 0},
		{"only nine", nine, 2},
		{"two reasons", nine + entry("j", "none of", "another"), 1},
		{"two messages", nine + entry("j", "none", "habit"), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var cases []trace.Case
			for _, scenario := range append(known, "k") {
				cases = append(cases, trace.Case{Scenario: "pairing/" + scenario, Dialect: "chat", Profile: "openai", Delivery: wire.DeliverJSON})
			}
			r := knownReport(cases, func(trace.Case) map[string]string { return map[string]string{everyCallAnswered: "none of 2"} })
			if u := mustParse(t, test.list).Update(r, Plan{Cases: cases}); u.Unreasoned != test.unreasoned {
				t.Errorf("%d entries wait for a reason, want %d:\n%s", u.Unreasoned, test.unreasoned, u.Text)
			}
		})
	}
}

func TestLoadToUpdate(t *testing.T) {
	e, err := LoadToUpdate(filepath.Join(t.TempDir(), "none.yaml"))
	if err != nil || len(e.Entries) > 0 {
		t.Errorf("read %v, %v; want an empty list", e, err)
	}
	if _, err := LoadToUpdate(t.TempDir()); err == nil {
		t.Error("a folder was read")
	}
}
