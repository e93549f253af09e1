package gemini

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// finishQuirks are about why the model stopped, and about answers that say nothing.
func finishQuirks() []wire.Quirk {
	return slices.Concat(stoppedQuirks(), unrunnableQuirks(), []wire.Quirk{
		{
			Name:   "stop-reason-unknown",
			Does:   "stops for a reason that nobody knows yet",
			Answer: func(a *wire.Answer) { a.Finish = "BUDGET_REACHED" },
		},
		{
			Name:   "finish-other",
			Does:   "stops for the reason OTHER",
			Answer: func(a *wire.Answer) { a.Finish = "OTHER" },
		},
		{
			Name:   "prompt-blocked",
			Does:   "blocks the prompt: there is a promptFeedback and no candidate",
			Answer: leftEmpty(wire.FinishContentFilter),
			Events: func(events []wire.Event) []wire.Event { return wire.EachPayload(blockPrompt)(events[len(events)-1:]) },
			Whole:  wire.InBody(blockPrompt),
		},
		{
			Name:   "candidates-none",
			Does:   "answers with token counts and nothing of the model",
			Answer: leftEmpty(wire.FinishStop),
			Events: func(events []wire.Event) []wire.Event { return wire.EachPayload(noCandidates)(events[len(events)-1:]) },
			Whole:  wire.InBody(noCandidates),
		},
		{
			Name:   "thoughts-counted-apart",
			Does:   "counts the tokens of its thoughts apart from those of the answer",
			Answer: func(a *wire.Answer) { a.Usage.Reasoning = 64 },
		},
	})
}

// stoppedQuirks are the finish reasons of an answer that is stopped for its content, other than
// SAFETY.
func stoppedQuirks() []wire.Quirk {
	var all []wire.Quirk
	for _, q := range []struct{ name, word string }{
		{"finish-recitation", "RECITATION"}, {"finish-blocklist", "BLOCKLIST"}, {"finish-prohibited-content", "PROHIBITED_CONTENT"},
		{"finish-spii", "SPII"}, {"finish-language", "LANGUAGE"},
	} {
		rename := func(chunk *wire.Node) {
			if candidate := chunk.Path("candidates", 0); candidate.Has("finishReason") {
				candidate.Set("finishReason", q.word)
			}
		}
		all = append(all, wire.Quirk{
			Name:   q.name,
			Does:   "stops an answer for the reason " + q.word,
			Answer: func(a *wire.Answer) { a.Finish = wire.FinishContentFilter },
			Events: wire.EachPayload(rename),
			Whole:  wire.InBody(rename),
		})
	}
	return all
}

// unrunnableQuirks are the words for a call that was none, of which nothing is left but the reason.
func unrunnableQuirks() []wire.Quirk {
	var all []wire.Quirk
	for _, q := range []struct{ name, word, message string }{
		{"call-malformed", "MALFORMED_FUNCTION_CALL", "Malformed function call: print(default_api.get_weather(city='Oslo'))"},
		{"call-unexpected", "UNEXPECTED_TOOL_CALL", "Unexpected tool call: Model tried to call an undeclared function: get_forecast"},
		{"calls-too-many", "TOO_MANY_TOOL_CALLS", "Too many tool calls: the model called too many tools consecutively."},
	} {
		empty := func(chunk *wire.Node) {
			candidate := chunk.Path("candidates", 0)
			candidate.Set("content", wire.Fields{})
			candidate.Set("finishMessage", q.message)
		}
		all = append(all, wire.Quirk{
			Name:   q.name,
			Does:   "ends a turn with " + q.word + " and no parts",
			Answer: leftEmpty(wire.Finish(q.word)),
			Events: func(events []wire.Event) []wire.Event { return wire.EachPayload(empty)(events[len(events)-1:]) },
			Whole:  wire.InBody(empty),
		})
	}
	return all
}

// leftEmpty leaves nothing of an answer but why the model stopped.
func leftEmpty(finish wire.Finish) func(*wire.Answer) {
	return func(a *wire.Answer) { *a = wire.Answer{Finish: finish, Usage: wire.Usage{Prompt: a.Usage.Prompt}} }
}

func blockPrompt(chunk *wire.Node) {
	noCandidates(chunk)
	chunk.Set("promptFeedback", wire.Fields{{Key: "blockReason", Value: "PROHIBITED_CONTENT"}})
}

func noCandidates(chunk *wire.Node) { chunk.Remove("candidates") }
