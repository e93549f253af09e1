package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/protocol"
)

// endQuirks are those of what comes, or does not come, behind the end mark of a stream.
var endQuirks = []string{"done-unfinished", "left-open", "more-after-done", "done-after-stop"}

// endsAtDone is [readInPlain] for the endQuirks.
func endsAtDone(r *Run) Judged {
	j := readInPlain(r, endQuirks)
	for _, x := range r.Served() {
		if quirk, shown := quirkOf(x.Turn, endQuirks); shown && x.HeldOpenUntilTimeout && r.waitedFor(x) {
			j.Find(Finding{
				Request:  x.Number,
				Answer:   x.Number,
				Message:  "the provider " + quirk.Does + ", and the loop waited for its end",
				Expected: "the connection is left at the end mark",
				Actual:   "it was still read when we closed it",
			})
		}
	}
	return j
}

// waitedFor reports whether a loop did nothing until an exchange was over.
func (r *Run) waitedFor(x *Exchange) bool {
	next := r.Next(x)
	return next != nil && next.Start >= x.End && !slices.ContainsFunc(r.Executions, func(e *Execution) bool {
		return e.Start > x.Start && e.Start < x.End
	})
}

// takenOrReported demands that an answer which is complete but for its finish word is the answer, or a failure that is
// reported, perhaps after some more attempts. Providers and clients disagree which of them it is.
func takenOrReported(quirks ...string) func(*Run) Judged {
	return func(r *Run) Judged { return r.takenOrReported(quirks) }
}

func (r *Run) takenOrReported(quirks []string) (j Judged) {
	for _, x := range r.Served() {
		quirk, shown := quirkOf(x.Turn, quirks)
		if !shown || x.Turn.Asks() || r.Outcome == nil && r.Ending.How == "" {
			continue
		}
		next := r.Next(x)
		if next != nil && !next.Overrun {
			continue // another attempt
		}
		j.Seen = j.Seen || r.UsedTools() && r.Outcome != nil
		f := Finding{Request: x.Number, Answer: x.Number, Expected: fmt.Sprintf("the answer %s, or a failure", quote(x.Turn.Answer.Text))}
		said := "the provider " + quirk.Does + ", and "
		switch {
		case next != nil:
			f.Message, f.Actual = said+"the loop asked again without end", plural(len(r.Taken()), "request")
		case r.Outcome == nil:
			f.Message, f.Actual = said+"the loop did not survive it", r.ended()
		case r.Outcome.Status == protocol.Completed && strings.TrimSpace(r.Outcome.Text) != strings.TrimSpace(x.Turn.Answer.Text):
			f.Message, f.Actual, f.Lost = said+"the reported answer is not the model's", quote(r.Outcome.Text), true
		default:
			continue
		}
		if !r.Plain.slipsAt(x, "answer") {
			j.Find(f)
		}
	}
	return j
}

// callsTakenOrReported demands that calls come to the same as without their quirk, or that the loop, after some more
// attempts perhaps, reports that it cannot take them.
func callsTakenOrReported(r *Run) (j Judged) {
	for _, x := range r.Served() {
		quirk, shown := quirkOf(x.Turn, []string{"call-index-huge"})
		if !shown {
			continue
		}
		next := r.Next(x)
		refused := next == nil && r.Outcome != nil && r.Outcome.Status != protocol.Completed
		if refused || next != nil && len(next.Request.Messages) == len(x.Request.Messages) {
			j.Seen = j.Seen || r.UsedTools()
			continue
		}
		r.readIn(x, quirk, &j)
	}
	return j
}

// usageLastWins demands that the tokens which a loop reports are those that the last counts of each stream add up to.
// A loop that counts otherwise anyway is for other rules.
func usageLastWins(quirks ...string) func(*Run) Judged {
	return func(r *Run) Judged { return r.countsAsLast(quirks) }
}

func (r *Run) countsAsLast(quirks []string) (j Judged) {
	for _, x := range r.Served() {
		quirk, shown := quirkOf(x.Turn, quirks)
		if !shown || r.Outcome == nil || r.Outcome.Usage == nil {
			continue
		}
		j.Seen = r.UsedTools()
		f, wrong := r.countedWrongly()
		if !wrong {
			continue
		}
		if r.Plain != nil {
			if _, anyway := r.Plain.countedWrongly(); anyway {
				continue
			}
		}
		f.Message, f.Answer, f.Request = "the provider "+quirk.Does+", and "+f.Message, x.Number, x.Number
		j.Find(f)
		break
	}
	return j
}

// countedWrongly compares the tokens that a loop reports with those of the whole answers that it was given.
func (r *Run) countedWrongly() (Finding, bool) {
	if r.Outcome == nil || r.Outcome.Usage == nil {
		return Finding{}, false
	}
	var want protocol.Usage
	for _, x := range r.Served() {
		if x.Turn.Whole() {
			want.InputTokens += x.Turn.Answer.Usage.Prompt
			want.OutputTokens += x.Turn.Answer.Usage.Completion
		}
	}
	got := *r.Outcome.Usage
	f := Finding{
		Message:  "the tokens were not counted once",
		Expected: fmt.Sprintf("%d in, %d out", want.InputTokens, want.OutputTokens),
		Actual:   fmt.Sprintf("%d in, %d out", got.InputTokens, got.OutputTokens),
	}
	return f, got.InputTokens != want.InputTokens || got.OutputTokens != want.OutputTokens
}

// lastOrReported demands that of a turn which began twice in one stream what came last is taken, or that it is taken for
// one that broke off: asked for again, or reported as a failure.
func lastOrReported(quirks ...string) func(*Run) Judged {
	return func(r *Run) (j Judged) {
		for _, x := range r.Served() {
			quirk, shown := quirkOf(x.Turn, quirks)
			if !shown {
				continue
			}
			next := r.Next(x)
			again := next != nil && len(next.Request.Messages) <= len(x.Request.Messages)
			reported := next == nil && r.Outcome != nil && r.Outcome.Status != protocol.Completed
			j.Seen = j.Seen || r.showsWhatBecameOf(x) || again && r.UsedTools()
			if again || reported {
				continue
			}
			if slips := r.newSlips(x); len(slips) > 0 {
				j.slip(slips[0], x, quirk)
			}
		}
		return j
	}
}
