package rules

import (
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/wire"
)

// minBudget is the least number of tokens that a model may be given to think.
const minBudget = 1024

// reasoningForced are the rules of the area reasoning about how a request in the dialect messages asks for it.
var reasoningForced = []Rule{
	{
		ID:        "reasoning/no-forced-tools",
		Level:     Must,
		Dialects:  onlyMessages,
		Text:      "A request with thinking of the type enabled does not force the model to use a tool.",
		Why:       "The two do not go together, and the request is refused.",
		Invariant: true,
		Needs:     reasons,
		Evidence:  "a request that carries a tool result and asks for thinking",
		Sources:   []Source{{thinkingDocs, "tool_choice auto and none alone go with thinking that has a budget"}},
		Request:   noForcedTools,
	},
	{
		ID:        "reasoning/budget-fits",
		Level:     Must,
		Dialects:  onlyMessages,
		Text:      "The budget_tokens of thinking are at least 1024.",
		Why:       "Less is refused.",
		Invariant: true,
		Needs:     reasons,
		Evidence:  "a request that carries a tool result and asks for thinking",
		Sources:   []Source{{messagesTypes, "budget_tokens: must be at least 1024 and less than max_tokens"}},
		Request:   budgetFits,
	},
}

func noForcedTools(_ *profiles.Profile, req *wire.Request) (j Judged) {
	thinking, choice := req.Body.Get("thinking"), req.Body.Get("tool_choice")
	j.Seen = thinking.Is(wire.Object)
	if kind := choice.Get("type").Text(); thinking.Get("type").Text() == "enabled" && (kind == "any" || kind == "tool") {
		j.Find(Finding{
			Pointer: "/tool_choice", Message: "a tool is forced while the model thinks",
			Expected: "auto, none, or no tool_choice", Actual: show(choice),
		})
	}
	return j
}

func budgetFits(_ *profiles.Profile, req *wire.Request) (j Judged) {
	thinking := req.Body.Get("thinking")
	j.Seen = thinking.Is(wire.Object)
	if budget := thinking.Get("budget_tokens"); thinking.Get("type").Text() == "enabled" {
		if n, ok := budget.Int(); !ok || n < minBudget {
			j.Find(Finding{
				Pointer: "/thinking/budget_tokens", Message: "the budget for thinking is too small",
				Expected: "at least 1024", Actual: show(budget),
			})
		}
	}
	return j
}
