package finish

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// TakenOrReported demands that an answer which is complete but for its finish reason is the answer,
// or a failure that is reported, perhaps after some more attempts. Providers and clients disagree
// which of them it is.
func TakenOrReported(r *rules.Run, quirks []rules.Quirk) (j rules.CheckResult) {
	for _, x := range r.Served() {
		quirk, shown := rules.QuirkOf(x.Turn, quirks)
		if !shown || x.Turn.Asks() || r.Outcome == nil && r.Ending.How == "" {
			continue
		}
		next := r.Next(x)
		if next != nil && !next.Overrun {
			continue // another attempt
		}
		j.HasEvidence = j.HasEvidence || r.UsedTools() && r.Outcome != nil
		f := trace.Finding{Request: x.Number, Answer: x.Number, Expected: fmt.Sprintf("the answer %s, or a failure", rules.Quote(x.Turn.Answer.Text))}
		said := "the provider " + quirk.Does + ", and "
		switch {
		case next != nil:
			f.Message, f.Actual = said+"the loop asked again without end", rules.Plural(len(r.Conversation()), "request")
		case r.Outcome == nil:
			f.Message, f.Actual = said+"the loop did not survive it", r.DescribeEnd()
		case r.Outcome.Status == protocol.Completed && strings.TrimSpace(r.Outcome.Text) != strings.TrimSpace(x.Turn.Answer.Text):
			f.Message, f.Actual, f.Lost = said+"the reported answer is not the model's", rules.Quote(r.Outcome.Text), true
		default:
			continue
		}
		if !r.Baseline.HasDiscrepancyAt(x, "answer") {
			j.Find(f)
		}
	}
	return j
}
