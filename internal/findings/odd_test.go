package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/report"
	"github.com/loopproof/loopproof/rules"
)

func TestWhatALoopMadeOfAnOddAnswer(t *testing.T) {
	const odd = "the provider sends null in the place of a chunk, and "
	for name, c := range map[string]struct {
		finding rules.Finding
		want    string
	}{
		"waits":            {rules.Finding{Level: rules.Should, Message: odd + "the loop waited for its end"}, waits},
		"failed":           {rules.Finding{Level: rules.Should, Message: odd + "the run did not go on", Actual: `the loop reported failed: "x"`}, anError},
		"stopped":          {rules.Finding{Level: rules.Must, Message: odd + "the loop reported stopped"}, anError},
		"completed":        {rules.Finding{Level: rules.Should, Message: odd + "the call was not run", Actual: "the loop reported completed"}, silence},
		"status":           {rules.Finding{Level: rules.Should, Message: odd + "it was lost", Actual: "status completed"}, silence},
		"anything else":    {rules.Finding{Level: rules.Should, Message: odd + "another call was run"}, wrong},
		"of no odd answer": {rules.Finding{Level: rules.Should, Message: "the loop reported failed"}, readsIt},
		"only told":        {rules.Finding{Level: rules.Info, Message: odd + "another call was run"}, readsIt},
	} {
		if got := madeOf(&report.Case{Findings: []report.Finding{{Finding: c.finding}}}); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := madeOf(&report.Case{}); got != readsIt {
		t.Errorf("without a finding: %s", got)
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
	bad := []report.Finding{{Finding: rules.Finding{Level: rules.Should, Message: "the provider stops, and another call was run"}}}
	r := &report.Report{Cases: []report.Case{
		{Scenario: "stream/a", Dialect: "chat", Profile: "gateway", Delivery: "json"},
		{Scenario: "stream/a", Dialect: "chat", Profile: "gateway", Delivery: "sse", Findings: bad},
		{Scenario: "stream/b", Dialect: "chat", Profile: "gateway", Delivery: "sse"},
		{Scenario: "stream/b", Dialect: "chat", Profile: "gateway", Delivery: "sse-bytes", Findings: bad},
		{Scenario: "stream/c", Dialect: "chat", Profile: "openai", Delivery: "sse", Findings: bad},
		{Scenario: "stream/d", Dialect: "messages", Profile: "gateway", Delivery: "sse", Findings: bad},
	}}
	if diff := cmp.Diff(map[string]string{"stream/a": wrong, "stream/b": readsIt}, oddAnswers(r)); diff != "" {
		t.Error(diff)
	}
}

func TestOddTables(t *testing.T) {
	loops := []loop{{Name: "a", Short: "A"}, {Name: "b"}, {Name: "c", Short: "C"}}
	results := map[string]result{
		"a": {Odd: map[string]string{"stream/id-x": wrong, "finish/y": readsIt, "stream/z": readsIt}},
		"b": {Odd: map[string]string{"stream/z": wrong}}, // has no column
		"c": {Odd: map[string]string{"finish/y": silence, "stream/z": readsIt}},
	}
	does := oddities{"stream/id-x": "sends no id", "finish/y": "says nothing", "stream/z": "is fine", "stream/unplayed": "is not played"}
	const head = "| the provider | A | C |\n|---|---|---|\n"
	want := map[string]string{
		"odd calls":         head + "| sends no id (`stream/id-x`) | wrong | – |\n",
		"other odd answers": head + "| says nothing (`finish/y`) | reads it | silence |\n",
		"what all read":     "Oddities that all of them read: 1.\n",
	}
	got := map[string]string{}
	for _, p := range oddParts(loops, results, does) {
		got[p.name], _ = p.write("")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The sentences are of the quirks of the library, and every scenario that the first table is to hold has one.
func TestOdditiesOfTheLibrary(t *testing.T) {
	does, err := readOddities()
	if err != nil {
		t.Fatal(err)
	}
	if does["stream/id-missing"] == "" || does["pairing/single-call"] != "" {
		t.Errorf("%d odd answers: %v", len(does), does)
	}
	for id, text := range does {
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s does nothing", id)
		}
	}
}
