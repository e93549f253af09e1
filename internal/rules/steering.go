package rules

// SteeredIn reports whether the user said something while the tools of the turn of a call ran: a
// loop may give these up, and begin no further one.
func (r *Run) SteeredIn(c CallRun) bool {
	return r.Steering != nil && c.In != nil && c.In.Number == r.Steering.Request
}
