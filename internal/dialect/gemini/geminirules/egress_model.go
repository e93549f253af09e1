package geminirules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const modelTakesConfigID = "egress/model-takes-config"

// geminiModel are the rules of the area egress about what a model of Google takes, of settings,
// caches and media.
var geminiModel = []rules.Rule{
	{
		ID:        modelTakesConfigID,
		Level:     trace.Should,
		Text:      "A request has what its model takes: no thinkingLevel before Gemini 3, no penalty of another value than 0, no thinkingBudget of 0 for a Pro model, and googleSearch in place of googleSearchRetrieval.",
		Why:       "Google refuses it: settings that fit one model do not fit all.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://github.com/RooCodeInc/Roo-Code/issues/10700", Says: "the 400 of Gemini 2.5 for a thinkingLevel"},
			{URL: "https://github.com/google-gemini/cookbook/issues/1290", Says: "the 400 for a penalty, of each model that was tried; 0 is taken"},
			{URL: "https://github.com/vercel/ai/issues/8027", Says: "the 400 of Gemini 2.5 Pro for a thinkingBudget of 0"},
			{URL: "https://github.com/vellum-ai/vellum-assistant/pull/32687", Says: "the 400 of Gemini 3.1 Pro for the level MINIMAL"},
		},
		Vars:    []string{"at", "found", "what"},
		Request: modelTakesConfig,
	},
	{
		ID:        "egress/cached-content-alone",
		Level:     trace.Should,
		Text:      "A request with cachedContent has no systemInstruction, tools or toolConfig of its own.",
		Why:       "They belong into the cache; Google refuses them beside it.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://github.com/langchain-ai/langchain-google/issues/978", Says: "the 400 of the Gemini API"},
			{URL: "https://github.com/567-labs/instructor/issues/2580", Says: "the same in other words"},
			{URL: "https://github.com/vercel/ai/issues/3333", Says: "the same, where an answer in a schema was wanted"},
		},
		Vars: []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			if under(body, "cachedContent").Text() == "" {
				return nil
			}
			for _, key := range []string{"systemInstruction", "tools", "toolConfig"} {
				if said := under(body, key); isGiven(said) && len(said.Items)+len(said.Members) > 0 {
					return []trace.Finding{at(said, "", key+" is sent beside cached content", "no such key", placed(said, key))}
				}
			}
			return nil
		}),
	},
	{
		ID:        "egress/media-types",
		Level:     trace.Should,
		Text:      "The mimeType of inlineData and fileData is one of two words with a slash, and neither that of SVG nor application/octet-stream.",
		Why:       "Google refuses others: an SVG goes as text.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://github.com/google/adk-python/pull/5694", Says: "tried: image/svg+xml, image/svg, application/svg+xml and image/xml are refused; other images, audio, video and PDF are taken"},
			{URL: "https://github.com/google-gemini/gemini-cli/issues/3054", Says: "the 400 for SVG"},
			{URL: "https://github.com/charmbracelet/crush/issues/995", Says: "the 400 for png alone"},
		},
		Vars: []string{"at", "found"},
		Request: inParts(func(part *wire.Node) (all []trace.Finding) {
			for _, key := range []string{"inlineData", "fileData"} {
				said := under(under(part, key), "mimeType")
				if said.Is(wire.String) && said.Text() != "" && (!strings.Contains(said.Text(), "/") || slices.Contains(refusedTypes, strings.ToLower(said.Text()))) {
					all = append(all, at(said, "", "data of a type that Google does not take", "a media type, such as image/png", placed(said, said.Text())))
				}
			}
			return all
		}),
	},
}

// refusedTypes are what Google was tried with, and refused; that of files of no known type in
// public code, without a repository. Files of offices were refused, too, but newer models read
// them.
var refusedTypes = []string{"image/svg+xml", "image/svg", "application/svg+xml", "image/xml", "application/octet-stream"}

// modelTakesConfig finds what the provider of a profile is known to refuse, and nothing under other
// profiles. Which model it is may be in the URL; settings that only some models refuse need its
// name.
func modelTakesConfig(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	config := under(req.Body, "generationConfig")
	thinking := under(config, "thinkingConfig")
	find := func(said *wire.Node, what, message, expected string) {
		f := at(said, "", message, expected, placed(said, said.TextOrJSON()))
		f.Vars["what"] = what
		if p.RefusesViolation(modelTakesConfigID, f.Vars) {
			j.Find(f)
		}
	}
	for _, key := range []string{"presencePenalty", "frequencyPenalty"} {
		if said := under(config, key); isGiven(said) {
			if value, is := form.Number(said); is && value != 0 {
				find(said, "penalty", "a penalty, which models do not take", "0, or no such key")
			}
		}
	}
	pro := strings.Contains(req.Model, "-pro")
	if level := under(thinking, "thinkingLevel"); isGiven(level) && !isGiven(under(thinking, "thinkingBudget")) { // both are for thinking-said-once
		find(level, "level", "a level of thinking, which only newer models take", "a thinkingBudget")
		if pro && form.Word(level.Text()) == "MINIMAL" {
			find(level, "minimal", "a level of thinking that the model does not take", "LOW or more")
		}
	}
	if budget := under(thinking, "thinkingBudget"); isGiven(budget) && pro {
		if value, is := form.Number(budget); is && value == 0 {
			find(budget, "no thinking", "the model cannot go without thinking", "128 or more, or -1")
		}
	}
	if said := under(config, "responseLogprobs"); form.IsFlag(said) && strings.EqualFold(said.TextOrJSON(), "true") {
		find(said, "logprobs", "the model gives no logprobs", "false, or no such key")
	}
	for _, tool := range gemini.Items(req.Body.Get("tools")) {
		if said := under(tool, "googleSearchRetrieval"); isGiven(said) {
			find(said, "search", "the search of older models", "googleSearch")
		}
	}
	return j
}
