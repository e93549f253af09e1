package messagesrules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/reasoning"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// reasoningForcedRules are the rules of the area reasoning about how a request in the dialect
// messages asks for it.
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
		ID:        "reasoning/budget-below-max-tokens",
		Level:     trace.Should,
		Text:      "max_tokens are more than the budget_tokens of thinking, unless thinking between calls is asked for.",
		Why:       "What the model thinks counts as a part of the answer: the provider refuses a budget that leaves no room for one.",
		Invariant: true,
		Needs:     reasoning.Reasons,
		Evidence:  "a request that carries a tool result and asks for thinking",
		Sources: []rules.Source{
			{URL: rules.MessagesTypes, Says: "budget_tokens: must be at least 1024 and less than max_tokens"},
			{URL: "https://github.com/liuw1535/antigravity2api-nodejs/issues/149", Says: "the 400 of Anthropic"},
			{URL: "https://github.com/QwenLM/qwen-code/issues/2508", Says: "the same for defaults that are equal"},
			{URL: rules.ThinkingDocs, Says: "with interleaved thinking the budget may be more than max_tokens"},
		},
		Request: budgetBelowMaxTokens,
	},
	{
		ID:        "reasoning/thinks-at-temperature-one",
		Level:     trace.Info,
		Text:      "A request that asks for thinking has no temperature, or that of 1, no top_k, and no top_p below 0.95.",
		Why:       "Anthropic refuses another one; other servers take it.",
		Invariant: true,
		Needs:     reasoning.Reasons,
		Evidence:  "a request that carries a tool result and asks for thinking",
		Sources: []rules.Source{
			{URL: rules.ThinkingDocs, Says: "thinking is not compatible with temperature"},
			{URL: "https://github.com/mnfst/modelparams.dev/issues/214", Says: "the 400 of Opus 4.8"},
			{URL: "https://github.com/damianvtran/local-operator/pull/233", Says: "the same, tried with adaptive thinking"},
			{URL: "https://github.com/quarkiverse/quarkus-langchain4j/issues/1812", Says: "the 400 for top_k"},
			{URL: "https://github.com/SEMOSS/Semoss/pull/1655", Says: "top_p from 0.95 on is taken"},
		},
		Vars:    []string{"key"},
		Request: thinksAtTemperatureOne,
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
	if kind := thinking.Get("type").Text(); kind != "" && !slices.Contains(p.Accepts.Thinking, kind) {
		j.Find(trace.Finding{
			Pointer: "/thinking", Message: "thinking is asked for in a form that models of this generation do not take",
			Expected: "thinking of the type " + strings.Join(p.Accepts.Thinking, " or "), Actual: rules.Show(thinking),
			Vars: map[string]string{"type": kind},
		})
	}
	return j
}

// budgetBelowMaxTokens takes a request without max_tokens, of which max-tokens-given has to say
// something.
func budgetBelowMaxTokens(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	thinking := req.Body.Get("thinking")
	j.HasEvidence = thinking.Is(wire.Object)
	budget, said := thinking.Get("budget_tokens").Int()
	limit, limited := req.Body.Get("max_tokens").Int()
	between := strings.Contains(req.Headers["anthropic-beta"], "interleaved-thinking")
	if thinking.Get("type").Text() == "enabled" && said && limited && budget >= limit && !between {
		j.Find(trace.Finding{
			Pointer: "/max_tokens", Message: "the budget for thinking leaves no room for an answer",
			Expected: "more than the budget_tokens of thinking, " + strconv.Itoa(budget), Actual: strconv.Itoa(limit),
		})
	}
	return j
}

// thinksAtTemperatureOne looks at the other two settings where thinking is of the type enabled:
// newer models have rules of their own.
func thinksAtTemperatureOne(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = messages.ThinkingWanted(req)
	find := func(key, message, expected string, fits func(float64) bool) {
		said := req.Body.Get(key)
		if value, is := said.Float(); j.HasEvidence && is && !fits(value) {
			j.Find(trace.Finding{Pointer: "/" + key, Message: message, Expected: expected, Actual: rules.Show(said), Vars: map[string]string{"key": key}})
		}
	}
	find("temperature", "a temperature is sent while the model thinks", "1, or no such key", func(v float64) bool { return v == 1 })
	if req.Body.Get("thinking").Get("type").Text() == "enabled" {
		find("top_k", "top_k is sent while the model thinks", "no such key", func(v float64) bool { return v < 0 })
		find("top_p", "top_p is sent while the model thinks", "0.95 or more, or no such key", func(v float64) bool { return v >= 0.95 })
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
