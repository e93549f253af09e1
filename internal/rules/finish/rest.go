package finish

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// restRules are the rules about loops that ask for the rest of an answer which the token limit cut.
var restRules = []rules.Rule{
	{
		ID:       "finish/half-in-request-for-rest",
		Level:    trace.Should,
		Text:     "A request for the rest of an answer that the token limit cut has the half that arrived.",
		Why:      "The model cannot continue what it does not see: it begins anew, and the two halves do not fit. Not a must: a loop that drops what was cut may ask the model to continue with its work.",
		Asked:    asksForRest,
		Evidence: "a request that asks the model to continue an answer which the token limit cut",
		Sources: []rules.Source{
			{URL: rules.StopReasonDocs, Says: "max_tokens: the half goes back as the answer, and the user asks to continue"},
			{URL: "https://github.com/octos-org/octos/issues/226", Says: "the model cannot continue where it has no memory of the half"},
		},
		Run: halfInRequestForRest,
	},
	{
		ID:       "finish/half-in-answer",
		Level:    trace.Should,
		Text:     "An answer of which the loop asked for the rest is reported with both halves.",
		Why:      "The caller gets the end of an answer without its beginning. Not a must: a loop may stream both halves, and report its last message.",
		Asked:    asksForRest,
		Evidence: "an outcome after the model gave the rest of an answer",
		Sources: []rules.Source{
			{URL: rules.StopReasonDocs, Says: "max_tokens: the rest is added to the half"},
			{URL: "https://github.com/NVIDIA-NeMo/labs-OO-Agents/pull/356", Says: "the parts are joined without a separator, and delivered as one answer"},
		},
		Run: halfInAnswer,
	},
}

// cutAnswer is an answer that the token limit cut, and the request by which the loop asked for its
// rest.
type cutAnswer struct {
	half string
	rest *trace.Exchange
}

// cutAnswers returns the cut answers of which the loop asked for the rest.
func cutAnswers(r *rules.Run) (asked []cutAnswer) {
	for _, x := range r.Served() {
		a, next := x.Turn.Answer, r.Next(x)
		if x.Turn.Truncated() && a.Finish == wire.FinishLength && len(a.Calls) == 0 && a.Text != "" && next != nil && wantsRest(next.Request) {
			asked = append(asked, cutAnswer{a.Text, next})
		}
	}
	return asked
}

func asksForRest(r *rules.Run) bool { return len(cutAnswers(r)) > 0 }

// continueWords are words of which one is in a message that asks the model to continue. One that
// asks for a shorter answer has none of them: the half is not a part of that.
var continueWords = []string{"continue", "resume", "go on", "carry on", "keep going", "pick up", "left off"}

// wantsRest reports whether a request ends with a message of the user that asks the model to
// continue.
func wantsRest(req *wire.Request) bool {
	if len(req.Messages) == 0 {
		return false
	}
	last := req.Messages[len(req.Messages)-1]
	said := strings.ToLower(last.Content.Text)
	return last.Role == wire.User && slices.ContainsFunc(continueWords, func(w string) bool { return strings.Contains(said, w) })
}

func halfInRequestForRest(r *rules.Run) (j rules.CheckResult) {
	for _, cut := range cutAnswers(r) {
		j.HasEvidence = true
		if !sent(cut.rest.Request, cut.half) {
			j.Find(trace.Finding{
				Request: cut.rest.Number, Pointer: cut.rest.Request.HistoryPointer(),
				Message:  "the request asks the model to continue an answer, and does not have the half that arrived",
				Expected: "a message with " + rules.Quote(cut.half), Actual: "no message has it",
			})
		}
	}
	return j
}

// sent reports whether a request has a text in some message, whoever says it.
func sent(req *wire.Request, text string) bool {
	return slices.ContainsFunc(req.Messages, func(m wire.Message) bool {
		return rules.ContainsText(m.Content.Text, text) || rules.CleansText(m.Content.Text, text)
	})
}

func halfInAnswer(r *rules.Run) (j rules.CheckResult) {
	asked := cutAnswers(r)
	if len(asked) == 0 || r.Outcome == nil || r.Outcome.Status != protocol.Completed {
		return j
	}
	cut := asked[len(asked)-1]
	if last := r.Last(); cut.rest != last || !last.Turn.Final() { // it was given no rest
		return j
	}
	j.HasEvidence = true
	if text := r.Outcome.Text; !rules.ContainsText(text, cut.half) && !rules.CleansText(text, cut.half) {
		j.FindInAnswer(cut.rest,
			"the loop asked for the rest of an answer, and reports it without the half that had arrived",
			"a text that begins with "+rules.Quote(cut.half), rules.Quote(text))
	}
	return j
}
