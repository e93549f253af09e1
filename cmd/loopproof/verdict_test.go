package main

import (
	"errors"
	"testing"

	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

func TestVerdict(t *testing.T) {
	some := knownfailing.Failure{Rule: "pairing/ids-distinct", Case: "pairing/single-call@chat/openai/json"}
	tests := []struct {
		name   string
		result report.Result
		cases  int // that were played
		judged int // rules that were
		list   string
		known  knownfailing.Judged
		want   int
	}{
		{name: "conformant", result: report.Conformant, cases: 9, judged: 5, want: 0},
		{name: "partial", result: report.Partial, cases: 9, judged: 5, want: 0},
		{name: "not conformant", result: report.NotConformant, cases: 9, judged: 5, known: knownfailing.Judged{Unexpected: []knownfailing.Failure{some}}, want: 1},
		{name: "nothing was played", result: report.Partial, want: 2},
		{name: "nothing was judged", result: report.Partial, cases: 9, want: 2},
		{name: "a loop that gives no evidence", result: report.NotConformant, cases: 9, want: 1},
		{name: "all is known", result: report.NotConformant, cases: 9, judged: 5, list: "known.yaml", known: knownfailing.Judged{Expected: []knownfailing.Failure{some}}, want: 0},
		{name: "not all is known", result: report.NotConformant, cases: 9, judged: 5, list: "known.yaml", known: knownfailing.Judged{Unexpected: []knownfailing.Failure{some}}, want: 1},
		{name: "the list is stale", result: report.Conformant, cases: 9, judged: 5, list: "known.yaml", known: knownfailing.Judged{Stale: []error{errors.New("it passes")}}, want: 1},
		{name: "the list is mistaken", result: report.Conformant, cases: 9, judged: 5, list: "known.yaml", known: knownfailing.Judged{Mistaken: []error{errors.New("it matches nothing")}}, want: 2},
		{name: "a stop is not excused", result: report.NotConformant, cases: 9, judged: 5, list: "known.yaml", known: knownfailing.Judged{Stopped: "the loop hung"}, want: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &loopRun{flags: &runFlags{knownFailing: tt.list}}
			result := &report.Report{Result: tt.result, Cases: make([]report.Case, tt.cases)}
			for range tt.judged {
				result.Rules = append(result.Rules, report.Rule{Verdict: trace.Passed, Cases: 1})
			}
			if got := exitCode(r.verdict(result, &tt.known)); got != tt.want {
				t.Errorf("exit code %d, want %d", got, tt.want)
			}
		})
	}
}
