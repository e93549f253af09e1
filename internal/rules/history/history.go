package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

var coreRules = []rules.Rule{
	{
		ID:          "history/only-grows",
		Level:       trace.Must,
		Text:        "A request carries the turns and results of the request before it, in their order, and adds to them. Leaving out the oldest ones together, as a window does, only breaks a should.",
		Why:         "A model that does not see its earlier turns repeats them, and a provider refuses calls without results.",
		Needs:       wholeHistory,
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a second request",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/conversation-state", Says: "the whole history goes with every request"},
			{URL: "https://github.com/mastra-ai/mastra/issues/2667", Says: "a history window that cut pairs apart"},
			{URL: "https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/conversation-management/", Says: "SlidingWindowConversationManager, the default: a window over the last forty messages"},
			{URL: "https://docs.langchain4j.dev/tutorials/chat-memory", Says: "MessageWindowChatMemory: a window that keeps calls and results together"},
			{URL: rules.GeminiRequestDocs, Says: "contents: of several turns, the history and the latest request"},
		},
		Run: onlyGrows,
	},
	{
		ID:          "history/earlier-messages-unchanged",
		Level:       trace.Should,
		Text:        "A message that was sent once is sent the same way in every later request to the same model.",
		Why:         "The provider's prompt cache matches prefixes; a changed message makes all that follows it cost full price again.",
		Needs:       wholeHistory,
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a second request",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/prompt-caching", Says: "cache hits need exact prefix matches"},
			{URL: "https://github.com/charmbracelet/fantasy/issues/333", Says: "an earlier turn changed with the turns after it"},
			{URL: rules.PrefixCheckDocs, Says: "the newest models of Anthropic bind reasoning to what is before it: they refuse it, or leave it out, after a system prompt, tools or messages that have changed"},
			{URL: "https://github.com/anomalyco/opencode/issues/48637", Says: "the 400: the block is bound to a different conversation"},
			{URL: "https://github.com/pydantic/pydantic-ai/issues/7984", Says: "measured: which changes are refused"},
		},
		Vars: []string{"reasoning"},
		Run:  earlierMessagesUnchanged,
	},
}

// PairsOfRequests calls f for every request of the conversation and the one before it. After a
// request that the provider refused the next one may be another: a shorter history after one that
// was too long. After a prompt without an answer a loop may forget what came of it: resumedWhole
// looks at those.
func PairsOfRequests(r *rules.Run, f func(before, after *trace.Exchange)) {
	taken := r.Conversation()
	for i := 1; i < len(taken); i++ {
		if !taken[i-1].Refused() && r.ResumedBy(taken[i]) == nil {
			f(taken[i-1], taken[i])
		}
	}
}

// pairsInFull calls f with those of them whose later request carries its whole history.
func pairsInFull(r *rules.Run, f func(before, after *trace.Exchange)) {
	PairsOfRequests(r, func(before, after *trace.Exchange) {
		if after.Kept() == 0 {
			f(before, after)
		}
	})
}

// onlyGrows looks at what the model said and what the tools returned. A loop's own notes, such as a
// reminder at the end of each request, may come and go: earlier-messages-unchanged says what that
// costs.
func onlyGrows(r *rules.Run) (j rules.CheckResult) {
	pairsInFull(r, func(before, after *trace.Exchange) {
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(after.Request)
		owed := anyMessage
		if asksMore(r, before, after) {
			owed = notOfTools // tool-turns-stay looks at the others
		}
		if i, ok := lost(r, before.Request, after.Request, owed); ok {
			f := trace.Finding{
				Request:  after.Number,
				Pointer:  after.Request.MessagePointer(i),
				Message:  fmt.Sprintf("message %d of request %d is not in request %d any more", i, before.Number, after.Number),
				Expected: rules.Show(before.Request.Messages[i].Node),
				Actual:   messageAt(after.Request, i),
				Calls:    callsGone(before.Request, after.Request),
			}
			if slides(r, before, after) {
				f.Level = trace.Should
			}
			j.Find(f)
		}
	})
	for _, at := range r.Resumptions() {
		j.Add(resumedWhole(r, at))
	}
	return j
}

// resumedWhole looks at what the model said before a prompt without an answer, once the user has
// continued.
func resumedWhole(r *rules.Run, at rules.Resumption) (j rules.CheckResult) {
	if at.Next.Kept() > 0 || at.Prompt < 0 { // the failed request says no prompt: prompts-sent looks at that
		return j
	}
	before := beforePrompt(at.Failed.Request, r.Task.Prompts[at.Prompt])
	j.HasEvidence = rules.CarriesResult(before)
	if i, ok := lost(r, before, at.Next.Request, notOfTools); ok {
		j.FindAt(at.Next, at.Next.Request.HistoryPointer(),
			fmt.Sprintf("message %d of request %d, of a prompt before the one without an answer, is not in request %d any more", i, at.Failed.Number, at.Next.Number),
			rules.Show(before.Messages[i].Node),
			rules.Plural(len(at.Next.Request.Messages), "message")+" without it")
	}
	return j
}

// beforePrompt returns a request with what it has before a prompt.
func beforePrompt(req *wire.Request, prompt string) *wire.Request {
	n := slices.IndexFunc(req.Messages, func(m wire.Message) bool {
		return m.Role == wire.User && strings.Contains(m.Content.Text, prompt)
	})
	return &wire.Request{Dialect: req.Dialect, Messages: req.Messages[:max(n, 0)]}
}

// slides reports whether a later request has all that is after some place of a request, and nothing
// of what is before it: a window over the last turns and results, which some loops keep on purpose.
// It looks from the end, so that what a turn says again is not taken for the turn before that said
// it first. A window that begins with a later prompt may have no more than the turn that answered
// the request.
func slides(r *rules.Run, before, after *trace.Exchange) bool {
	now := after.Request.Messages
	kept, gone, end := beginsLater(r, before, after), false, len(now)
	for _, m := range slices.Backward(before.Request.Messages) {
		turn := isTurn(r, m)
		if !turn && m.Role != wire.Tool {
			continue
		}
		at := end - 1
		for at >= 0 && !sameTurnOrResult(m, now[at]) {
			at--
		}
		switch {
		case at < 0:
			gone = true
		case gone:
			return false
		default:
			kept = true
		}
		if turn && at >= 0 {
			end = at
		}
	}
	return kept
}

// beginsLater reports whether a request has the turn that answered an earlier one, and not the
// first prompt any more.
func beginsLater(r *rules.Run, before, after *trace.Exchange) bool {
	answer, first := r.ReturnOf(before.Turn), r.Task.Prompts[0]
	return answer != nil && answer.In == after && before.Request.UserSays(first) && !after.Request.UserSays(first)
}

// lost returns the index of the first turn or result of a request that a later one does not have,
// or not in its place, among those that are required.
func lost(r *rules.Run, before, after *wire.Request, owed func(wire.Message) bool) (int, bool) {
	from := 0 // in the later request, after the last turn that was found
	for i, m := range before.Messages {
		turn := isTurn(r, m)
		if !turn && m.Role != wire.Tool {
			continue
		}
		unfinished := turn && isUnfinished(r, m)
		at := slices.IndexFunc(after.Messages[from:], func(now wire.Message) bool {
			return sameTurnOrResult(m, now) && !isEqualTurn(before, m, now) || unfinished && beginsWith(now, m)
		})
		if at < 0 && owed(m) {
			return i, true
		}
		if turn && at >= 0 {
			from += at + 1
		}
	}
	return 0, false
}

// isEqualTurn reports whether a message is another turn of a request than this one, with equal
// calls.
func isEqualTurn(req *wire.Request, turn, m wire.Message) bool {
	ids := rules.CallIDs(m)
	if len(ids) == 0 || slices.Contains(ids, "") || slices.Equal(ids, rules.CallIDs(turn)) {
		return false
	}
	return slices.ContainsFunc(req.Messages, func(other wire.Message) bool { return slices.Equal(ids, rules.CallIDs(other)) })
}

// isTurn reports whether a message is a turn of the model, and not one that the loop made up.
func isTurn(r *rules.Run, m wire.Message) bool {
	return m.Role == wire.Assistant && (len(m.Calls) > 0 || answers(r, m))
}

// isUnfinished reports whether a message is the text of an answer that was cut: what the model says
// next may be joined to it.
func isUnfinished(r *rules.Run, m wire.Message) bool {
	return len(m.Calls) == 0 && slices.ContainsFunc(r.Script.Turns, func(t *scenarios.Turn) bool {
		return t.Answer != nil && (t.Breaks() || t.Truncated()) && rules.SameAnswerText(t.Answer, &m)
	})
}

// beginsWith reports whether an assistant message goes on with the text of another.
func beginsWith(m, first wire.Message) bool {
	return m.Role == wire.Assistant && strings.HasPrefix(strings.TrimSpace(m.Content.Text), strings.TrimSpace(first.Content.Text))
}

// sameTurnOrResult reports whether two messages are the same turn, or have the same result.
func sameTurnOrResult(a, b wire.Message) bool { return sameTurn(a, b) || sameResult(a, b) }

// callsGone returns the ids of the calls of a request that a later one does not have.
func callsGone(before, after *wire.Request) []string {
	var gone []string
	for _, m := range before.Messages {
		for _, id := range rules.CallIDs(m) {
			if !slices.ContainsFunc(after.Messages, func(now wire.Message) bool { return slices.Contains(rules.CallIDs(now), id) }) {
				gone = append(gone, id)
			}
		}
	}
	return gone
}

// answers reports whether a message is what the model said in some turn.
func answers(r *rules.Run, m wire.Message) bool {
	return slices.ContainsFunc(r.Script.Turns, func(t *scenarios.Turn) bool { return t.Answer != nil && rules.SameAnswerText(t.Answer, &m) })
}

// sameTurn reports whether two assistant messages are the same turn: by the ids of their calls or,
// as some loops make new ids for each request, by the calls themselves; by their text when there
// are none.
func sameTurn(a, b wire.Message) bool {
	if a.Role != wire.Assistant || b.Role != wire.Assistant {
		return false
	}
	if len(a.Calls) == 0 {
		return a.Content.Text == b.Content.Text || goesOn(a.Node, b.Node)
	}
	return slices.Equal(rules.CallIDs(a), rules.CallIDs(b)) || slices.EqualFunc(a.Calls, b.Calls, func(x, y wire.Call) bool {
		return x.Name == y.Name && wire.SameJSON(x.Arguments, y.Arguments)
	})
}

func sameResult(a, b wire.Message) bool {
	if len(a.Results) == 0 || len(b.Results) == 0 {
		return false
	}
	x, y := a.Results[0], b.Results[0]
	return x.CallID == y.CallID || x.Content.Text == y.Content.Text
}

func messageAt(req *wire.Request, i int) string {
	if i >= len(req.Messages) {
		return "the request has " + rules.Plural(len(req.Messages), "message")
	}
	return rules.Show(req.Messages[i].Node)
}

// endsAlike reports whether the last message of a request is in the next one with more behind it.
// left are the messages of that one from there on. Where a turn of the model follows, a message of
// the user must not have more than it was asked with.
func endsAlike(last wire.Message, left []wire.Message) bool {
	return goesOn(last.Node, left[0].Node) || len(left) == 1 && hasMore(last, left[0])
}

// refusedForReasoning reports whether a request was refused for reasoning of another model, which the
// next one may leave out.
func refusedForReasoning(x *trace.Exchange) bool {
	return x.Refusal != nil && x.Refusal.Given && x.Refusal.Rule == rules.ReasoningStaysBehind
}

func earlierMessagesUnchanged(r *rules.Run) (j rules.CheckResult) {
	pairsInFull(r, func(before, after *trace.Exchange) {
		if _, ok := lost(r, before.Request, after.Request, anyMessage); ok || before.Request.Model != after.Request.Model || refusedForReasoning(before) {
			return // another model has a cache of its own, and may not be able to read all that the first one wrote
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(after.Request)
		for i, m := range before.Request.Messages {
			if i < len(after.Request.Messages) && sameAsBefore(m, after.Request.Messages[i]) {
				continue
			}
			if i == len(before.Request.Messages)-1 && i < len(after.Request.Messages) && endsAlike(m, after.Request.Messages[i:]) {
				continue
			}
			j.Find(trace.Finding{
				Request:  after.Number,
				Pointer:  after.Request.MessagePointer(i),
				Message:  "a message changed after it was sent",
				Expected: rules.Show(m.Node),
				Actual:   messageAt(after.Request, i),
				Vars:     reasoningBehind(after.Request, i),
			})
			return
		}
	})
	return j
}
