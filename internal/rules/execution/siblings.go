package execution

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

func siblingsUnaffected(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if !runnable(c) || wire.BlankArguments(c.Call.Arguments) || r.ToolFails(c.Call) || !inBadCompany(r, c) || !r.WentOn(c) {
			continue
		}
		switch {
		case r.ResumedBy(r.Next(c.In)) != nil: // the caller may have been told, and went on
			continue
		case r.FailedAt(c): // bad-call-survived looks at those
			j.HasEvidence = j.HasEvidence || r.RanBefore(c.In)
			continue
		}
		j.HasEvidence = true
		if len(c.Executions) == 0 {
			j.FindInAnswer(c.In,
				fmt.Sprintf("the call %s was not run; a sibling of it is bad", c.Call.As),
				fmt.Sprintf("%s is run with %s", c.Call.Name, rules.Quote(c.Call.Arguments)),
				"no run")
			continue
		}
		if next := r.Next(c.In); next != nil && !c.ReturnedBefore(next.Start) {
			f := trace.Finding{
				Request:  next.Number,
				Answer:   c.In.Number,
				Calls:    []string{c.Call.ID},
				Message:  fmt.Sprintf("the call %s was given up while its tool ran; a sibling of it is bad", c.Call.As),
				Expected: "a next request when " + c.Call.Name + " has returned",
				Actual:   "a next request without waiting for it",
				Level:    trace.Should, // some loops give up what runs beside a failure, and tell the model
			}
			j.Find(f)
		}
	}
	return j
}
