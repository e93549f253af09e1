package chatrules

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressModelRules are the rules of the area egress about what a model takes.
var egressModelRules = []rules.Rule{
	{
		ID:        "egress/model-takes-parameters",
		Level:     trace.Should,
		Text:      "A request to a reasoning model of OpenAI has max_completion_tokens and not max_tokens, and to the older ones no stop, and no temperature or top_p but 1.",
		Why:       "OpenAI refuses it: settings that fit one model do not fit all.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "max_tokens: deprecated, and not compatible with o-series models"},
			{URL: "https://github.com/continuedev/continue/issues/7052", Says: "the 400 of OpenAI for gpt-5"},
			{URL: "https://github.com/langgenius/dify/issues/24307", Says: "the same"},
			{URL: rules.MeasuredChat, Says: "the 400 for temperature and top_p"},
			{URL: "https://github.com/huggingface/smolagents/issues/1671", Says: "the 400 of gpt-5-mini for stop"},
		},
		Vars:    []string{"key", "value"},
		Request: rules.InBody(modelTakesParameters),
	},
}

// reasoningModel are the names of models that think; fixedModel of those among them that take no other temperature than 1.
var (
	reasoningModel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(openai/)?(o[134]|gpt-5(\.\d+)?)(-|$)`) })
	fixedModel     = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(openai/)?(o[134](-|$)|gpt-5(-mini|-nano)?(-\d|$))`)
	})
	chatModel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-chat|-audio|-search`) })
)

func modelTakesParameters(body *wire.Node) (all []trace.Finding) {
	model := body.Get("model").Text()
	if !reasoningModel().MatchString(model) || chatModel().MatchString(model) {
		return nil
	}
	wrong := func(key, expected string) {
		n := body.Get(key)
		all = append(all, trace.Finding{
			Pointer: n.Pointer(), Message: fmt.Sprintf("the model %s does not take this %s", model, key), Expected: expected, Actual: rules.Show(n),
			Vars: map[string]string{"key": key, "value": string(n.Raw)},
		})
	}
	if n := body.Get("max_tokens"); n != nil && !n.Is(wire.Null) {
		wrong("max_tokens", "max_completion_tokens")
	}
	if n := body.Get("stop"); n != nil && !n.Is(wire.Null) && fixedModel().MatchString(model) {
		wrong("stop", "no such key")
	}
	for _, key := range []string{"temperature", "top_p"} {
		if value, is := body.Get(key).Float(); is && value != 1 && fixedModel().MatchString(model) {
			wrong(key, "1, or no such key")
		}
	}
	return all
}
