package matrix

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/report"
)

func TestWhatALoopMadeOfAnOddAnswer(t *testing.T) {
	const odd = "the provider sends null in the place of a chunk, and "
	for name, c := range map[string]struct {
		finding report.Finding
		want    string
	}{
		"waits":            {report.Finding{Level: report.Should, Message: odd + "the loop waited for its end"}, waits},
		"failed":           {report.Finding{Level: report.Should, Message: odd + "the run did not go on", Actual: `the loop reported failed: "x"`}, anError},
		"stopped":          {report.Finding{Level: report.Must, Message: odd + "the loop reported stopped"}, anError},
		"completed":        {report.Finding{Level: report.Should, Message: odd + "the call was not run", Actual: "the loop reported completed"}, silence},
		"status":           {report.Finding{Level: report.Should, Message: odd + "it was lost", Actual: "status completed"}, silence},
		"anything else":    {report.Finding{Level: report.Should, Message: odd + "another call was run"}, wrong},
		"of no odd answer": {report.Finding{Level: report.Should, Message: "the loop reported failed"}, readsIt},
		"only told":        {report.Finding{Level: report.Info, Message: odd + "another call was run"}, readsIt},
	} {
		judged := map[string]report.Verdict{"stream/no-chunk": report.Passed, "stream/other": report.Untested}
		if got := madeIn(&report.Case{Findings: []report.Finding{c.finding}, Verdicts: judged}, []string{"stream/no-chunk"}); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	for _, verdict := range []report.Verdict{report.Untested, report.Unclaimed, ""} {
		judged := map[string]report.Verdict{"stream/no-chunk": verdict, "outcome/run-ends": report.Passed}
		if got := madeIn(&report.Case{Verdicts: judged}, []string{"stream/no-chunk"}); got != "" {
			t.Errorf("not judged: %s", got)
		}
	}
}

func TestWholeAndStreamedTogether(t *testing.T) {
	for want, words := range map[string][]string{
		readsIt: {readsIt}, wrong: {readsIt, wrong}, "error or silence": {silence, readsIt, anError}, "wrong or waits": {waits, wrong},
	} {
		set := map[string]bool{}
		for _, w := range words {
			set[w] = true
		}
		if got := together(set); got != want {
			t.Errorf("%v: %s, want %s", words, got, want)
		}
	}
}

func TestOddAnswersOfAReport(t *testing.T) {
	bad := []report.Finding{{Level: report.Should, Message: "the provider stops, and another call was run"}}
	passed := map[string]report.Verdict{"stream/rule": report.Passed}
	r := &report.Report{Cases: []report.Case{
		{Scenario: "stream/a", Dialect: "chat", Profile: "gateway", Delivery: "json", Verdicts: passed},
		{Scenario: "stream/a", Dialect: "chat", Profile: "gateway", Delivery: "sse", Findings: bad},
		{Scenario: "stream/b", Dialect: "chat", Profile: "gateway", Delivery: "sse", Verdicts: passed},
		{Scenario: "stream/b", Dialect: "chat", Profile: "gateway", Delivery: "sse-bytes", Findings: bad},
		{Scenario: "stream/c", Dialect: "chat", Profile: "openai", Delivery: "sse", Findings: bad},
		{Scenario: "stream/e", Dialect: "chat", Profile: "gateway", Delivery: "sse"},
		{Scenario: "pairing/f", Dialect: "chat", Profile: "gateway", Delivery: "sse", Verdicts: passed},
	}}
	odd := oddities{}
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		odd["stream/"+id] = oddity{"is odd", []string{"stream/rule"}}
	}
	if diff := cmp.Diff([]madeOf{{"stream/a", wrong}, {"stream/b", readsIt}}, odd.made(r)); diff != "" {
		t.Error(diff)
	}
}

func TestOddTables(t *testing.T) {
	loop := func(short string, odd ...madeOf) *Loop {
		return &Loop{LoopFile: &LoopFile{Short: short}, Versions: []*Version{{Result: &Result{Odd: odd}}}}
	}
	loops := []*Loop{
		loop("A", madeOf{"stream/id-x", wrong}, madeOf{"finish/y", readsIt}, madeOf{"stream/z", readsIt}),
		loop("", madeOf{"stream/z", wrong}), // has no column
		loop("C", madeOf{"finish/y", silence}, madeOf{"stream/z", readsIt}),
	}
	odd := oddities{"stream/id-x": {does: "sends no id"}, "finish/y": {does: "says nothing"}, "stream/z": {does: "is fine"}, "stream/unplayed": {does: "is not played"}}
	const head = "| the provider | A | C |\n|---|---|---|\n"
	want := OddAnswers{
		Calls:     head + "| sends no id (`stream/id-x`) | wrong | – |\n",
		Others:    head + "| says nothing (`finish/y`) | reads it | silence |\n",
		ReadByAll: 1,
	}
	if diff := cmp.Diff(want, odd.compare(loops)); diff != "" {
		t.Error(diff)
	}
}

// The sentences are of the quirks of the library, and every scenario with an odd answer has rules
// about it.
func TestOdditiesOfTheLibrary(t *testing.T) {
	odd, err := readOddities()
	if err != nil {
		t.Fatal(err)
	}
	if _, there := odd["pairing/single-call"]; there || odd["stream/id-missing"].does == "" {
		t.Errorf("%d odd answers: %v", len(odd), odd)
	}
	for id, o := range odd {
		if strings.TrimSpace(o.does) == "" || len(o.rules) == 0 {
			t.Errorf("%s does nothing, or no rule is about it", id)
		}
	}
}
