package history

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

var turnRules = []rules.Rule{
	{
		ID:        "history/calls-come-back",
		Level:     trace.Must,
		Text:      "The request after a turn with tool calls returns that turn with all its calls. To leave out a call that is equal to another one of the turn breaks a should.",
		Why:       "Results without their calls are refused, and dropped calls are never answered.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request after a turn with tool calls",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "the assistant message with its calls goes back before the results"},
			{URL: "https://github.com/tmc/langchaingo/issues/1396", Says: "the assistant turn was missing"},
			{URL: "https://github.com/tmc/langchaingo/issues/1362", Says: "only the first of several calls was kept"},
			{URL: "https://github.com/NousResearch/hermes-agent/blob/main/run_agent.py", Says: "_deduplicate_tool_calls: of equal calls of a turn the first is kept, by design"},
			{URL: "https://github.com/huggingface/smolagents/issues/1224", Says: "calls and results as plain texts, by design: the ids are lost that the provider needs to match them"},
			{URL: rules.WorkingDocs, Says: "Messages is stateless: the whole history goes with every request"},
			{URL: rules.GeminiRequestDocs, Says: "contents: of several turns, the history and the latest request"},
		},
		Run: callsComeBack,
	},
	{
		ID:        "history/text-comes-back",
		Level:     trace.Must,
		Text:      "The text that the model wrote alongside its tool calls goes back with them.",
		Why:       "The model loses its own plan.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request after a turn with text and tool calls",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/features/tool-calling", Says: "the assistant message goes back as it came"},
			{URL: "https://github.com/langchain-ai/langchainjs/pull/10065", Says: "a loop that kept one of text and calls"},
			{URL: rules.WorkingDocs, Says: "Messages is stateless: the whole history goes with every request"},
			{URL: rules.GeminiRequestDocs, Says: "contents: of several turns, the history and the latest request"},
		},
		Run: textComesBack,
	},
	{
		ID:        "history/turn-in-one-message",
		Level:     trace.Should,
		Text:      "One turn of the model goes back as one assistant message, with its text and all its calls.",
		Why:       "A split turn looks like several, which teaches the model not to make parallel calls, and breaks strict templates. Not a must: providers accept the parts as separate turns, except that three reports say that Gemini 3 refuses parallel calls in contents of their own, of which only the first has a signature, while a test of Google's SDK sends them so.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request after a turn with text and tool calls, or with several calls",
		Sources: []rules.Source{
			{URL: "https://github.com/ollama/ollama/blob/v0.32.10/template/template.go", Says: "collate: messages of one role in a row become one, which keeps the calls of the first alone"},
			{URL: "https://github.com/openai/openai-agents-js/pull/817", Says: "text and calls of one turn mis-converted"},
			{URL: "https://github.com/zed-industries/zed/issues/29821", Says: "calls put into the message of another turn, and the 400"},
			{URL: "https://github.com/googleapis/js-genai/issues/1275", Says: "Gemini 3: a call in a content of its own needs a signature, and has none; the 400"},
			{URL: "https://github.com/pipecat-ai/pipecat/pull/3420", Says: "parallel calls put back into one content for Gemini 3"},
		},
		Run: turnInOneMessage,
	},
	{
		ID:       "history/answers-come-back",
		Level:    trace.Must,
		Text:     "When the user continues, the model's answers to the earlier prompts are in the history.",
		Why:      "The model does not know what it said before.",
		Needs:    []protocol.Feature{protocol.MultiPrompt},
		Returned: true,
		Evidence: "a request with a second prompt",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/conversation-state", Says: "the whole history goes with every request"},
			{URL: rules.WorkingDocs, Says: "Messages is stateless: the whole history goes with every request"},
			{URL: rules.GeminiRequestDocs, Says: "contents: of several turns, the history and the latest request"},
			{URL: rules.ConverseDocs, Says: "messages: the messages of the conversation, those before among them"},
			{URL: "https://docs.cohere.com/docs/tool-use-usage-patterns", Says: "each turn is appended to the messages"},
			{URL: rules.OllamaDocs, Says: "messages: the chat so far, as the server keeps none"},
		},
		Run: answersComeBack,
	},
}

func callsComeBack(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		j.HasEvidence = true
		missing := missing(e, slices.DeleteFunc(slices.Clone(e.Turn.Answer.Calls), func(c wire.AnswerCall) bool {
			return r.Script.Scenario.Trouble(c) != scenarios.NoTrouble // the rules about execution look at bad calls
		}))
		if len(missing) > 0 {
			f := trace.Finding{
				Request:  e.In.Number,
				Pointer:  e.In.Request.HistoryPointer(),
				Message:  fmt.Sprintf("the call %s (%s) did not come back", missing[0].As, missing[0].Name),
				Expected: "an assistant message with " + rules.Plural(len(e.Turn.Answer.Calls), "tool call"),
				Actual:   rules.DescribeReturn(e),
				Calls:    givenIDs(missing),
			}
			if e.Message != nil && !slices.ContainsFunc(missing, func(c wire.AnswerCall) bool { return !equalCallCameBack(e, c) }) {
				f.Level = trace.Should
			}
			j.Find(f)
		}
	}
	return j
}

// equalCallCameBack reports whether a call of a turn came back that means the same as another one.
func equalCallCameBack(e rules.ReturnedTurn, c wire.AnswerCall) bool {
	return slices.ContainsFunc(e.Message.Calls, func(back wire.Call) bool { return rules.EqualCall(c, back) })
}

// missing returns those calls of the turn that did not come back, neither under their ids nor,
// since a loop may make its own, by their names. A call without a name may be any: call-has-name
// looks at those. A loop may split a turn over several messages; that is for turn-in-one-message to
// say.
func missing(e rules.ReturnedTurn, calls []wire.AnswerCall) []wire.AnswerCall {
	var got []wire.Call
	for i := e.Index; e.Message != nil && i < len(e.In.Request.Messages); i++ {
		got = append(got, e.In.Request.Messages[i].Calls...)
	}
	for _, same := range []func(given wire.AnswerCall, back wire.Call) bool{
		func(given wire.AnswerCall, back wire.Call) bool {
			return given.ID == back.ID && given.Name == back.Name
		},
		func(given wire.AnswerCall, back wire.Call) bool { return given.Name == back.Name },
		func(_ wire.AnswerCall, back wire.Call) bool { return back.Name == "" },
	} {
		calls = slices.DeleteFunc(calls, func(given wire.AnswerCall) bool {
			at := slices.IndexFunc(got, func(back wire.Call) bool { return same(given, back) })
			if at >= 0 {
				got = slices.Delete(got, at, at+1)
			}
			return at >= 0
		})
	}
	return calls
}

func givenIDs(calls []wire.AnswerCall) []string {
	ids := make([]string, len(calls))
	for i, c := range calls {
		ids[i] = c.ID
	}
	return ids
}

func textComesBack(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		text := strings.TrimSpace(rules.ThinkTags().ReplaceAllString(e.Turn.Answer.Text, "")) // whose return is for think-tags-kept
		if text == "" || e.Message == nil {
			continue
		}
		j.HasEvidence = true
		said := slices.ContainsFunc(e.In.Request.Messages, func(m wire.Message) bool {
			return m.Role == wire.Assistant && strings.Contains(m.Content.Text, text)
		})
		if !said {
			j.FindAt(e.In, e.Message.Node.Pointer()+"/content",
				"the text alongside the tool calls did not come back",
				rules.Quote(text),
				rules.Quote(e.Message.Content.Text))
		}
	}
	return j
}

func turnInOneMessage(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		if e.Message == nil {
			continue
		}
		j.HasEvidence = j.HasEvidence || len(e.Turn.Answer.Calls) > 1 || e.Turn.Answer.Text != ""
		if spread := spread(r, e); spread > 1 {
			j.FindAt(e.In, e.Message.Node.Pointer(),
				fmt.Sprintf("one turn of the model came back as %d assistant messages", spread),
				"one assistant message",
				rules.Show(e.Message.Node))
		}
	}
	return j
}

// spread returns over how many assistant messages the turn came back: those that the dialect reads
// as one, those with another of its calls, wherever they are, and those alongside it with its text.
// That it occurs twice in the history is for turns-once to say.
func spread(r *rules.Run, e rules.ReturnedTurn) int {
	count := 1
	if e.Message.Node.Is(wire.Array) && !r.Script.Profile.Speaks.Request.Typed { // where items are no messages
		count = len(e.Message.Node.Items)
	}
	for i, m := range e.In.Request.Messages {
		if i != e.Index && m.Role == wire.Assistant && (hasCallOf(r, e.Turn, m) && !sameTurn(*e.Message, m) || saysBeside(r, e, i)) {
			count++
		}
	}
	return count
}

// hasCallOf reports whether a message has a call of a turn, by an id that the model gave only once.
func hasCallOf(r *rules.Run, t *scenarios.Turn, m wire.Message) bool {
	return rules.AnyCall(t.Answer, &m, func(x wire.AnswerCall, y wire.Call) bool { return x.ID == y.ID && !rules.IDRepeated(r, x.ID) })
}

// saysBeside reports whether message i has nothing but the text of the turn, with only results
// between it and the calls, and is not that of another turn which said the same.
func saysBeside(r *rules.Run, e rules.ReturnedTurn, i int) bool {
	messages := e.In.Request.Messages
	if len(messages[i].Calls) > 0 || !rules.SameAnswerText(e.Turn.Answer, &messages[i]) {
		return false
	}
	if slices.ContainsFunc(r.TurnsBefore(e.In), func(t *scenarios.Turn) bool {
		return t != e.Turn && len(t.Answer.Calls) == 0 && rules.SameAnswerText(t.Answer, &messages[i])
	}) {
		return false
	}
	between := messages[min(i, e.Index)+1 : max(i, e.Index)]
	return !slices.ContainsFunc(between, func(m wire.Message) bool { return len(m.Results) == 0 })
}

func answersComeBack(r *rules.Run) (j rules.CheckResult) {
	if r.Task.ContextLimit > 0 {
		return j // a loop that keeps to a limit may have made room
	}
	for _, e := range r.ReturnedTurns() {
		// A refusal may go back or not, and a loop that cannot read an answer has none.
		if !e.Turn.Final() || e.Turn.LeavesUnanswered() || e.Turn.Disguised() {
			continue
		}
		j.HasEvidence = true
		if !saysAgain(e) {
			j.FindAt(e.In, e.In.Request.HistoryPointer(),
				"an earlier answer is not in the history",
				"an assistant message with "+rules.Quote(e.Turn.Answer.Text),
				rules.DescribeReturn(e))
		}
	}
	return j
}

// saysAgain reports whether an answer is in the history: in the message that returned it or, where
// none did, within that of another turn, with which it is read as one where items follow each
// other.
func saysAgain(e rules.ReturnedTurn) bool {
	text := strings.TrimSpace(e.Turn.Answer.Text)
	if e.Message != nil {
		return strings.Contains(e.Message.Content.Text, text)
	}
	return slices.ContainsFunc(e.In.Request.Messages, func(m wire.Message) bool {
		return m.Role == wire.Assistant && m.Content.Text != text && strings.Contains(m.Content.Text, text)
	})
}
