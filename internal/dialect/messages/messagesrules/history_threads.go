package messagesrules

import (
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const threadDocs = "https://platform.claude.com/docs/en/build-with-claude/message-threads"

// historyThreadRules are the rules about conversations that the provider keeps, so that a request
// holds only what is new. The other rules judge what both say together. A loop that leaves nothing
// to the provider does not claim any of this.
var historyThreadRules = []rules.Rule{
	{
		ID:        "history/thread-goes-on-from-the-last-answer",
		Level:     trace.Must,
		Threads:   true,
		Text:      "A request that continues a thread names the last answer of the conversation.",
		Why:       "Each answer can be continued once, and an unknown id is refused.",
		Invariant: true,
		Evidence:  "a request with results that continues a thread, or one that is refused because of the answer that it names",
		Sources: []rules.Source{
			{URL: threadDocs, Says: "use each new response id for the next turn"},
			{URL: "https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/resources/messages/messages.ts", Says: "ThreadAlreadyContinuedError: each response can be continued only once"},
		},
		Run: threadFromLastAnswer,
	},
	{
		ID:        "history/thread-keeps-system-and-tools",
		Level:     trace.Must,
		Threads:   true,
		Text:      "A request that continues a thread leaves out the system prompt and the tools, which the provider keeps.",
		Why:       "The provider refuses a request that repeats them.",
		Invariant: true,
		Evidence:  "a request with results that continues a thread, or one that is refused because it repeats them",
		Sources: []rules.Source{
			{URL: threadDocs, Says: "leave system and tools out of the request; the thread keeps the values from the create request"},
			{URL: "https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/resources/messages/messages.ts", Says: "ThreadFingerprintMismatchError: a field that must stay the same"},
		},
		Run: threadKeepsSystem,
	},
	{
		ID:        "egress/threads-beta-named",
		Level:     trace.Must,
		Threads:   true,
		Text:      "A request with a thread names the beta in its header anthropic-beta: message-threads-2026-08-12.",
		Why:       "Without it the provider does not know the key thread.",
		Invariant: true,
		Evidence:  "a request with a thread and a tool result",
		Sources:   []rules.Source{{URL: threadDocs, Says: "needs the message-threads-2026-08-12 beta header"}},
		Request:   threadsBetaNamed,
	},
}

func threadFromLastAnswer(r *rules.Run) (j rules.CheckResult) {
	for i, x := range r.Exchanges {
		if x.Thread == nil || x.Thread.Previous == "" {
			continue
		}
		j.HasEvidence = j.HasEvidence || x.Kept() > 0 && rules.CarriesResult(x.Request)
		unknown := x.Thread.Problem == wire.HistoryNotFound && !x.Thread.Lost
		if !unknown && !(x.Thread.Problem == wire.HistoryContinued && reachedWhole(r, i, x.Thread.Previous)) {
			continue
		}
		j.Find(trace.Finding{
			Request:  x.Number,
			Message:  "the request continues a thread from an answer that is not the last one",
			Expected: "the id of the last answer",
			Actual:   x.Thread.Previous + ", which is refused with " + x.Thread.Code,
		})
	}
	return j
}

// reachedWhole reports whether the answer that continued a thread from some id, before an exchange,
// reached the loop whole: what broke off a loop may ask for again.
func reachedWhole(r *rules.Run, before int, previous string) bool {
	for _, x := range r.Exchanges[:before] {
		if x.Thread != nil && x.Thread.Previous == previous && x.Turn != nil {
			return !x.Dropped && !x.HeldOpenUntilTimeout && x.Turn.Whole() && len(x.Turn.Quirks) == 0 && r.Ordinary(x.Turn)
		}
	}
	return false
}

func threadKeepsSystem(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Exchanges {
		if x.Thread == nil || x.Thread.Previous == "" {
			continue
		}
		j.HasEvidence = j.HasEvidence || x.Kept() > 0 && rules.CarriesResult(x.Request)
		if x.Thread.Problem == wire.HistoryRepeated {
			j.Find(trace.Finding{
				Request:  x.Number,
				Message:  "the request continues a thread and says again what the provider keeps with it",
				Expected: "neither system nor tools",
				Actual:   "a request that is refused with " + x.Thread.Code,
			})
		}
	}
	return j
}

func threadsBetaNamed(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if req.Headers == nil || !req.Body.Get("thread").Is(wire.Object) {
		return j
	}
	j.HasEvidence = true
	if beta := req.Headers["anthropic-beta"]; !strings.Contains(beta, "message-threads-") {
		j.Find(trace.Finding{
			Pointer: "/thread", Message: "the request has a thread, and its headers do not name the beta",
			Expected: "anthropic-beta: message-threads-2026-08-12", Actual: headerLine("anthropic-beta", beta),
		})
	}
	return j
}
