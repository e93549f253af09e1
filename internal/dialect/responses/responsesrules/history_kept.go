package responsesrules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const conversationState = "https://platform.openai.com/docs/guides/conversation-state"

// historyKept are the rules about conversations that the provider keeps, so that a request holds
// only what is new. The other rules judge what both say together: that nothing is lost or said
// twice, and that instructions and tools, which are not kept, come with each request. A loop that
// leaves nothing to the provider does not claim any of this.
var historyKept = []rules.Rule{
	{
		ID:        "history/only-what-is-new",
		Level:     trace.Must,
		Threads:   true,
		Text:      "A request that continues a response sends only what is new: no prompt or answer that the provider already has.",
		Why:       "The model reads it twice, and the tokens of the whole chain are paid for anyway.",
		Invariant: true,
		Evidence:  "a request with results that continues a response",
		Sources: []rules.Source{
			{URL: conversationState, Says: "all previous input tokens of the chain are billed as input tokens"},
			{URL: "https://github.com/microsoft/agent-framework/issues/3295", Says: "items sent again alongside previous_response_id, and the 400 for their ids"},
		},
		Run: onlyWhatIsNew,
	},
	{
		ID:        "history/tools-with-each-request",
		Level:     trace.Must,
		Threads:   true,
		Text:      "A request that continues a response offers the tools of the conversation again.",
		Why:       "The provider does not keep them with the response: otherwise the model can call no tool in the middle of its task.",
		Invariant: true,
		Evidence:  "a request with results that continues a response, in a task that has tools",
		Sources: []rules.Source{
			{URL: "https://community.openai.com/t/tools-not-working-after-first-turn-when-using-previous-response-id/1368446", Says: "tried with the API: no tool was called any more once requests with previous_response_id came without tools; confirmed there, tools are no part of the conversation that the server keeps"},
			{URL: responsesSchemas, Says: "CreateResponse: tools are a parameter of each request"},
		},
		Run: toolsWithEachRequest,
	},
	{
		ID:        "history/named-response-is-stored",
		Level:     trace.Must,
		Threads:   true,
		Text:      "A request continues only a response that was stored, not one whose request had store: false.",
		Why:       "The provider does not have it, and refuses the request.",
		Invariant: true,
		Evidence:  "a request that continues a response",
		Sources: []rules.Source{
			{URL: conversationState, Says: "store: false: the response is not kept"},
			{URL: "https://github.com/cartesia-ai/line/pull/245", Says: "previous_response_id refused with a 400 where nothing is stored"},
		},
		Asked: namesResponses,
		Run:   namedResponseStored,
	},
}

// onlyWhatIsNew looks for prompts and answers. Calls and results that are said again have their
// ids, for which there are rules.
func onlyWhatIsNew(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Conversation() {
		if x.Kept() == 0 || r.Cancel != nil && x.Number > r.Cancel.Request {
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request)
		kept, sent := x.Request.Messages[:x.Kept()], x.Request.Messages[x.Kept():]
		for _, m := range sent {
			if !saysAgain(r, kept, m) {
				continue
			}
			j.Find(trace.Finding{
				Request: x.Number, Pointer: m.Node.Pointer(), Message: "the request goes on from a response, and says again what that holds",
				Expected: "only what is new", Actual: rules.Show(m.Node),
			})
			break
		}
	}
	return j
}

// saysAgain reports whether a message is a prompt or an answer that was kept, and was not said so
// twice.
func saysAgain(r *rules.Run, kept []wire.Message, m wire.Message) bool {
	text := strings.TrimSpace(m.Content.Text)
	if text == "" || len(m.Calls) > 0 || m.Role != wire.User && m.Role != wire.Assistant {
		return false
	}
	times := 1
	for _, before := range kept {
		if before.Role == m.Role && len(before.Calls) == 0 && strings.TrimSpace(before.Content.Text) == text {
			times++
		}
	}
	said := 0
	for _, prompt := range r.Task.Prompts {
		if m.Role == wire.User && strings.TrimSpace(prompt) == text {
			said++
		}
	}
	for _, x := range r.Conversation() {
		if m.Role == wire.Assistant && x.Turn != nil && x.Turn.Final() && strings.TrimSpace(x.Turn.Answer.Text) == text {
			said++
		}
	}
	return said > 0 && times > said
}

// toolsWithEachRequest leaves out the last word of a loop that has reached its limit, which may do
// without tools.
func toolsWithEachRequest(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Conversation() {
		if x.Kept() == 0 || len(r.Task.Tools) == 0 || r.IsLastWord(x) {
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request)
		if len(x.Request.Tools) == 0 {
			j.Find(trace.Finding{
				Request: x.Number, Pointer: "/tools", Message: "the request goes on from a response, and offers no tools",
				Expected: "the tools of the task", Actual: rules.Show(x.Request.Body.Get("tools")),
			})
		}
	}
	return j
}

// namesResponses reports whether a request names the response that it continues. One in a
// conversation does not.
func namesResponses(r *rules.Run) bool {
	return slices.ContainsFunc(r.Exchanges, func(x *trace.Exchange) bool { return x.Thread != nil && x.Thread.Previous != "" })
}

func namedResponseStored(r *rules.Run) (j rules.CheckResult) {
	for i, x := range r.Exchanges {
		if x.Thread == nil || x.Thread.Previous == "" {
			continue
		}
		j.HasEvidence = j.HasEvidence || x.Kept() > 0
		unknown := x.Thread.Problem == wire.HistoryNotFound && !x.Thread.Lost
		if unknown && unstoredBefore(r.Exchanges[:i]) {
			j.Find(trace.Finding{
				Request: x.Number, Message: "the request goes on from a response that was not stored",
				Expected: "a response whose request did not say store: false", Actual: x.Thread.Previous + ", which is refused with " + x.Thread.Code,
			})
		}
	}
	return j
}

// unstoredBefore reports whether a request said that its response is not to be stored.
func unstoredBefore(exchanges []*trace.Exchange) bool {
	for _, x := range exchanges {
		if x.Request != nil && isFalse(x.Request.Body.Get("store")) {
			return true
		}
	}
	return false
}
