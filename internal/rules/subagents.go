package rules

import (
	"cmp"
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/protocol"
)

// Delegation is a conversation with a sub-agent, which is judged as a run of its own: the caller is
// the user in it.
type Delegation struct {
	*trace.Delegation
	Run *Run
}

// addDelegated adds the conversations with sub-agents to the executions, as the tools that they are
// for the caller.
func (r *Run) addDelegated() {
	if len(r.Run.Delegations) == 0 {
		return
	}
	r.Executions = slices.Clone(r.Executions)
	for _, d := range r.Run.Delegations {
		r.Executions = append(r.Executions, executionOf(r.Exchange(d.Request), d))
	}
	slices.SortStableFunc(r.Executions, func(a, b *trace.Execution) int { return cmp.Compare(a.Start, b.Start) })
}

func executionOf(in *trace.Exchange, d *trace.Delegation) *trace.Execution {
	call, all := in.Turn.Answer.Calls[d.N], d.Run.Exchanges
	first, last := all[0], all[len(all)-1]
	e := &trace.Execution{Tool: d.Agent, CallID: call.ID, Arguments: call.Arguments, Start: first.Start, End: last.End, Failed: true, Result: scenarios.NoAnswer}
	if last.Turn != nil && last.Turn.Final() {
		e.Result, e.Failed = last.Turn.Answer.Text, false
	}
	return e
}

// examineDelegated examines the conversations with sub-agents. What came of one is what its caller
// was told.
func (r *Run) examineDelegated(schemas transcript.Checker) {
	for _, d := range r.Run.Delegations {
		one := *d.Run
		one.Case, one.ClaimsProfile, one.Designs, one.ToolsNamed = r.Case, r.ClaimsProfile, r.Designs, r.ToolsNamed
		one.Ending, one.Outcome = r.Ending, r.outcomeOf(d)
		r.Delegations = append(r.Delegations, &Delegation{d, Examine(one, schemas)})
	}
}

// outcomeOf returns what a conversation with a sub-agent came to: the last answer of the model,
// which rules about the caller's results follow, or that it ended without one.
func (r *Run) outcomeOf(d *trace.Delegation) *protocol.Outcome {
	if r.Outcome == nil {
		return nil
	}
	all := d.Run.Exchanges
	if last := all[len(all)-1]; last.Turn != nil && last.Turn.Final() {
		return &protocol.Outcome{Status: protocol.Completed, Text: last.Turn.Answer.Text}
	}
	why := "the sub-agent came to no answer"
	for _, e := range r.Answered() {
		if e.Turn != r.Exchange(d.Request).Turn {
			continue
		}
		if result, told := e.Result(d.N); told {
			why = result.Content.Text
		}
	}
	if last := all[len(all)-1]; last.Turn != nil && last.Turn.Fails() {
		return &protocol.Outcome{Status: protocol.Failed, Error: why}
	}
	return &protocol.Outcome{Status: protocol.Stopped, Reason: why}
}

// StoppedAgent reports whether a call asked a sub-agent that came to no answer although its model did
// not fail, as at its turn limit.
func (r *Run) StoppedAgent(c CallRun) bool {
	return slices.ContainsFunc(r.Delegations, func(d *Delegation) bool {
		return d.Request == c.In.Number && d.N == c.N && d.Run.Outcome != nil && d.Run.Outcome.Status == protocol.Stopped
	})
}
