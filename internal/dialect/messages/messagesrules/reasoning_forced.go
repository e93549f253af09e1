package messagesrules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/reasoning"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// minBudget is the least number of tokens that a model may be given to think.
const minBudget = 1024

// reasoningForcedRules are the rules of the area reasoning about how a request in the dialect messages asks for it.
var reasoningForcedRules = []rules.Rule{
	{
		ID:        "reasoning/no-forced-tools",
		Level:     trace.Must,
		Text:      "A request with thinking of the type enabled does not force the model to use a tool.",
		Why:       "They cannot be combined; the request is refused.",
		Invariant: true,
		Needs:     reasoning.Reasons,
		Evidence:  "a request that carries a tool result and asks for thinking",
		Sources:   []rules.Source{{URL: rules.ThinkingDocs, Says: "tool_choice auto and none alone go with thinking that has a budget"}},
		Request:   noForcedTools,
	},
	{
		ID:        "reasoning/budget-fits",
		Level:     trace.Must,
		Text:      "The budget_tokens of thinking are at least 1024.",
		Why:       "Less is refused.",
		Invariant: true,
		Needs:     reasoning.Reasons,
		Evidence:  "a request that carries a tool result and asks for thinking",
		Sources:   []rules.Source{{URL: rules.MessagesTypes, Says: "budget_tokens: must be at least 1024 and less than max_tokens"}},
		Request:   budgetFits,
	},
	{
		ID:        "reasoning/thinking-form",
		Level:     trace.Info,
		Text:      "Thinking is asked for in the form that the model takes: with a budget up to the generation 4.5, adaptive from 4.7 on.",
		Why:       "The other form is refused. A loop that does not know the model cannot choose the form.",
		Invariant: true,
		Needs:     reasoning.Reasons,
		Evidence:  "a request that carries a tool result and asks a model for thinking that takes one form alone",
		Sources: []rules.Source{
			{URL: "https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking", Says: "adaptive from 4.6 on; thinking of the type enabled is rejected by Opus 4.7 and later"},
			{URL: "https://github.com/maximhq/bifrost/pull/5934", Says: "the 400 for the type enabled"},
		},
		Vars:    []string{"type"},
		Request: thinkingForm,
	},
}

func thinkingForm(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	thinking := req.Body.Get("thinking")
	if len(p.Accepts.Thinking) == 0 || !thinking.Is(wire.Object) {
		return j
	}
	j.HasEvidence = true
	if kind := thinking.Get("type").Text(); !slices.Contains(p.Accepts.Thinking, kind) {
		j.Find(trace.Finding{
			Pointer: "/thinking", Message: "thinking is asked for in a form that models of this generation do not take",
			Expected: "thinking of the type " + strings.Join(p.Accepts.Thinking, " or "), Actual: rules.Show(thinking),
			Vars: map[string]string{"type": kind},
		})
	}
	return j
}

func noForcedTools(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	thinking, choice := req.Body.Get("thinking"), req.Body.Get("tool_choice")
	j.HasEvidence = thinking.Is(wire.Object)
	if kind := choice.Get("type").Text(); thinking.Get("type").Text() == "enabled" && (kind == "any" || kind == "tool") {
		j.Find(trace.Finding{
			Pointer: "/tool_choice", Message: "a tool is forced while the model thinks",
			Expected: "auto, none, or no tool_choice", Actual: rules.Show(choice),
		})
	}
	return j
}

func budgetFits(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	thinking := req.Body.Get("thinking")
	j.HasEvidence = thinking.Is(wire.Object)
	if budget := thinking.Get("budget_tokens"); thinking.Get("type").Text() == "enabled" {
		if n, ok := budget.Int(); !ok || n < minBudget {
			j.Find(trace.Finding{
				Pointer: "/thinking/budget_tokens", Message: "the budget for thinking is too small",
				Expected: "at least 1024", Actual: rules.Show(budget),
			})
		}
	}
	return j
}
