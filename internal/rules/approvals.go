package rules

import "github.com/loopproof/loopproof/internal/trace"

// NeedsApproval reports whether the loop has to ask the user before it runs a call.
func (r *Run) NeedsApproval(c CallRun) bool {
	return r.Script.Scenario.NeedsApproval(c.Call.Scripted())
}

// Questions returns the questions of the loop whether a call may be run.
func (r *Run) Questions(c CallRun) (asked []*trace.Approval) {
	for _, a := range r.Approvals {
		if a.Request > 0 && r.Exchange(a.Request).Turn == c.Turn && a.N == c.N {
			asked = append(asked, a)
		}
	}
	return asked
}

// denied reports whether the user denied a call, or would have if the loop had asked.
func (r *Run) denied(c CallRun) bool {
	for _, a := range r.Questions(c) {
		if a.Decided > 0 {
			return !a.Approve
		}
	}
	_, is := c.Turn.Denied(c.N)
	return is
}
