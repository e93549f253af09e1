package outcome

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// usageRules are the rules about the tokens that a loop reports.
var usageRules = []rules.Rule{
	{
		ID:       "outcome/usage-added-up",
		Level:    trace.Should,
		Text:     "The tokens that a loop reports are those of all answers, each counted once.",
		Why:      "All of them cost money, and budgets depend on this number.",
		Needs:    []protocol.Feature{protocol.UsageCounts},
		Evidence: "an outcome of a loop that used tools, where every answer came with its usage",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "usage: the tokens of this completion request"},
			{URL: "https://github.com/loopproof/loopproof/blob/main/docs/adapters.md", Says: "usage: for all of the task"},
		},
		Run: usageAddedUp,
	},
}

// ofSummaries returns the tokens of the answers to requests for a summary, which a loop may count
// or not: they are not of the conversation.
func ofSummaries(r *rules.Run) (sum protocol.Usage) {
	for _, x := range r.Exchanges {
		if x.Summary && !x.Turn.Fails() {
			sum.InputTokens += x.Turn.Answer.Usage.Prompt
			sum.OutputTokens += x.Turn.Answer.Usage.Completion
		}
	}
	return sum
}

// usageOf returns the tokens of all answers, and false if an answer has none: the cost of an
// incomplete attempt is unknown, and so is that of an answer which a loop may not know for one.
func usageOf(r *rules.Run) (sum protocol.Usage, known bool) {
	for _, x := range r.Conversation() {
		switch {
		case x.Turn == nil || x.Turn.Breaks() || x.Turn.Disguised() || !givesUsage(r, x):
			return sum, false
		case x.Turn.Fails():
		default:
			sum.InputTokens += x.Turn.Answer.Usage.Prompt
			sum.OutputTokens += x.Turn.Answer.Usage.Completion
		}
	}
	return sum, sum != protocol.Usage{}
}

// givesUsage reports whether the provider says with an answer what it cost. In a stream some say so
// only when asked.
func givesUsage(r *rules.Run, x *trace.Exchange) bool {
	return !x.Request.Stream || !r.Script.Profile.Traits.UsageWhenAsked || x.Request.Dialect.ShowsUsage(x.Request)
}

func usageAddedUp(r *rules.Run) (j rules.CheckResult) {
	want, known := usageOf(r)
	if r.Outcome == nil || !known || !r.UsedTools() {
		return j
	}
	j.HasEvidence = true
	got := r.Outcome.Usage
	more := ofSummaries(r)
	withThem := protocol.Usage{InputTokens: want.InputTokens + more.InputTokens, OutputTokens: want.OutputTokens + more.OutputTokens}
	if got == nil || *got != want && *got != withThem {
		j.Find(trace.Finding{
			Message:  "the reported tokens are not those of all answers",
			Expected: describeUsage(&want),
			Actual:   describeUsage(got),
		})
	}
	return j
}

func describeUsage(u *protocol.Usage) string {
	if u == nil {
		return "no usage"
	}
	return fmt.Sprintf("%d input tokens and %d output tokens", u.InputTokens, u.OutputTokens)
}
