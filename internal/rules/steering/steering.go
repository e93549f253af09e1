package steering

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// queueDocs is the page on which a framework describes when the prompt is sent.
const queueDocs = "https://docs.openclaw.ai/concepts/queue-steering"

// coreRules are the rules about a prompt that comes while tools run. That it is sent, once, and that
// each call has its result before it, is for the rules about prompts and pairing.
var coreRules = []rules.Rule{
	{
		ID:          "steering/behind-the-open-turn",
		Level:       trace.Must,
		Text:        "A prompt that the user says while the tools of a turn run stands behind that turn in the history.",
		Why:         "Otherwise the model sees an instruction that it seems to have ignored, and the prefix that the provider has cached ends there.",
		Needs:       []protocol.Feature{protocol.Steering},
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a request with the turn and the prompt",
		Sources: []rules.Source{
			{URL: queueDocs, Says: "queued messages are appended behind the results of the running batch, before the next request"},
			{URL: "https://github.com/guanyilun/agent-sh/pull/259", Says: "behind all results of the round, and before the model is asked again"},
			{URL: "https://github.com/openclaw/openclaw/issues/109375", Says: "a prompt in the middle of a call made the run fail"},
		},
		Run: behindTheOpenTurn,
	},
	{
		ID:          "steering/interruption-told",
		Level:       trace.Should,
		Text:        "The result of a call that the loop gave up for a prompt of the user says something.",
		Why:         "An empty result looks like a tool that has done its work and found nothing.",
		Needs:       []protocol.Feature{protocol.Steering, protocol.Executions},
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "a result of a call whose tool ran when the user said something",
		Sources: []rules.Source{
			{URL: "https://github.com/vellum-ai/vellum-assistant/pull/31307", Says: "an error as the result of each call that is open when the user interrupts"},
			{URL: "https://github.com/anthropics/claude-code/issues/86001", Says: "a model that was told the wrong reason"},
		},
		Run: interruptionTold,
	},
}

// behindTheOpenTurn looks at each request that returns the turn and says the prompt.
func behindTheOpenTurn(r *rules.Run) (j rules.CheckResult) {
	s := r.Steering
	if s == nil {
		return j
	}
	prompt, turn := strings.TrimSpace(r.Task.Prompts[s.Prompt]), r.Exchange(s.Request).Turn
	for _, x := range r.Conversation() {
		if x.Number <= s.Request || x.Kept() > 0 {
			continue
		}
		messages := x.Request.Messages
		said := slices.IndexFunc(messages, func(m wire.Message) bool { return m.Role == wire.User && strings.Contains(m.Content.Text, prompt) })
		open := slices.IndexFunc(messages, func(m wire.Message) bool { return rules.SameCall(turn.Answer, &m) })
		if said < 0 || open < 0 || calledAgain(r, turn, x) {
			continue
		}
		j.HasEvidence = true
		if said < open {
			j.FindAt(x, messages[said].Node.Pointer(),
				"a prompt that came while tools ran stands before the turn that called them",
				"behind the turn: "+rules.Quote(prompt),
				rules.Show(messages[said].Node))
			break
		}
	}
	return j
}

// calledAgain reports whether a later turn before a request made a call of the open turn again, so
// that a history without the open turn has an equal call as well.
func calledAgain(r *rules.Run, open *scenarios.Turn, x *trace.Exchange) bool {
	return slices.ContainsFunc(r.Served(), func(y *trace.Exchange) bool {
		return r.Steering.Request < y.Number && y.Number < x.Number && y.Turn.Answer != nil &&
			slices.ContainsFunc(open.Answer.Calls, func(c wire.AnswerCall) bool {
				return slices.ContainsFunc(y.Turn.Answer.Calls, func(again wire.AnswerCall) bool { return rules.SameCallMade(c, again) })
			})
	})
}

// interruptionTold looks at the calls of the turn that were given up, or not begun.
func interruptionTold(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.Answered() {
		for n := range e.Turn.Answer.Calls {
			c := r.CallRun(e, n)
			res, answered := e.Result(n)
			if !answered || !r.SteeredIn(c) {
				continue
			}
			j.HasEvidence = true
			if gaveUp := len(c.Executions) == 0 || c.Executions[0].GivenUp(); gaveUp && res.Content.Blank() {
				j.FindAt(e.In, res.Node.Pointer()+"/content",
					fmt.Sprintf("the call %s, which was given up for a prompt of the user, was answered with nothing", c.Call.As),
					"words from which the model knows that it was interrupted",
					"an empty result")
			}
		}
	}
	return j
}
