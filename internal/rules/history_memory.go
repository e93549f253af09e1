package rules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// wholeHistory is what a loop does not claim that keeps a window.
var wholeHistory = []protocol.Feature{protocol.WholeHistory}

// historyMemory are the rules of the area history about what a loop remembers from one prompt to the next.
var historyMemory = []Rule{
	{
		ID:          "history/tool-turns-stay",
		Level:       Info,
		Text:        "When the user goes on, the tool calls and results of the earlier prompts are in the history.",
		Why:         "The model cannot look again at what its tools found, and calls them once more. Some libraries keep questions and answers only, and say so.",
		Needs:       []protocol.Feature{protocol.MultiPrompt, protocol.WholeHistory},
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a request with a second prompt, after a turn with tool calls",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/conversation-state", "the whole history goes with every request"},
			{"https://docs.spring.io/spring-ai/reference/api/chat-memory.html", "the messages of tool calls are not stored in the memory"},
		},
		Run: toolTurnsStay,
	},
}

func toolTurnsStay(r *Run) (j Judged) {
	r.pairsInFull(func(before, after *Exchange) {
		if !r.asksMore(before, after) || !slices.ContainsFunc(before.Request.Messages, ofTools) {
			return
		}
		j.Seen = true
		if i, ok := r.lost(before.Request, after.Request, ofTools); ok {
			m := before.Request.Messages[i]
			j.Find(Finding{
				Request:  after.Number,
				Pointer:  after.Request.HistoryPointer(),
				Message:  fmt.Sprintf("a tool turn of request %d is not in the history of the next prompt", before.Number),
				Expected: show(m.Node),
				Actual:   plural(len(after.Request.Messages), "message") + " without it",
			})
		}
	})
	return j
}

// asksMore reports whether a request carries a prompt that the request before it did not.
func (r *Run) asksMore(before, after *Exchange) bool {
	return slices.ContainsFunc(r.Task.Prompts, func(prompt string) bool {
		return saysPrompt(after.Request, prompt) && !saysPrompt(before.Request, prompt)
	})
}

func anyMessage(wire.Message) bool   { return true }
func notOfTools(m wire.Message) bool { return !ofTools(m) }

// ofTools reports whether a message has calls of tools, or results.
func ofTools(m wire.Message) bool { return len(m.Calls) > 0 || len(m.Results) > 0 }
