package trace

import (
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/protocol"
)

// Run is one playing of a case: every exchange, every tool execution and the outcome.
type Run struct {
	Case       Case
	Script     *scenarios.Script
	Task       protocol.Task
	Exchanges  []*Exchange
	Executions []*Execution
	Outcome    *protocol.Outcome // nil if the loop reported none
	Ending     Ending

	// ClaimsProfile says that the loop names the run's profile in its claims, or a pattern that
	// matches it.
	ClaimsProfile bool

	// Designs are what the loop does otherwise than most, as it says.
	Designs []protocol.Design

	// ToolsNamed is the name under which the loop offers tools, with {tool} for that of the
	// scenario, or "" if it is not known.
	ToolsNamed string

	// Cancel is what the user cancelled, or nil if there is nothing.
	Cancel *Cancel

	// Crash is how the process of the loop was killed, or nil if it was not.
	Crash *Crash
	// Steering is what the user said while tools ran, or nil if that is nothing.
	Steering *Steering

	// Second is the provider of the second model, where that is one in another wire API; else nil. The
	// case and the script are those of the first one.
	Second *profiles.Profile

	// Approvals are the questions of the loop whether calls may be run, one for each call about
	// which it asked.
	Approvals []*Approval

	// Delegations are the conversations with sub-agents, in the order in which they were begun.
	Delegations []*Delegation
	// OfAgent says that the run is such a conversation. All its requests are requests of it, whatever
	// they say.
	OfAgent bool
}

// Cancel is what the user cancelled.
type Cancel struct {
	Turn    *scenarios.Turn // during which
	Request int             // number of the request that the turn answers
	At      time.Duration   // when the loop was cancelled, since the start of the run

	// Released says that the loop did not disconnect in time, so that what it had asked for was
	// sent after all.
	Released bool
}

// Ending says how the playing of a case ended.
type Ending struct {
	How  How
	At   time.Duration // since the start of the run
	Note string        // what is known about it, such as the last lines of a crashed adapter
}

// How is a way for a run to end.
type How string

// The ways to end. Only a Reported run has an outcome.
const (
	Reported How = "reported"
	Crashed  How = "crashed"
	Hung     How = "hung"
)
