package chatrules

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
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
		Text:      "A request to a reasoning model of OpenAI has max_completion_tokens and not max_tokens, and to the older ones no stop, no logprobs and no penalties, and no temperature or top_p but 1; to an o-model no parallel_tool_calls; to another model no reasoning_effort, the verbosity medium, and no more max_tokens than it has; and web_search_options to models that search alone.",
		Why:       "OpenAI refuses it: settings that fit one model do not fit all.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "max_tokens: deprecated, and not compatible with o-series models"},
			{URL: "https://github.com/continuedev/continue/issues/7052", Says: "the 400 of OpenAI for gpt-5"},
			{URL: "https://github.com/langgenius/dify/issues/24307", Says: "the same"},
			{URL: rules.MeasuredChat, Says: "the 400 for temperature and top_p"},
			{URL: "https://github.com/huggingface/smolagents/issues/1671", Says: "the 400 of gpt-5-mini for stop"},
			{URL: "https://learn.microsoft.com/azure/ai-foundry/openai/how-to/reasoning", Says: "not supported: penalties, logprobs, top_logprobs, logit_bias"},
			{URL: "https://github.com/google-deepmind/concordia/issues/164", Says: "the 400 of gpt-4o for verbosity"},
			{URL: "https://github.com/enoch3712/ExtractThinker/issues/346", Says: "the 400 of gpt-4o for more than 16384 tokens"},
			{URL: "https://github.com/evalstate/fast-agent/issues/279", Says: "the 400 of o4-mini for parallel_tool_calls"},
			{URL: "https://github.com/browser-use/web-ui/issues/648", Says: "the same of o3-mini"},
			{URL: "https://github.com/BerriAI/litellm/issues/12311", Says: "the 400 of o4-mini for web_search_options"},
			{URL: "https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat", Says: "the models that search in Chat Completions"},
			{URL: "https://github.com/ChatGPTNextWeb/NextChat/issues/3195", Says: "the same of gpt-3.5-turbo for more than 4096"},
		},
		Vars:    []string{"key", "value", "limit"},
		Request: rules.InBody(modelTakesParameters),
	},
}

// reasoningModel are the names of models that think; fixedModel of those among them that take no
// other temperature than 1.
var (
	reasoningModel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(openai/)?(o[134]|gpt-5(\.\d+)?)(-|$)`) })
	fixedModel     = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(openai/)?(o[134](-|$)|gpt-5(-mini|-nano)?(-\d|$))`)
	})
	oModel    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^o[134](-|$)`) }) // before gpt-5
	chatModel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-chat|-audio|-search`) })
)

func modelTakesParameters(body *wire.Node) (all []trace.Finding) {
	model := strings.TrimPrefix(body.Get("model").Text(), "openai/")
	if plainModel().MatchString(model) {
		return plainModelTakes(model, body)
	}
	if !reasoningModel().MatchString(model) || chatModel().MatchString(model) {
		return nil
	}
	wrong := func(key, expected string) {
		n := body.Get(key)
		all = append(all, trace.Finding{
			Pointer: n.Pointer(), Message: fmt.Sprintf("the model %s does not take this %s", model, key), Expected: expected, Actual: rules.Show(n),
			Vars: map[string]string{"key": key, "value": string(n.Raw), "limit": ""},
		})
	}
	if n := body.Get("parallel_tool_calls"); n.Is(wire.Bool) && oModel().MatchString(model) {
		wrong("parallel_tool_calls", "no such key")
	}
	if body.Get("web_search_options").Is(wire.Object) {
		wrong("web_search_options", "a model that searches, such as gpt-5-search-api")
	}
	if n := body.Get("max_tokens"); n != nil && !n.Is(wire.Null) {
		wrong("max_tokens", "max_completion_tokens")
	}
	if n := body.Get("stop"); n != nil && !n.Is(wire.Null) && fixedModel().MatchString(model) {
		wrong("stop", "no such key")
	}
	for _, key := range []string{"presence_penalty", "frequency_penalty"} {
		if value, is := body.Get(key).Float(); is && value != 0 && fixedModel().MatchString(model) {
			wrong(key, "no such key")
		}
	}
	if logprobs := body.Get("logprobs"); logprobs.True() && fixedModel().MatchString(model) {
		wrong("logprobs", "no such key")
	}
	if bias := body.Get("logit_bias"); bias.Is(wire.Object) && len(bias.Members) > 0 && fixedModel().MatchString(model) {
		wrong("logit_bias", "no such key")
	}
	for _, key := range []string{"temperature", "top_p"} {
		if value, is := body.Get(key).Float(); is && value != 1 && fixedModel().MatchString(model) {
			wrong(key, "1, or no such key")
		}
	}
	return all
}

// plainModel are the names of models that do not think.
var plainModel = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-3\.5-turbo)(-mini|-nano)?(-\d[\d-]*)?$`)
})

// tokensOf are the most tokens of an answer, by the beginnings of names, the longer ones first.
var tokensOf = []struct {
	begins string
	most   int
}{
	{"gpt-4o-2024-05-13", 4096}, {"gpt-4o", 16384}, {"gpt-4.1", 32768}, {"gpt-4-turbo", 4096}, {"gpt-3.5-turbo", 4096},
}

func plainModelTakes(model string, body *wire.Node) (all []trace.Finding) {
	find := func(n *wire.Node, key, expected, limit string) {
		all = append(all, trace.Finding{
			Pointer: n.Pointer(), Message: fmt.Sprintf("the model %s does not take this %s", model, n.Key()), Expected: expected, Actual: rules.Show(n),
			Vars: map[string]string{"key": key, "value": n.TextOrJSON(), "limit": limit},
		})
	}
	if effort := body.Get("reasoning_effort"); effort.Is(wire.String) {
		find(effort, "reasoning_effort", "no such key", "")
	}
	if search := body.Get("web_search_options"); search.Is(wire.Object) {
		find(search, "search", "a model that searches, such as gpt-4o-search-preview", "")
	}
	if verbosity := body.Get("verbosity"); verbosity.Text() == "low" || verbosity.Text() == "high" {
		find(verbosity, "verbosity", "medium", "")
	}
	for _, known := range tokensOf {
		if !strings.HasPrefix(model, known.begins) {
			continue
		}
		for _, key := range []string{"max_tokens", "max_completion_tokens"} {
			if n := body.Get(key); n.Is(wire.Number) && wire.CountOf(n) > known.most {
				find(n, "too many tokens", fmt.Sprintf("at most %d", known.most), strconv.Itoa(known.most))
			}
		}
		break
	}
	return all
}
