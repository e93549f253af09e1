package rules

import "github.com/loopproof/loopproof/internal/trace"

// What happened in a run is recorded in the types of package trace.
type (
	Case      = trace.Case
	Exchange  = trace.Exchange
	Thread    = trace.Thread
	Cancel    = trace.Cancel
	Refusal   = trace.Refusal
	Execution = trace.Execution
	Ending    = trace.Ending
	Finding   = trace.Finding
	Level     = trace.Level
	Verdict   = trace.Verdict
)

// The levels and verdicts.
const (
	Must      = trace.Must
	Should    = trace.Should
	Info      = trace.Info
	Passed    = trace.Passed
	Failed    = trace.Failed
	Untested  = trace.Untested
	Unclaimed = trace.Unclaimed
)
