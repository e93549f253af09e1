package responsesrules

import (
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

const phaseGuide = "https://openrouter.ai/docs/cookbook/evaluate-and-optimize/model-migrations/gpt-5-4"

// commentary are the rules about messages in which the model says what it is about to do, before it
// answers in another one.
var commentary = []rules.Rule{
	{
		ID:       "history/commentary-comes-back",
		Level:    trace.Should,
		Returned: true,
		Text:     "A message in which the model says what it is about to do goes back with the answer that followed it.",
		Why:      "The model reads an answer that it came to in another way than it did, and the cache of the provider does not fit.",
		Evidence: "a request that returns a turn with such a message before its answer",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "MessagePhase: preserve and resend phase on all assistant messages; dropping it can degrade performance"},
			{URL: phaseGuide, Says: "persist the items of the answer verbatim, and pass them back"},
			{URL: "https://github.com/NousResearch/hermes-agent/pull/58696", Says: "the commentary is kept out of what the user sees, and kept in what goes back"},
		},
		Run: commentaryComesBack,
	},
	{
		ID:       "outcome/commentary-is-no-answer",
		Level:    trace.Should,
		Text:     "The answer that is reported is what the model gave as its answer, without the commentary before it.",
		Why:      "The caller reads \"I look it up.\" and the answer as one text, in some turns the answer twice.",
		Evidence: "an outcome after an answer with a commentary before it",
		Sources: []rules.Source{
			{URL: phaseGuide, Says: "commentary: intermediate assistant message; final_answer: the final closeout message"},
			{URL: "https://github.com/langchain4j/langchain4j/issues/6399", Says: "an answer that ran into the commentary before it, or that was doubled"},
			{URL: "https://github.com/NousResearch/hermes-agent/pull/58868", Says: "planning fragments joined to final answers"},
			{URL: "https://github.com/JetBrains/koog/pull/1976", Says: "a commentary that surfaced as one more message of the agent"},
		},
		Run: commentaryIsNoAnswer,
	},
}

func commentaryComesBack(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedTurns() {
		given := strings.TrimSpace(e.Turn.Answer.Commentary)
		if given == "" || e.Message == nil || !strings.Contains(e.Message.Content.Text, strings.TrimSpace(e.Turn.Answer.Text)) {
			continue // whether the answer came back, other rules look at
		}
		j.HasEvidence = true
		found := false
		eachItem(e.In.Request, func(item *wire.Node, kind string) {
			found = found || kind == "message" && item.Get("role").Text() == "assistant" && strings.Contains(textOfMessage(item), given)
		})
		if !found {
			j.Find(trace.Finding{
				Request: e.In.Number, Pointer: e.In.Request.HistoryPointer(), Message: "what the model said before its answer did not come back",
				Expected: rules.Quote(given), Actual: rules.DescribeReturn(e),
			})
		}
	}
	return j
}

// commentaryIsNoAnswer leaves an outcome without the answer to outcome/final-text.
func commentaryIsNoAnswer(r *rules.Run) (j rules.CheckResult) {
	last := r.Last()
	if last == nil || r.Outcome == nil || r.Outcome.Status != protocol.Completed || !last.Turn.Final() || last.Turn.Answer.Commentary == "" {
		return j
	}
	j.HasEvidence = true
	a := last.Turn.Answer
	_, behind, found := strings.Cut(r.Outcome.Text, strings.TrimSpace(a.Commentary))
	if found && strings.Contains(behind, strings.TrimSpace(a.Text)) {
		j.FindInAnswer(last, "the reported answer has the commentary in it", rules.Quote(a.Text), rules.Quote(r.Outcome.Text))
	}
	return j
}
