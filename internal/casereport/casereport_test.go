package casereport

import (
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

// TestFailuresOfToolsAreTold: a finding says which tools had failed for the answer before, and not
// for others.
func TestFailuresOfToolsAreTold(t *testing.T) {
	answer := &wire.Answer{Calls: []wire.AnswerCall{{ID: "c1", Name: "look", Arguments: "{}"}}, Finish: wire.FinishCalls}
	played := Played{
		Exchanges: []*trace.Exchange{
			{Number: 1, Start: time.Second, Turn: &scenarios.Turn{Step: &scenarios.Step{}, Answer: answer}},
			{Number: 2, Start: 3 * time.Second},
		},
		Executions: []*trace.Execution{
			{Tool: "look", Start: 2 * time.Second, Failed: true, Result: "down"},
			{Tool: "look", Start: 2 * time.Second, Result: "fine"},
			{Tool: "other", Start: 2 * time.Second, Failed: true, Result: "down"},
			{Tool: "look", Start: 4 * time.Second, Failed: true, Result: "later"},
		},
	}
	c := report.Case{Verdicts: map[string]trace.Verdict{}}
	played.Add(&c, rules.Judgement{Rule: &rules.Rule{ID: "a/b"}, Verdict: trace.Failed, Findings: []trace.Finding{{Rule: "a/b", Answer: 1}}})
	const want = `The mock provider answered with a tool call (look {} as c1). The tool look was run, and failed with "down".`
	if got := c.Findings[0].Answered; got != want {
		t.Errorf("told: %s\nwant: %s", got, want)
	}
}
