package stream

import (
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// endsAtDone is [rules.CompareWithBaseline] for quirks of what comes, or does not come, after the
// end mark of a stream.
func endsAtDone(r *rules.Run, quirks []rules.Quirk) rules.CheckResult {
	j := rules.CompareWithBaseline(r, quirks)
	for _, x := range r.Served() {
		if quirk, shown := rules.QuirkOf(x.Turn, quirks); shown && x.HeldOpenUntilTimeout && waitedFor(r, x) {
			j.FindInAnswer(x,
				"the provider "+quirk.Does+", and the loop waited for its end",
				"the connection is left at the end mark",
				"it was still read when we closed it")
		}
	}
	return j
}

// waitedFor reports whether a loop did nothing until an exchange was over.
func waitedFor(r *rules.Run, x *trace.Exchange) bool {
	next := r.Next(x)
	return next != nil && next.Start >= x.End && !slices.ContainsFunc(r.Executions, func(e *trace.Execution) bool {
		return e.Start > x.Start && e.Start < x.End
	})
}

// callsTakenOrReported demands that calls have the same result as without their quirk, or that the
// loop, after some more attempts perhaps, reports that it cannot take them.
func callsTakenOrReported(r *rules.Run, quirks []rules.Quirk) (j rules.CheckResult) {
	for _, x := range r.Served() {
		quirk, shown := rules.QuirkOf(x.Turn, quirks)
		if !shown {
			continue
		}
		next := r.Next(x)
		refused := next == nil && r.Outcome != nil && r.Outcome.Status != protocol.Completed
		if refused || next != nil && len(next.Request.Messages) == len(x.Request.Messages) {
			j.HasEvidence = j.HasEvidence || r.UsedTools()
			continue
		}
		r.CompareAt(x, quirk, &j)
	}
	return j
}

// UsageLastWins demands that the tokens which a loop reports are those that the last counts of each
// stream add up to. A loop that counts otherwise anyway is for other rules.
func UsageLastWins(r *rules.Run, quirks []rules.Quirk) (j rules.CheckResult) {
	for _, x := range r.Served() {
		quirk, shown := rules.QuirkOf(x.Turn, quirks)
		if !shown || r.Outcome == nil || r.Outcome.Usage == nil {
			continue
		}
		j.HasEvidence = r.UsedTools()
		f, wrong := r.CountedWrongly()
		if !wrong {
			continue
		}
		if r.Baseline != nil {
			if _, anyway := r.Baseline.CountedWrongly(); anyway {
				continue
			}
		}
		f.Message, f.Answer, f.Request = "the provider "+quirk.Does+", and "+f.Message, x.Number, x.Number
		j.Find(f)
		break
	}
	return j
}
