package models

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// apiRules are the rules about a conversation that goes from one wire API to another one. Ids may be
// others there, calls may be told as texts, and what the first API has a form for the second one may
// have in another.
var apiRules = []rules.Rule{
	{
		ID:          "models/texts-go-along",
		Level:       trace.Must,
		Text:        "A request to a model in another wire API has the text of each turn before, whichever model said it. What stood beside the calls of an answered prompt may be left out with the calls, and what stood beside any calls where the provider that said it, or the other one, takes turns without it.",
		Why:         "The user goes on with a model that does not know what was said, and answers as if nothing had been.",
		Needs:       []protocol.Feature{protocol.SecondAPI, protocol.WholeHistory},
		Invariant:   true,
		AnyDelivery: true,
		OverAPIs:    true,
		Evidence:    "a request in one wire API, after a turn with a text in another one",
		Sources: []rules.Source{
			{URL: "https://github.com/zeroclaw-labs/zeroclaw/pull/933", Says: "a fallback from Chat Completions to Responses that sent nothing but the last message of the user"},
			{URL: "https://github.com/agno-agi/agno/pull/8732", Says: "what a fallback model answered was missing from the history"},
			{URL: "https://github.com/openai/codex/issues/17541", Says: "messages of the user, of the assistant and of tools are kept over a change of the provider"},
		},
		Run: textsGoAlong,
	},
	{
		ID:          "models/results-go-along",
		Level:       trace.Must,
		Text:        "A request to a model in another wire API has the result of each call that was run before, with its call, under whatever id, or told in words. A loop that keeps none of answered prompts need not send those.",
		Why:         "The other model does not know what was done, and does it again.",
		Needs:       []protocol.Feature{protocol.SecondAPI, protocol.WholeHistory, protocol.Executions},
		Invariant:   true,
		AnyDelivery: true,
		OverAPIs:    true,
		Evidence:    "a request in one wire API, after a call in another one was run",
		Sources: []rules.Source{
			{URL: "https://github.com/codeready-toolchain/tarsy/pull/329", Says: "calls and their results are kept when the provider changes"},
			{URL: "https://github.com/huggingface/tau/pull/557", Says: "ids are translated, calls and results kept together"},
			{URL: "https://github.com/diegosouzapw/OmniRoute/pull/9448", Says: "a call that the other provider takes in no form of its own is told as a text with its result"},
		},
		Run: resultsGoAlong,
	},
	{
		ID:          "models/seals-stay-behind",
		Level:       trace.Must,
		Where:       rules.Seals,
		Text:        "What one provider has sealed is not sent to another one: signatures of thinking and of calls, encrypted reasoning. The words of the reasoning may go along or stay. Where the other provider has no seals of its own, sending one breaks a should; where it has models of the same maker, as Anthropic's are in several clouds, it reads them.",
		Why:         "Nobody else can read it: each later request is refused, and the conversation is over.",
		Needs:       []protocol.Feature{protocol.SecondAPI},
		Invariant:   true,
		AnyDelivery: true,
		OverAPIs:    true,
		Evidence:    "a request in one wire API, after a turn in another one that had a seal",
		Sources: []rules.Source{
			{URL: "https://github.com/mcheemaa/mistri/issues/33", Says: "the 400 of Anthropic for reasoning of OpenAI: invalid signature in thinking block"},
			{URL: "https://github.com/earendil-works/pi/issues/9048", Says: "the same, on a switch from Codex to Claude"},
			{URL: "https://github.com/decolua/9router/issues/4136", Says: "the 400 of Gemini for signatures of Claude: corrupted thought signature"},
			{URL: "https://github.com/NousResearch/hermes-agent/pull/32062", Says: "the 400 of OpenAI for what another provider has encrypted"},
			{URL: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking", Says: "signatures that were made in one cloud work in another: Anthropic's API, Amazon Bedrock, Google Cloud"},
		},
		Run: sealsStayBehind,
	},
}

// over names the wire API in which a model is asked, where there are two.
func over(r *rules.Run, second bool) string {
	switch {
	case r.Second == nil:
		return ""
	case second:
		return " over " + r.Second.Speaks.Name
	default:
		return " over " + r.Dialect().Name
	}
}

// crossing is a request, and a turn that was said before in another wire API or in the same one.
type crossing struct {
	x, from *trace.Exchange
	turn    *scenarios.Turn // what from was answered
	other   bool            // in another one
}

// crossings calls f with each request and each turn before it.
func crossings(r *rules.Run, f func(crossing)) {
	if r.Second == nil {
		return
	}
	for _, x := range r.Conversation() {
		for _, before := range r.Conversation() {
			if before.Number < x.Number && before.Turn != nil && before.Turn.Answer != nil {
				f(crossing{x, before, before.Turn, r.AsksSecondAPI(before) != r.AsksSecondAPI(x)})
			}
		}
	}
}

// textsGoAlong looks for the texts of turns. Those beside calls of an earlier prompt some loops leave
// out with the calls.
func textsGoAlong(r *rules.Run) (j rules.CheckResult) {
	keeps := keepsCalls(r)
	crossings(r, func(c crossing) {
		said := c.turn.Answer.Text
		if !c.turn.Returns() || strings.TrimSpace(said) == "" || c.turn.Asks() && !keeps && answeredBetween(r, c) {
			return
		}
		if c.turn.Asks() && (takesCallsWithoutText(r, c.x) || takesCallsWithoutText(r, c.from)) {
			return
		}
		j.HasEvidence = j.HasEvidence || c.other
		if !slices.ContainsFunc(c.x.Request.Messages, func(m wire.Message) bool { return rules.ContainsText(m.Content.Text, said) }) {
			j.FindAt(c.x, c.x.Request.MessageList().Pointer(), "the text of a turn did not go along to the model"+over(r, r.AsksSecondAPI(c.x)), rules.Quote(said), "no message with it")
		}
	})
	return j
}

// takesCallsWithoutText reports whether a turn with calls may go without its text where a request goes, as without the plan
// of Cohere. A loop that does not read it there cannot hand it on.
func takesCallsWithoutText(r *rules.Run, x *trace.Exchange) bool {
	return slices.Contains(r.ProfileOf(x).Takes, "history/text-comes-back")
}

// resultsGoAlong looks for the calls with their results. Some loops leave out those of the prompts
// that are answered, so that they need not be there unless the loop is known to keep them.
func resultsGoAlong(r *rules.Run) (j rules.CheckResult) {
	keeps := keepsCalls(r)
	crossings(r, func(c crossing) {
		if !keeps && answeredBetween(r, c) {
			return
		}
		for _, run := range callsOf(r, c) {
			j.HasEvidence = j.HasEvidence || c.other
			if !hasCall(c.x.Request, run) && !tells(r, c.x, run) {
				j.FindAt(c.x, c.x.Request.MessageList().Pointer(), "the call "+run.Call.As+" and its result did not go along to the model"+over(r, r.AsksSecondAPI(c.x)),
					run.Call.Name+" "+rules.Quote(run.Call.Arguments)+", with "+rules.Quote(run.Executions[0].Result), "no call with this result, and no text that tells it")
			}
		}
	})
	return j
}

// callsOf returns the calls of the turn that had returned something before the request.
func callsOf(r *rules.Run, c crossing) (all []rules.CallRun) {
	for _, run := range r.Calls() {
		if run.Turn == c.turn && run.In.Number < c.x.Number && run.ReturnedBefore(c.x.Start) && strings.TrimSpace(run.Executions[0].Result) != "" {
			all = append(all, run)
		}
	}
	return all
}

// answeredBetween reports whether the prompt of the turn was answered before the request.
func answeredBetween(r *rules.Run, c crossing) bool {
	return slices.ContainsFunc(r.TurnsBefore(c.x), func(t *scenarios.Turn) bool { return t.Final() && t.Number > c.turn.Number })
}

// keepsCalls reports whether the loop has shown that it keeps the calls of prompts that are answered:
// some request has one.
func keepsCalls(r *rules.Run) (keeps bool) {
	crossings(r, func(c crossing) {
		keeps = keeps || answeredBetween(r, c) && slices.ContainsFunc(callsOf(r, c), func(run rules.CallRun) bool { return hasCall(c.x.Request, run) })
	})
	return keeps
}

// hasCall reports whether a request has a call with its result.
func hasCall(req *wire.Request, run rules.CallRun) bool {
	result := run.Executions[len(run.Executions)-1].Result
	for i, m := range req.Messages {
		given, _ := req.AnswersTo(i)
		if slices.ContainsFunc(m.Calls, func(call wire.Call) bool {
			made := run.Call
			if strings.Contains(call.Name, made.Scripted()) { // under what name it is offered may differ
				made.Name = call.Name
			}
			return rules.EqualCall(made, call) && slices.ContainsFunc(given, func(res wire.Result) bool {
				return res.CallID == call.ID && rules.ContainsText(res.Content.Text, result)
			})
		}) {
			return true
		}
	}
	return false
}

// tells reports whether a request tells the result of a call in words, other than those of the
// answers of the model.
func tells(r *rules.Run, x *trace.Exchange, run rules.CallRun) bool {
	result := run.Executions[len(run.Executions)-1].Result
	return slices.ContainsFunc(x.Request.Messages, func(m wire.Message) bool {
		answer := m.Role == wire.Assistant && slices.ContainsFunc(r.TurnsBefore(x), func(t *scenarios.Turn) bool {
			return t.Final() && rules.ContainsText(m.Content.Text, t.Answer.Text)
		})
		return len(m.Results) == 0 && !answer && rules.ContainsText(m.Content.Text, result)
	})
}

func sealsStayBehind(r *rules.Run) (j rules.CheckResult) {
	if r.Second != nil && r.Script.Profile.OfTheSameMaker(r.Second) {
		return j
	}
	crossings(r, func(c crossing) {
		seals := sealsOf(r, c.turn)
		if !c.other || len(seals) == 0 {
			return
		}
		j.HasEvidence = true
		c.x.Request.Body.Walk(func(n *wire.Node) {
			text := n.Text()
			if text == "" || !slices.ContainsFunc(seals, func(seal string) bool { return strings.Contains(text, seal) }) {
				return
			}
			f := trace.Finding{Request: c.x.Number, Pointer: n.Pointer(), Message: "what another provider has sealed was sent" + over(r, r.AsksSecondAPI(c.x)), Expected: "the turn without it", Actual: rules.Show(n)}
			if p := r.ProfileOf(c.x); !p.Traits.ReasoningBlocks && len(p.Traits.CallSignature) == 0 {
				f.Level = trace.Should
			}
			j.Find(f)
		})
	})
	return j
}

// sealsOf returns what the provider has sealed in a turn, as far as the loop was shown it.
func sealsOf(r *rules.Run, t *scenarios.Turn) []string {
	shown := *t.Answer
	if !r.ShowedReasoning(t) {
		shown.Details = nil
	}
	return shown.Seals()
}
