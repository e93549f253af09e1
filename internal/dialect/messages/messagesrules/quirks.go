package messagesrules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/protocol"
)

// lastOrReported demands that of a turn which began twice in one stream what came last is taken, or
// that it is treated as one that broke off: asked for again, or reported as a failure.
func lastOrReported(r *rules.Run, quirks []rules.Quirk) (j rules.CheckResult) {
	for _, x := range r.Served() {
		quirk, shown := rules.QuirkOf(x.Turn, quirks)
		if !shown {
			continue
		}
		next := r.Next(x)
		again := next != nil && len(next.Request.Messages) <= len(x.Request.Messages)
		reported := next == nil && r.Outcome != nil && r.Outcome.Status != protocol.Completed
		j.HasEvidence = j.HasEvidence || r.ShowsWhatBecameOf(x) || again && r.UsedTools()
		if again || reported {
			continue
		}
		if discrepancies := r.NewDiscrepancies(x); len(discrepancies) > 0 {
			j.FindDiscrepancy(discrepancies[0], x, quirk)
		}
	}
	return j
}
