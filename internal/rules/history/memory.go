package history

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// wholeHistory is what a loop does not claim that keeps a window.
var wholeHistory = []protocol.Feature{protocol.WholeHistory}

// memoryRules are the rules of the area history about what a loop remembers from one prompt to the
// next.
var memoryRules = []rules.Rule{
	{
		ID:          "history/tool-turns-stay",
		Level:       trace.Info,
		Text:        "When the user continues, the tool calls and results of the earlier prompts are in the history.",
		Why:         "Otherwise the model does not see earlier results, and calls the tools again. Some libraries document that they keep only questions and answers.",
		Needs:       []protocol.Feature{protocol.MultiPrompt, protocol.WholeHistory},
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a request with a second prompt, after a turn with tool calls",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/conversation-state", Says: "the whole history goes with every request"},
			{URL: "https://docs.spring.io/spring-ai/reference/api/chat-memory.html", Says: "the messages of tool calls are not stored in the memory"},
		},
		Run: toolTurnsStay,
	},
}

func toolTurnsStay(r *rules.Run) (j rules.CheckResult) {
	pairsInFull(r, func(before, after *trace.Exchange) {
		if !asksMore(r, before, after) || !slices.ContainsFunc(before.Request.Messages, ofTools) {
			return
		}
		j.HasEvidence = true
		if i, ok := lost(r, before.Request, after.Request, ofTools); ok {
			m := before.Request.Messages[i]
			j.FindAt(after, after.Request.HistoryPointer(),
				fmt.Sprintf("a tool turn of request %d is not in the history of the next prompt", before.Number),
				rules.Show(m.Node),
				rules.Plural(len(after.Request.Messages), "message")+" without it")
		}
	})
	return j
}

// asksMore reports whether a request carries a prompt that the request before it did not. Where the
// user says the same again, that is known by the answer between them.
func asksMore(r *rules.Run, before, after *trace.Exchange) bool {
	return scenarios.SaysNewPrompt(r.Task.Prompts, before.Request, after.Request) ||
		saysSameAgain(r.Task.Prompts) && before.Turn != nil && before.Turn.Final()
}

// saysSameAgain reports whether two prompts have the same words.
func saysSameAgain(prompts []string) bool {
	sorted := slices.Sorted(slices.Values(prompts))
	return len(slices.Compact(sorted)) < len(prompts)
}

func anyMessage(wire.Message) bool { return true }

func notOfTools(m wire.Message) bool { return !ofTools(m) }

// ofTools reports whether a message has calls of tools, or results.
func ofTools(m wire.Message) bool { return len(m.Calls) > 0 || len(m.Results) > 0 }
