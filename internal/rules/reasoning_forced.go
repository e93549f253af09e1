package rules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// minBudget is the least number of tokens that a model may be given to think.
const minBudget = 1024

// reasoningForced are the rules of the area reasoning about how a request in the dialect messages asks for it.
var reasoningForced = []Rule{
	{
		ID:        "reasoning/no-forced-tools",
		Level:     Must,
		Dialect:   onlyMessages,
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
		Dialect:   onlyMessages,
		Text:      "The budget_tokens of thinking are at least 1024.",
		Why:       "Less is refused.",
		Invariant: true,
		Needs:     reasons,
		Evidence:  "a request that carries a tool result and asks for thinking",
		Sources:   []Source{{anthropicSDK, "budget_tokens: must be at least 1024 and less than max_tokens"}},
		Request:   budgetFits,
	},
	{
		ID:        "reasoning/thinking-form",
		Level:     Info,
		Dialect:   onlyMessages,
		Text:      "Thinking is asked for in the form that the model takes: with a budget up to the generation 4.5, adaptive from 4.7 on.",
		Why:       "The other form is refused. A loop that is not told which model it talks to cannot know.",
		Invariant: true,
		Needs:     reasons,
		Evidence:  "a request that carries a tool result and asks a model for thinking that takes one form alone",
		Sources: []Source{
			{"https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking", "adaptive from 4.6 on; thinking of the type enabled is rejected by Opus 4.7 and later"},
			{"https://github.com/maximhq/bifrost/pull/5934", "the 400 for the type enabled"},
		},
		Vars:    []string{"type"},
		Request: thinkingForm,
	},
}

func thinkingForm(p *profiles.Profile, req *wire.Request) (j Judged) {
	thinking := req.Body.Get("thinking")
	if len(p.Accepts.Thinking) == 0 || !thinking.Is(wire.Object) {
		return j
	}
	j.Seen = true
	if kind := thinking.Get("type").Text(); !slices.Contains(p.Accepts.Thinking, kind) {
		j.Find(Finding{
			Pointer: "/thinking", Message: "thinking is asked for in a form that models of this generation do not take",
			Expected: "thinking of the type " + strings.Join(p.Accepts.Thinking, " or "), Actual: show(thinking),
			Vars: map[string]string{"type": kind},
		})
	}
	return j
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
