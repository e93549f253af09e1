package history

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// keptRules are the rules about conversations that the provider keeps, so that a request holds only
// what is new.
var keptRules = []rules.Rule{
	{
		ID:        "history/lost-thread-sent-again",
		Level:     trace.Should, // some loops keep no history of their own, as documented: they can only report the error
		Where:     rules.KeepsHistory,
		Threads:   true,
		Text:      "A conversation that the provider no longer keeps is sent again in full.",
		Why:       "The provider keeps it for a limited time, such as five minutes; otherwise a tool that takes longer would end the run.",
		Invariant: true,
		Evidence:  "a request that the provider refused since the conversation is gone, and what came after it",
		Sources: []rules.Source{
			{URL: "https://platform.claude.com/docs/en/build-with-claude/message-threads", Says: "a thread is best-effort and expires 5 minutes after its last request; then send the whole conversation in a new create request"},
			{URL: "https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/resources/messages/messages.ts", Says: "ThreadNotFoundError: replay the full conversation"},
			{URL: "https://platform.openai.com/docs/guides/conversation-state", Says: "responses are kept for 30 days, and not where a request or an organisation says so"},
		},
		Run: lostThreadSentAgain,
	},
}

func lostThreadSentAgain(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Exchanges {
		if x.Thread == nil || !x.Thread.Lost {
			continue
		}
		switch next := r.Next(x); {
		case next != nil && next.Kept() == 0:
			j.HasEvidence = true
		case next == nil && r.Outcome != nil && !r.EndedByCancel():
			j.Find(trace.Finding{
				Request:  x.Number,
				Message:  "the provider had lost the conversation, and the loop did not send it again",
				Expected: "another request, with all messages",
				Actual:   r.DescribeEnd(),
			})
		}
	}
	return j
}
