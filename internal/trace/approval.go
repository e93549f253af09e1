package trace

import "time"

// Approval is a question of the loop whether a call may be run.
type Approval struct {
	CallID    string // where the loop exposes it
	Tool      string // as the loop named it
	Arguments string // as the loop showed them

	// Request is the number of the request in whose answer the call is, and N its place there; 0 if
	// it is none of the model's.
	Request, N int

	Asked   time.Duration
	Decided time.Duration // both since the start of the run; 0: the user decided nothing
	Approve bool
	Reason  string // of a denial
	With    string // the arguments that the user approved instead; "" are those of the call
}

// Says returns what the user decided, with its reason or the other arguments.
func (a *Approval) Says() string {
	switch said := a.Decision(); {
	case a.Decided > 0 && !a.Approve && a.Reason != "":
		return said + ": " + a.Reason
	case a.With != "":
		return said + " with " + a.With
	default:
		return said
	}
}

// Decision returns in a word what the user decided.
func (a *Approval) Decision() string {
	switch {
	case a.Decided == 0:
		return "undecided"
	case a.Approve:
		return "approved"
	default:
		return "denied"
	}
}
