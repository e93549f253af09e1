package failure

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// resumedRules are those about a conversation that continues after a prompt without an answer.
var resumedRules = []rules.Rule{
	{
		ID:          "failure/next-prompt-asked",
		Level:       trace.Must,
		Text:        "If a prompt got no answer and the user continues, the next prompt is sent to the model.",
		Why:         "One bad answer, or one bad minute of the provider, is the end of the whole conversation.",
		Needs:       []protocol.Feature{protocol.MultiPrompt, protocol.ResumeAfterFailure},
		AnyDelivery: true,
		Evidence:    "an outcome of a loop that used tools, after the next prompt was asked",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "resume_after_failure: the next prompt is given also where the one before ended without an answer"},
			{URL: "https://www.trigger.dev/docs/ai-chat/error-handling.md", Says: "an error does not end the chat: the agent waits for the user's next message"},
			{URL: "https://github.com/open-webui/open-webui/issues/26892", Says: "an error that blocked the chats after it"},
		},
		Run: nextPromptAsked,
	},
}

// nextPromptAsked looks at loops that were told that the user continues.
func nextPromptAsked(r *rules.Run) (j rules.CheckResult) {
	if r.Outcome == nil || !r.Task.ResumeAfterFailure || r.HadToEnd() {
		return j
	}
	asked := 0 // the last prompt so far: later requests may have forgotten it
	for _, x := range r.Served() {
		asked = max(asked, r.PromptOf(x))
		if !x.Turn.LeavesUnanswered() || asked == len(r.Task.Prompts)-1 {
			continue
		}
		if moved := r.Next(x) != nil; moved {
			j.HasEvidence = j.HasEvidence || r.ResumedBy(r.Next(x)) != nil && r.UsedTools()
			continue
		}
		if r.Outcome.Status == protocol.Completed { // prompts-sent looks at those
			continue
		}
		next := r.Task.Prompts[asked+1]
		j.FindInAnswer(x,
			"the conversation ended at a prompt without an answer, although the user went on",
			"a request with "+rules.Quote(next),
			fmt.Sprintf("%s after %s", r.DescribeEnd(), rules.Plural(len(r.Conversation()), "request")))
	}
	return j
}
