package messagesrules

import (
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/history"
	"github.com/loopproof/loopproof/internal/rules/reasoning"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// reasoningThinkingRules are the rules of the area reasoning about the thinking blocks of the
// dialect messages.
var reasoningThinkingRules = []rules.Rule{
	{
		ID:        "reasoning/thinking-first",
		Level:     trace.Should, // models up to 4.5 refuse it
		Text:      "An assistant message with reasoning begins with it.",
		Why:       "Models up to 4.5 refuse a message that begins with something else; later ones think between the blocks of their own tools, too.",
		Invariant: true,
		ByTurn:    true,
		Returned:  true,
		Needs:     reasoning.Reasons,
		Evidence:  "a request that returns reasoning",
		Sources:   []rules.Source{{URL: "https://github.com/anthropics/claude-code/issues/20705", Says: "the 400: the first block must be thinking"}},
		Vars:      []string{"at", "found"},
		Request:   thinkingFirst,
	},
	{
		ID:        "reasoning/not-at-the-end",
		Level:     trace.Must,
		Text:      "The last block of an assistant message at the end of a request is not reasoning.",
		Why:       "The API refuses it; an aborted turn leaves such a message.",
		Invariant: true,
		ByTurn:    true,
		Returned:  true,
		Needs:     reasoning.Reasons,
		Evidence:  "a request that returns reasoning",
		BrokenIn:  []string{"history/blocks-in-turn"},
		Sources:   []rules.Source{{URL: "https://github.com/tailcallhq/forgecode/issues/2107", Says: "the 400: the final block in an assistant message cannot be thinking"}},
		Vars:      []string{"index"},
		Request:   notAtTheEnd,
	},
	{
		ID:        "reasoning/switch-stays",
		Level:     trace.Should, // no provider was seen to refuse it
		Text:      "Thinking is not turned on or off between the calls of a turn and their results.",
		Why:       "All calls and results up to the answer are one turn of the assistant, which has to end in the mode in which it began.",
		Invariant: true,
		Needs:     reasoning.Reasons,
		Evidence:  "a request with tool results after one with thinking",
		Sources:   []rules.Source{{URL: rules.ThinkingDocs, Says: "thinking cannot be toggled in the middle of an assistant turn, including during tool use loops"}},
		Run:       switchStays,
	},
}

func thinkingFirst(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, m := range req.Messages {
		if m.Role != wire.Assistant || len(m.Reasoning.Details) == 0 {
			continue
		}
		j.HasEvidence = true
		if first := m.Content.Parts[0]; first.Type == "text" || first.Type == req.Dialect.Terms.Call {
			j.Find(trace.Finding{
				Pointer:  first.Node.Pointer(),
				Message:  "a message with reasoning begins with something else",
				Expected: "the reasoning first",
				Actual:   rules.Show(first.Node),
				Vars:     map[string]string{"at": rules.Dotted(first.Node), "found": first.Type},
			})
		}
	}
	return j
}

func notAtTheEnd(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, m := range req.Messages {
		if m.Role != wire.Assistant || len(m.Reasoning.Details) == 0 {
			continue
		}
		j.HasEvidence = true
		if last := m.Content.Parts[len(m.Content.Parts)-1]; i == len(req.Messages)-1 && rules.IsReasoningPart(last) {
			j.Find(trace.Finding{
				Pointer:  last.Node.Pointer(),
				Message:  "the request ends with reasoning",
				Expected: "text or calls after it, or no such message",
				Actual:   rules.Show(last.Node),
				Vars:     map[string]string{"index": rules.IndexOf(m)},
			})
		}
	}
	return j
}

func switchStays(r *rules.Run) (j rules.CheckResult) {
	history.PairsOfRequests(r, func(before, after *trace.Exchange) {
		last := after.Request.Messages[len(after.Request.Messages)-1]
		was, now := messages.ThinkingWanted(before.Request), messages.ThinkingWanted(after.Request)
		if len(last.Results) == 0 {
			return
		}
		j.HasEvidence = j.HasEvidence || was
		if was != now {
			j.FindAt(after, "/thinking",
				"thinking was switched in the middle of a turn",
				rules.Show(before.Request.Body.Get("thinking")),
				rules.Show(after.Request.Body.Get("thinking")))
		}
	})
	return j
}
