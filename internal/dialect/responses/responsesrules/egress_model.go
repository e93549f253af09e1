package responsesrules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// responsesModel is the rule of the area egress about what a model of OpenAI takes.
var responsesModel = []rules.Rule{
	{
		ID:        "egress/model-takes-options",
		Level:     trace.Should,
		Text:      "A request has what its model takes: to one that thinks no temperature or top_p but 1, and an effort that it has; to another one no reasoning, no encrypted reasoning, and the verbosity medium.",
		Why:       "OpenAI refuses it: settings that fit one model do not fit all.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/BoundaryML/baml/pull/2708", Says: "the 400 of gpt-4.1 for reasoning.effort"},
			{URL: "https://github.com/NousResearch/hermes-agent/issues/23450", Says: "the 400 of gpt-4o-mini for reasoning.encrypted_content"},
			{URL: "https://github.com/appatalks/eva-agent/issues/83", Says: "the 400 of o3-mini for temperature"},
			{URL: "https://github.com/anomalyco/opencode/issues/4451", Says: "the 400 of gpt-5.1 for the effort minimal, with those that it has"},
			{URL: "https://github.com/enricoros/big-AGI/issues/947", Says: "measured: verbosity of each model"},
		},
		Vars:    []string{"at", "found", "what", "model", "efforts"},
		Request: rules.InBody(modelTakesOptions),
	},
}

// plainModel are the names of models that do not think, and fixedModel those of models that think
// and take no temperature.
var (
	plainModel = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-3\.5-turbo)(-mini|-nano)?(-\d[\d-]*)?$`)
	})
	fixedModel = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(o[134](-mini|-pro)?|gpt-5(-mini|-nano)?)(-\d[\d-]*)?$|^o3-mini-`)
	})
)

// effortsOf are the efforts of those models whose refusal lists them, or whose page does.
var effortsOf = []struct {
	models  *regexp.Regexp
	efforts []string
}{
	{regexp.MustCompile(`^(o1|o3|o3-mini|o4-mini)(-\d[\d-]*)?$`), []string{"low", "medium", "high"}},
	{regexp.MustCompile(`^gpt-5(-mini|-nano)?(-\d[\d-]*)?$`), []string{"minimal", "low", "medium", "high"}},
	{regexp.MustCompile(`^gpt-5\.1(-\d[\d-]*)?$`), []string{"none", "low", "medium", "high"}},
}

func modelTakesOptions(body *wire.Node) (all []trace.Finding) {
	model := strings.TrimPrefix(body.Get("model").Text(), "openai/")
	find := func(in *wire.Node, key, what, expected string, efforts []string) {
		n := in.Get(key)
		f := at(in, key, fmt.Sprintf("the model %s does not take this %s", model, key), expected, map[string]string{"found": n.TextOrJSON(), "what": what, "model": model, "efforts": rules.QuotedList(efforts, "and", true)})
		all = append(all, f)
	}
	reasoning := body.Get("reasoning")
	effort := reasoning.Get("effort")
	switch {
	case plainModel().MatchString(model):
		for _, key := range []string{"effort", "summary"} {
			if isGiven(reasoning.Get(key)) {
				find(reasoning, key, "option", "no such key", nil)
			}
		}
		for _, word := range body.Get("include").All() { // none where it is no list
			if word.Text() == "reasoning.encrypted_content" {
				all = append(all, at(word, "", "the model "+model+" has no reasoning to include", "no such word", map[string]string{"found": word.Text(), "what": "encrypted", "model": model, "efforts": ""}))
			}
		}
		if said := body.Get("text").Get("verbosity").Text(); said == "low" || said == "high" {
			find(body.Get("text"), "verbosity", "verbosity", "medium", nil)
		}
	case fixedModel().MatchString(model):
		for _, key := range []string{"temperature", "top_p"} {
			if value, is := body.Get(key).Float(); is && value != 1 {
				find(body, key, "option", "1, or no such key", nil)
			}
		}
	}
	for _, known := range effortsOf {
		if known.models.MatchString(model) && effort.Is(wire.String) && slices.Contains(anyEffort, effort.Text()) && !slices.Contains(known.efforts, effort.Text()) {
			find(reasoning, "effort", "effort", "one of "+rules.List(known.efforts), known.efforts)
		}
	}
	return all
}

// anyEffort are the efforts of all models; other words are for reasoning-options.
var anyEffort = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}
