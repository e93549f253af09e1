package trace

import "slices"

// Delegation is the conversation with a sub-agent that a call began. Its requests are numbered with
// those of its caller.
type Delegation struct {
	Agent   string // the name of the tool that it answers
	Request int    // number of the request of the caller in whose answer it was called
	N       int    // of the call in that answer
	Run     *Run
}

// place returns the index of the exchange of a number, or -1.
func (r *Run) place(number int) int {
	return slices.IndexFunc(r.Exchanges, func(x *Exchange) bool { return x.Number == number })
}

// Exchange returns the exchange of a number, which there is.
func (r *Run) Exchange(number int) *Exchange { return r.Exchanges[r.place(number)] }

// Before returns the exchange right before one of the run, be it of its conversation or garbage, or
// nil.
func (r *Run) Before(x *Exchange) *Exchange {
	if at := r.place(x.Number); at > 0 {
		return r.Exchanges[at-1]
	}
	return nil
}

// After returns the exchange right after one of the run, be it of its conversation or garbage, or
// nil.
func (r *Run) After(x *Exchange) *Exchange {
	if at := r.place(x.Number); at >= 0 && at < len(r.Exchanges)-1 {
		return r.Exchanges[at+1]
	}
	return nil
}
