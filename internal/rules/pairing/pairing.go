package pairing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

var coreRules = []rules.Rule{
	{
		ID:        "pairing/every-call-answered",
		ShowsTurn: true,
		Level:     trace.Must,
		Text:      "Every tool call of an assistant message is answered by a tool result before the next request.",
		Why:       "Providers refuse the request, and every later one of the conversation with it.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with a tool call in its history",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "every call needs a function call output"},
			{URL: "https://github.com/router-for-me/CLIProxyAPI/issues/2798", Says: "the 400 of OpenAI"},
			{URL: "https://github.com/TurixAI/TuriX-CUA/issues/15", Says: "the 400 of DeepSeek"},
			{URL: "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py", Says: "the check of Mistral"},
			{URL: rules.ToolCallDocs, Says: "tool_use in the assistant's message, tool_result in the next message of the user"},
			{URL: "https://github.com/anthropics/claude-code/issues/1237", Says: "the 400 of Anthropic"},
			{URL: "https://github.com/microsoft/vscode/issues/299295", Says: "the 400 of Gemini"},
			{URL: "https://github.com/langchain-ai/langchainjs/issues/11020", Says: "one of two calls by which the model answered had a result"},
		},
		Vars:    []string{"ids", "index", "next", "later-turn", "type"},
		Request: everyCallAnswered,
	},
	{
		ID:        "pairing/one-result-per-call",
		ShowsTurn: true,
		Level:     trace.Must,
		Text:      "A tool call is answered once: no second tool result carries its id.",
		Why:       "Providers refuse doubled results, and a model that reads two results may act on the wrong one.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/agno-agi/agno/issues/5116", Says: "the 400 of OpenAI"},
			{URL: "https://github.com/cline/cline/pull/7419", Says: "a loop that answered twice"},
			{URL: "https://github.com/QwenLM/qwen-code/pull/8163", Says: "two results for one tool_use: DeepSeek's Messages endpoint answers 400, Z.AI's takes it"},
			{URL: "https://github.com/Joouis/agent-maestro/pull/251", Says: "a Gemini client that sent each result twice"},
		},
		Vars:    []string{"at", "id", "first", "second"},
		Request: oneResultPerCall,
	},
	{
		ID:        "pairing/no-orphan-result",
		ShowsTurn: true,
		Level:     trace.Must,
		Text:      "A tool result is after an assistant message with tool calls, with nothing but tool results between.",
		Why:       "Providers refuse a tool result that answers nothing.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/miurla/morphic/issues/136", Says: "the 400 of OpenAI"},
			{URL: "https://github.com/itmisx/deepx-code/issues/94", Says: "the 400 of DeepSeek"},
		},
		Vars:    []string{"at", "index", "id", "after", "type"},
		Request: noOrphanResult,
	},
	{
		ID:        "pairing/result-names-a-call",
		ShowsTurn: true,
		Level:     trace.Must,
		Text:      "The id of a tool result is the id of a call in the assistant message before it.",
		Why:       "The provider cannot match the result, and refuses it.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with a tool result after tool calls",
		Sources: []rules.Source{
			{URL: "https://github.com/dapr/dapr-agents/issues/145", Says: "old results sent again, and the 400 of OpenAI"},
			{URL: "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py", Says: "the check of Mistral"},
		},
		Vars:    []string{"at", "id", "index", "type"},
		Request: resultNamesACall,
	},
	{
		ID:        "pairing/results-directly-follow",
		ShowsTurn: true,
		Level:     trace.Must,
		Where:     rules.ResultsFollow,
		Text:      "The results of a turn come directly after it: no message of another role is between.",
		Why:       "Providers look for the results right after the calls and refuse the request when they find something else.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/github/copilot-sdk/issues/1922", Says: "image messages between tool messages, and the 400 of OpenAI"},
			{URL: "https://github.com/langchain-ai/langchain/issues/27799", Says: "the 400 of Gemini: a function response comes immediately after a function call"},
		},
		Vars:    []string{"ids", "index", "next", "between"},
		Request: resultsDirectlyFollow,
	},
	{
		ID:        "pairing/results-in-call-order",
		ShowsTurn: true,
		Level:     trace.Should,
		Text:      "The results of a turn are in the order of its calls, whichever tool finished first.",
		Why:       "Otherwise the same conversation has different bytes each time, and misses the provider's prompt cache.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with two results of one turn",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/issues/16567", Says: "results in the order of completion broke cache prefixes"},
		},
		Request: resultsInCallOrder,
	},
}

func everyCallAnswered(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	var found answers
	lastTurn := lastTurnOf(req)
	for i, m := range req.Messages {
		if len(m.Calls) == 0 {
			continue
		}
		j.HasEvidence = true
		results, next := req.AnswersTo(i)
		answered := found.among(results)
		if len(unanswered(m.Calls, answered)) == 0 {
			continue
		}
		later := laterFinder(req, next)
		var missing, found []string
		kind := ""
		for _, c := range m.Calls {
			switch {
			case answered.has(c.ID):
				found = append(found, c.ID)
			case c.ID != "" && !later.has(c.ID):
				missing, kind = append(missing, c.ID), cmp.Or(kind, typeOf(c.Node))
			}
		}
		if len(missing) > 0 {
			j.Find(trace.Finding{
				Pointer:  rules.CallsPointer(m),
				Message:  fmt.Sprintf("%s without an answer: %s", rules.Plural(len(missing), "tool call"), strings.Join(missing, ", ")),
				Expected: "tool results for " + rules.List(rules.CallIDs(m)),
				Actual:   "tool results for " + rules.List(found),
				Calls:    missing,
				Vars:     map[string]string{"ids": strings.Join(missing, ", "), "index": rules.IndexOf(m), "next": rules.NextIndex(req, next), "later-turn": isLater(i, lastTurn), "type": kind},
				Level:    levelOfOpen(req),
			})
		}
	}
	return j
}

// levelOfOpen returns a should where nobody has seen the provider refuse an open call, since it keeps it itself.
func levelOfOpen(req *wire.Request) trace.Level {
	form := req.Dialect.KeptHistory
	if form == nil || !form.MayStayOpen {
		return ""
	}
	if from := form.Continues(req); from == nil || from.Previous == "" {
		return ""
	}
	return trace.Should
}

// typeOf returns the type that a call or a result has in the terms of its dialect, "" for none.
func typeOf(n *wire.Node) string { return n.Get("type").Text() }

// lastTurnOf returns the index of the last turn of the model, -1 for none.
func lastTurnOf(req *wire.Request) int {
	i := len(req.Messages) - 1
	for i >= 0 && req.Messages[i].Role != wire.Assistant {
		i--
	}
	return i
}

// isLater says whether the last turn of the model is after another one.
func isLater(i, last int) string {
	if last > i {
		return "yes"
	}
	return "no"
}

func oneResultPerCall(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	var calls []wire.Call // of the messages that are one turn
	for i, m := range req.Messages {
		if calls == nil {
			calls = slices.Clip(m.Calls) // most turns are one message
		} else {
			calls = append(calls, m.Calls...)
		}
		if len(calls) == 0 || req.JoinsNext(i) {
			continue
		}
		results, _ := req.AnswersTo(i)
		j.HasEvidence = j.HasEvidence || len(results) > 0
		findSecond(&j, calls, results)
		calls = nil
	}
	return j
}

// findSecond finds the results of some calls for which there is one already.
func findSecond(j *rules.CheckResult, of []wire.Call, results []wire.Result) {
	if len(results) < 2 {
		return
	}
	calls := map[string]int{}
	for _, c := range of {
		calls[c.ID]++
	}
	first := map[string]wire.Result{}
	for _, r := range results {
		calls[r.CallID]--
		if earlier, ok := first[r.CallID]; ok && calls[r.CallID] < 0 && r.CallID != "" {
			j.Find(trace.Finding{
				Pointer:  r.IDNode.Pointer(),
				Message:  "a second result for the call " + r.CallID,
				Expected: "one tool result for " + r.CallID,
				Actual:   "another one at " + earlier.Node.Pointer(),
				Calls:    []string{r.CallID},
				Vars:     map[string]string{"at": rules.Dotted(r.Node), "id": r.CallID, "first": rules.LastStep(earlier.Node), "second": rules.LastStep(r.Node)},
			})
		}
		first[r.CallID] = r
	}
}

func noOrphanResult(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	earlier := callersIn(req)
	for i, m := range req.Messages {
		if len(m.Results) == 0 {
			continue
		}
		j.HasEvidence = true
		if _, ok := earlier.before(i); ok {
			continue
		}
		at := slices.IndexFunc(m.Results, func(r wire.Result) bool { return !earlier.isOpen(r.CallID) })
		if at < 0 {
			continue
		}
		j.Find(trace.Finding{
			Pointer:  m.Node.Pointer(),
			Message:  "a tool result that answers no call",
			Expected: "a turn of the model with the call before it",
			Actual:   describeBefore(req, i),
			Calls:    []string{m.Results[at].CallID},
			Vars:     map[string]string{"at": rules.Dotted(m.Results[at].Node), "index": rules.IndexOf(m), "id": m.Results[at].CallID, "after": RoleBefore(req, i), "type": typeOf(m.Results[at].Node)},
		})
	}
	return j
}

// RoleBefore returns the role of the message before another, "nothing" for the first.
func RoleBefore(req *wire.Request, i int) string {
	if i == 0 {
		return "nothing"
	}
	return req.Messages[i-1].RoleWord
}

func describeBefore(req *wire.Request, i int) string {
	if i == 0 {
		return "it is the first message"
	}
	return fmt.Sprintf("a message of the role %q before it", req.Messages[i-1].RoleWord)
}

func resultNamesACall(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	earlier := callersIn(req)
	var unanswered []string
	expected := ""
	known := 0 // up to which message it is known what is unanswered
	for i, m := range req.Messages {
		if len(m.Results) == 0 {
			continue
		}
		turn, ok := earlier.before(i)
		if !ok {
			continue
		}
		j.HasEvidence = true
		for _, r := range m.Results {
			if r.CallID == "" || earlier.has(r.CallID) {
				continue
			}
			if i >= known {
				unanswered, known = unansweredAround(req, i, turn)
				expected = "one of " + rules.ListCalls(turn.Calls)
			}
			j.Find(trace.Finding{
				Pointer:  r.IDNode.Pointer(),
				Message:  fmt.Sprintf("the id %q names no call of the turn before", r.CallID),
				Expected: expected,
				Actual:   r.CallID,
				Calls:    slices.Concat([]string{r.CallID}, unanswered), // it is not known for which of them it was meant
				Vars:     map[string]string{"at": rules.Dotted(r.Node), "id": r.CallID, "index": rules.IndexOf(m), "type": typeOf(r.Node)},
			})
		}
	}
	return j
}

func resultsDirectlyFollow(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	var found answers
	for i, m := range req.Messages {
		if len(m.Calls) == 0 {
			continue
		}
		results, next := req.AnswersTo(i)
		j.HasEvidence = j.HasEvidence || len(results) > 0
		open := unanswered(m.Calls, found.among(results))
		if len(open) == 0 {
			continue
		}
		later := laterFinder(req, next)
		var late []string
		for _, c := range open {
			if later.has(c.ID) {
				late = append(late, c.ID)
			}
		}
		if len(late) > 0 {
			j.Find(trace.Finding{
				Pointer:  req.Messages[next].Node.Pointer(),
				Message:  fmt.Sprintf("a message of the role %q is between a call and its result", req.Messages[next].RoleWord),
				Expected: "the tool results for " + rules.List(late) + " directly after the calls",
				Actual:   rules.Show(req.Messages[next].Node),
				Calls:    late,
				Vars:     map[string]string{"ids": strings.Join(late, ", "), "index": rules.IndexOf(m), "next": rules.NextIndex(req, next), "between": req.Messages[next].RoleWord},
			})
		}
	}
	return j
}

func resultsInCallOrder(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	var found answers
	for i, m := range req.Messages {
		if len(m.Calls) < 2 {
			continue
		}
		results, _ := req.AnswersTo(i)
		if len(results) < 2 {
			continue
		}
		j.HasEvidence = true
		first := found.firsts(results)
		want := slices.DeleteFunc(distinct(rules.CallIDs(m)), func(id string) bool { _, answered := first[id]; return !answered })
		got := slices.SortedFunc(slices.Values(want), func(a, b string) int { return cmp.Compare(first[a], first[b]) })
		if !slices.Equal(want, got) {
			j.Find(trace.Finding{
				Pointer:  results[0].Node.Pointer(),
				Message:  "the results are not in the order of the calls",
				Expected: rules.List(want),
				Actual:   rules.List(got),
			})
		}
	}
	return j
}
