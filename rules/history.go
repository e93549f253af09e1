package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/wire"
)

var history = []Rule{
	{
		ID:          "history/only-grows",
		Level:       Must,
		Text:        "A request carries all messages of the request before it, in their order, and adds to them.",
		Why:         "A model that does not see its earlier turns repeats them, and a provider refuses calls without results.",
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "a second request",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/conversation-state", "the whole history goes with every request"},
			{"https://github.com/mastra-ai/mastra/issues/2667", "a history window that cut pairs apart"},
		},
		Run: onlyGrows,
	},
	{
		ID:          "history/earlier-messages-unchanged",
		Level:       Should,
		Text:        "A message that was sent once is sent the same way in every later request.",
		Why:         "The provider's prompt cache matches prefixes; a changed message makes all that follows it cost full price again.",
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "a second request",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/prompt-caching", "cache hits need exact prefix matches"},
			{"https://github.com/charmbracelet/fantasy/issues/333", "an earlier turn changed with the turns after it"},
		},
		Run: earlierMessagesUnchanged,
	},
	{
		ID:          "history/system-prompt-sent",
		Level:       Must,
		Text:        "Every request carries the system prompt as it was given.",
		Why:         "The model forgets its instructions in the middle of a task.",
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "a request of a task that has a system prompt",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/conversation-state", "the whole history goes with every request"},
		},
		Run: systemPromptSent,
	},
	{
		ID:          "history/prompts-sent",
		Level:       Must,
		Text:        "What the user said reaches the model as it was said, in its order.",
		Why:         "The model answers a question that nobody asked.",
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "a request of the task",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/conversation-state", "the whole history goes with every request"},
		},
		Run: promptsSent,
	},
	{
		ID:          "history/tools-as-given",
		Level:       Must,
		Text:        "Every tool is offered to the model under its name, with all its parameters and their types.",
		Why:         "The model cannot call a tool that it does not know, or calls it with the wrong arguments.",
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "a request of a task that has tools",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "tools go with the request"},
			{"https://github.com/dotnet/extensions/issues/7207", "a tool list that was not kept up"},
		},
		Run: toolsAsGiven,
	},
	{
		ID:          "history/tools-stay",
		Level:       Should,
		Text:        "The tools are the same in every request of a conversation.",
		Why:         "Providers cache the tools in front of the history, and some need them to read the calls in it.",
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "a second request of a task that has tools",
		Sources: []Source{
			{"https://openrouter.ai/docs/features/tool-calling", "tools must be included in every request"},
			{"https://platform.openai.com/docs/guides/prompt-caching", "tools are part of the cached prefix"},
		},
		Run: toolsStay,
	},
	{
		ID:        "history/calls-come-back",
		Level:     Must,
		Text:      "The request after a turn with tool calls returns that turn with all its calls.",
		Why:       "Results without their calls are refused, and calls that are dropped are never answered.",
		Invariant: true,
		Evidence:  "a request after a turn with tool calls",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "the assistant message with its calls goes back before the results"},
			{"https://github.com/tmc/langchaingo/issues/1396", "the assistant turn was missing"},
			{"https://github.com/tmc/langchaingo/issues/1362", "only the first of several calls was kept"},
		},
		Run: callsComeBack,
	},
	{
		ID:        "history/text-comes-back",
		Level:     Should,
		Text:      "The text that the model wrote beside its tool calls goes back with them.",
		Why:       "The model loses its own plan.",
		Invariant: true,
		Evidence:  "a request after a turn with text and tool calls",
		Sources: []Source{
			{"https://openrouter.ai/docs/features/tool-calling", "the assistant message goes back as it came"},
			{"https://github.com/langchain-ai/langchainjs/pull/10065", "a loop that kept one of text and calls"},
		},
		Run: textComesBack,
	},
	{
		ID:        "history/turn-in-one-message",
		Level:     Should,
		Text:      "One turn of the model goes back as one assistant message, with its text and all its calls.",
		Why:       "Split turns read as several, which teaches the model not to call in parallel and breaks strict templates.",
		Invariant: true,
		Evidence:  "a request after a turn with text and tool calls, or with several calls",
		Sources: []Source{
			{"https://github.com/openai/openai-agents-js/pull/817", "text and calls of one turn mis-converted"},
			{"https://github.com/zed-industries/zed/issues/29821", "calls put into the message of another turn, and the 400"},
		},
		Run: turnInOneMessage,
	},
	{
		ID:       "history/answers-come-back",
		Level:    Must,
		Text:     "When the user goes on, the model's answers to the earlier prompts are in the history.",
		Why:      "The model does not know what it said before.",
		Needs:    []protocol.Feature{protocol.MultiPrompt},
		Evidence: "a request with a second prompt",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/conversation-state", "the whole history goes with every request"},
		},
		Run: answersComeBack,
	},
}

// pairsOfRequests calls f for every request of the conversation and the one before it.
func (r *Run) pairsOfRequests(f func(before, after *Exchange)) {
	taken := r.Taken()
	for i := 1; i < len(taken); i++ {
		f(taken[i-1], taken[i])
	}
}

func onlyGrows(r *Run) (j Judged) {
	r.pairsOfRequests(func(before, after *Exchange) {
		j.Seen = j.Seen || carriesResult(after.Request)
		if i, ok := keeps(before.Request, after.Request); !ok {
			j.Find(Finding{
				Request:  after.Number,
				Pointer:  fmt.Sprintf("/messages/%d", i),
				Message:  fmt.Sprintf("message %d of request %d is not in request %d any more", i, before.Number, after.Number),
				Expected: show(before.Request.Messages[i].Node),
				Actual:   messageAt(after.Request, i),
			})
		}
	})
	return j
}

// keeps reports whether a request has all messages of an earlier one, going by their roles and what they pair with; if
// not, it returns the index of the first that is missing.
func keeps(before, after *wire.Request) (int, bool) {
	for i, m := range before.Messages {
		if i >= len(after.Messages) || after.Messages[i].Role != m.Role || !slices.Equal(callIDs(after.Messages[i]), callIDs(m)) {
			return i, false
		}
	}
	return 0, true
}

func messageAt(req *wire.Request, i int) string {
	if i >= len(req.Messages) {
		return "the request has " + plural(len(req.Messages), "message")
	}
	return show(req.Messages[i].Node)
}

func earlierMessagesUnchanged(r *Run) (j Judged) {
	r.pairsOfRequests(func(before, after *Exchange) {
		if _, ok := keeps(before.Request, after.Request); !ok {
			return
		}
		j.Seen = j.Seen || carriesResult(after.Request)
		for i, m := range before.Request.Messages {
			if now := after.Request.Messages[i]; !wire.SameExactly(m.Node, now.Node) {
				j.Find(Finding{
					Request:  after.Number,
					Pointer:  now.Node.Pointer(),
					Message:  "a message changed after it was sent",
					Expected: show(m.Node),
					Actual:   show(now.Node),
				})
				return
			}
		}
	})
	return j
}

func systemPromptSent(r *Run) (j Judged) {
	if r.Task.System == "" {
		return j
	}
	for _, x := range r.Taken() {
		j.Seen = j.Seen || carriesResult(x.Request)
		said := slices.ContainsFunc(x.Request.Messages, func(m wire.Message) bool {
			return m.Role == wire.System && strings.Contains(m.Content.Text, r.Task.System)
		})
		if !said {
			j.Find(Finding{
				Request:  x.Number,
				Pointer:  "/messages/0",
				Message:  "the system prompt is missing",
				Expected: "a system message with " + quote(r.Task.System),
				Actual:   messageAt(x.Request, 0),
			})
		}
	}
	return j
}

func promptsSent(r *Run) (j Judged) {
	for _, x := range r.Taken() {
		j.Seen = j.Seen || carriesResult(x.Request)
		next := 0
		for _, m := range x.Request.Messages {
			if m.Role != wire.User || next == len(r.Task.Prompts) {
				continue
			}
			if m.Content.Text != r.Task.Prompts[next] {
				j.Find(Finding{
					Request:  x.Number,
					Pointer:  m.Node.Get("content").Pointer(),
					Message:  "the user did not say this",
					Expected: quote(r.Task.Prompts[next]),
					Actual:   quote(m.Content.Text),
				})
			}
			next++
		}
	}
	return j
}

func callsComeBack(r *Run) (j Judged) {
	for _, e := range r.AskingEchoes() {
		j.Seen = true
		want := e.Turn.Answer.Calls
		var got []string
		if e.Message != nil {
			for _, c := range e.Message.Calls {
				got = append(got, c.Name)
			}
		}
		// A loop may split a turn over several messages; that is for turn-in-one-message to say.
		for i := e.Index + 1; e.Message != nil && i < len(e.In.Request.Messages); i++ {
			for _, c := range e.In.Request.Messages[i].Calls {
				got = append(got, c.Name)
			}
		}
		for _, call := range want {
			if r.Script.Scenario.Trouble(call) != scenarios.NoTrouble {
				continue // the rules about execution look at bad calls
			}
			at := slices.Index(got, call.Name)
			if at < 0 {
				at = slices.Index(got, "") // call-has-name looks at those
			}
			if at >= 0 {
				got = slices.Delete(got, at, at+1)
				continue
			}
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  "/messages",
				Message:  fmt.Sprintf("the call %s (%s) did not come back", call.As, call.Name),
				Expected: "an assistant message with " + plural(len(want), "tool call"),
				Actual:   echoed(e),
			})
			break
		}
	}
	return j
}

func echoed(e Echo) string {
	if e.Message == nil {
		return "no assistant message for this turn"
	}
	return show(e.Message.Node)
}

func textComesBack(r *Run) (j Judged) {
	for _, e := range r.AskingEchoes() {
		text := e.Turn.Answer.Text
		if strings.TrimSpace(text) == "" || e.Message == nil {
			continue
		}
		j.Seen = true
		said := slices.ContainsFunc(e.In.Request.Messages, func(m wire.Message) bool {
			return m.Role == wire.Assistant && strings.Contains(m.Content.Text, text)
		})
		if !said {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  e.Message.Node.Pointer() + "/content",
				Message:  "the text beside the tool calls did not come back",
				Expected: quote(text),
				Actual:   quote(e.Message.Content.Text),
			})
		}
	}
	return j
}

func turnInOneMessage(r *Run) (j Judged) {
	for _, e := range r.AskingEchoes() {
		text, calls := e.Turn.Answer.Text, len(e.Turn.Answer.Calls)
		if e.Message == nil || calls < 2 && text == "" {
			continue
		}
		j.Seen = true
		spread := e.spread()
		if spread > 1 {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  e.Message.Node.Pointer(),
				Message:  fmt.Sprintf("one turn of the model came back as %d assistant messages", spread),
				Expected: "one assistant message",
				Actual:   show(e.Message.Node),
			})
		}
	}
	return j
}

// spread returns over how many assistant messages, with nothing but their results between, the turn came back.
func (e Echo) spread() int {
	messages := e.In.Request.Messages
	belongs := func(i int) bool {
		if i < 0 || i >= len(messages) {
			return false
		}
		m := messages[i]
		return anyCall(e.Turn.Answer, m, func(x wire.AnswerCall, y wire.Call) bool { return x.ID != "" && x.ID == y.ID }) ||
			len(m.Calls) == 0 && sameAnswerText(e.Turn.Answer, m)
	}
	count := 1
	for i := e.Index - 1; belongs(i); i-- {
		count++
	}
	for i := e.Index + 1; i < len(messages); i++ {
		switch {
		case messages[i].Role == wire.Assistant && belongs(i):
			count++
		case messages[i].Role != wire.Tool:
			return count
		}
	}
	return count
}

func answersComeBack(r *Run) (j Judged) {
	for _, e := range r.Echoes() {
		if !e.Turn.Final() {
			continue
		}
		j.Seen = true
		if e.Message == nil || !strings.Contains(e.Message.Content.Text, e.Turn.Answer.Text) {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  "/messages",
				Message:  "an earlier answer is not in the history",
				Expected: "an assistant message with " + quote(e.Turn.Answer.Text),
				Actual:   echoed(e),
			})
		}
	}
	return j
}
