package messagesrules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressModelRules are the rules of the area egress about what a model of Anthropic takes.
var egressModelRules = []rules.Rule{
	{
		ID:        "egress/model-takes-settings",
		Level:     trace.Should,
		Text:      "A request to a model of Anthropic has what that model takes: max_tokens up to the model's own limit, from Opus 4.7 on no temperature, top_p, top_k or budget for thinking; an effort from Opus 4.5 on, and thinking from Sonnet 3.7 on.",
		Why:       "Anthropic refuses it: settings that fit one model do not fit all.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/anthropics/claude-code/issues/24451", Says: "the 400 for max_tokens above the limit of Opus 4.5"},
			{URL: "https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/pull/424", Says: "the limits of the models from 4.0 on"},
			{URL: "https://github.com/altic-dev/FluidVoice/issues/285", Says: "the 400 of Opus 4.7 for a temperature"},
			{URL: "https://github.com/github/app/issues/2574", Says: "the same of Opus 5 and Sonnet 5"},
			{URL: "https://github.com/router-for-me/CLIProxyAPI/issues/4383", Says: "the same for top_p"},
			{URL: "https://github.com/vellum-ai/vellum-assistant/pull/35820", Says: "the same for top_k"},
			{URL: "https://platform.claude.com/docs/en/about-claude/models/migration-guide", Says: "temperature, top_p and top_k other than the default: a 400"},
			{URL: "https://github.com/maximhq/bifrost/pull/5934", Says: "the 400 for thinking of the type enabled"},
			{URL: "https://platform.claude.com/docs/en/build-with-claude/effort", Says: "the models and levels of effort"},
			{URL: "https://github.com/Oaklight/llm-rosetta/pull/289", Says: "the 400 of Haiku 4.5 for an effort"},
			{URL: "https://github.com/vellum-ai/vellum-assistant/pull/17994", Says: "the same"},
			{URL: "https://github.com/anthropics/claude-code/issues/2245", Says: "the 400 of Sonnet 3.5 for thinking"},
		},
		Vars:    []string{"key", "value", "limit", "model"},
		Request: rules.InBody(modelTakesSettings),
	},
}

// outputLimits are the most max_tokens of models, by the beginnings of their names, the longer ones
// first. That of Sonnet 3.7 is the one that a beta allows.
var outputLimits = []struct {
	models string
	limit  int
}{
	{"claude-3-opus claude-3-haiku claude-3-sonnet", 4096},
	{"claude-3-5-sonnet claude-3-5-haiku", 8192},
	{"claude-opus-4-0 claude-opus-4-1 claude-opus-4-2", 32000},
	{"claude-sonnet-4-0 claude-sonnet-4-2 claude-sonnet-4-5 claude-opus-4-5 claude-haiku-4-5", 64000},
	{"claude-3-7-sonnet claude-opus-4-6 claude-sonnet-4-6 claude-opus-4-7 claude-opus-4-8", 128000},
}

// fixedModels are the beginnings of the names of models that take no sampling parameters, and
// choose how long they think.
const fixedModels = "claude-opus-4-7 claude-opus-4-8 claude-opus-5 claude-sonnet-5 claude-fable-5"

// Models without an effort, those that have no thinking at all, and the levels of effort of those
// that do not have all.
const (
	effortless = "claude-3- claude-opus-4-0 claude-opus-4-1 claude-opus-4-2 claude-sonnet-4-0 claude-sonnet-4-2 claude-sonnet-4-5 claude-haiku-4-5"
	unthinking = "claude-3-opus claude-3-haiku claude-3-sonnet claude-3-5-"
)

var effortLevels = []struct{ models, levels string }{
	{"claude-opus-4-5", "high, low, medium"},
	{"claude-opus-4-6 claude-sonnet-4-6", "high, low, max, medium"},
}

// isOneOf reports whether the name of a model begins with one of some.
func isOneOf(model, begins string) bool {
	for begin := range strings.FieldsSeq(begins) {
		if strings.HasPrefix(model, begin) {
			return true
		}
	}
	return false
}

func modelTakesSettings(body *wire.Node) (all []trace.Finding) {
	model := body.Get("model").Text()
	wrong := func(n *wire.Node, key, message, expected string, limit any) {
		all = append(all, trace.Finding{
			Pointer: n.Pointer(), Message: fmt.Sprintf("the model %s does not take this %s", model, message), Expected: expected, Actual: rules.Show(n),
			Vars: map[string]string{"key": key, "value": n.TextOrJSON(), "limit": fmt.Sprint(limit), "model": model},
		})
	}
	for _, known := range outputLimits {
		if n := body.Get("max_tokens"); isOneOf(model, known.models) {
			if value, is := n.Int(); is && value > known.limit {
				wrong(n, "max_tokens", "max_tokens", fmt.Sprintf("at most %d", known.limit), known.limit)
			}
			break
		}
	}
	effort, thinking := body.Get("output_config").Get("effort"), body.Get("thinking").Get("type")
	if isOneOf(model, effortless) && effort.Is(wire.String) {
		wrong(effort, "effort", "effort", "no such key", "")
	}
	for _, known := range effortLevels {
		if isOneOf(model, known.models) && (effort.Text() == "max" || effort.Text() == "xhigh") && !slices.Contains(strings.Split(known.levels, ", "), effort.Text()) {
			wrong(effort, "effort level", "effort", "one of "+known.levels, known.levels)
		}
	}
	if isOneOf(model, unthinking) && (thinking.Text() == "enabled" || thinking.Text() == "adaptive") {
		wrong(thinking, "no thinking", "thinking", "no such key", "")
	}
	if !isOneOf(model, fixedModels) {
		return all
	}
	// What the models do by themselves may be said: a temperature of 1, and top_p from 0.99 on.
	taken := map[string]float64{"temperature": 1, "top_p": 0.99, "top_k": 0}
	for _, key := range []string{"temperature", "top_p", "top_k"} {
		value, is := body.Get(key).Float()
		if is && value != taken[key] && !(key == "top_p" && value > taken[key]) {
			wrong(body.Get(key), key, key, "no such key", 0)
		}
	}
	if kind := body.Get("thinking").Get("type"); kind.Text() == "enabled" {
		wrong(kind, "thinking", "form of thinking", "adaptive, with an effort in output_config", 0)
	}
	return all
}
