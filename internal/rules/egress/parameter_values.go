package egress

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const parameterRangesID = "egress/parameter-ranges"

// parameterValueRules are the rules of the area egress about which values of the right type a
// parameter may have.
var parameterValueRules = []rules.Rule{
	{
		ID:        parameterRangesID,
		Level:     trace.Should,
		Text:      "The numbers in a request are in the range of the provider's reference, such as 0 to 2 for the temperature in Chat Completions, and 0 to 1 in Messages.",
		Why:       "Numbers outside are refused: a range of one API is not that of another.",
		Where:     func(d *wire.Dialect) bool { return len(d.Parameters(parameterRangesID).Ranges) > 0 },
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the ranges of the parameters"},
			{URL: rules.MessagesDocs, Says: "temperature and top_p: 0 to 1"},
			{URL: rules.MeasuredChat, Says: "the 400 of OpenAI"},
			{URL: rules.MeasuredMessages, Says: "the 400 of Anthropic"},
		},
		Vars:    []string{"key", "found", "edge", "limit"},
		Request: parameterRanges,
	},
	{
		ID:        parameterWordsID,
		Level:     trace.Info,
		Text:      "Parameters that are words have one of those that the provider's reference lists: service_tier, verbosity, the effort of reasoning.",
		Why:       "Another word is refused by some providers; others have words of their own.",
		Where:     func(d *wire.Dialect) bool { return len(d.Parameters(parameterWordsID).Words) > 0 },
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "service_tier and verbosity"},
			{URL: rules.MessagesDocs, Says: "service_tier: auto, standard_only"},
			{URL: rules.CohereDocs, Says: "tool_choice: REQUIRED, NONE"},
			{URL: rules.MeasuredChat, Says: "the 400 of OpenAI"},
			{URL: rules.MeasuredMessages, Says: "the 400 of Anthropic"},
			{URL: "https://github.com/langchain-ai/langchain-cohere/issues/161", Says: "the 422 of Cohere"},
		},
		Vars:    []string{"key", "found", "kind"},
		Request: parameterWords,
	},
}

// parameterRanges leaves what is no number to parameter-types.
func parameterRanges(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	ranges := req.Dialect.Parameters(parameterRangesID).Ranges
	for _, m := range req.Body.Members {
		between, limited := ranges[m.Key]
		if !limited {
			continue
		}
		if expected, vars := RangeMistake(between, m.Value); vars != nil {
			vars["key"] = m.Key
			j.Find(trace.Finding{Pointer: m.Value.Pointer(), Message: m.Key + " is out of its range", Expected: expected, Actual: rules.Show(m.Value), Vars: vars})
		}
	}
	return j
}

// RangeMistake says what is expected of a number that is out of a range, and at which edge it is;
// the values are nil for any other number, and for what is none.
func RangeMistake(between wire.Range, n *wire.Node) (expected string, vars map[string]string) {
	if !n.Is(wire.Number) {
		return "", nil
	}
	value, _ := strconv.ParseFloat(string(n.Raw), 64) // 1e999 is infinite, and so above any edge
	if value >= between.Low && value <= between.High {
		return "", nil
	}
	edge, limit := "above", between.High
	if value < between.Low {
		edge, limit = "below", between.Low
	}
	expected = fmt.Sprintf("from %g to %g", between.Low, between.High)
	if math.IsInf(between.High, 1) {
		expected = fmt.Sprintf("%g or more", between.Low)
	}
	return expected, map[string]string{"found": string(n.Raw), "edge": edge, "limit": fmt.Sprintf("%g", limit)}
}

const parameterWordsID = "egress/parameter-words"

// parameterWords takes null for nothing, where the provider is not known to refuse it.
func parameterWords(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	for key, words := range req.Dialect.Parameters(parameterWordsID).Words {
		value := req.Body
		for step := range strings.SplitSeq(key, ".") {
			value = value.Get(step)
		}
		if value == nil || slices.Contains(words, value.Text()) {
			continue
		}
		vars := map[string]string{"key": key, "found": value.Text(), "kind": rules.SchemaKindOf(value)}
		if value.Is(wire.Null) && !p.RefusesViolation(parameterWordsID, vars) {
			continue
		}
		j.Find(trace.Finding{
			Pointer:  value.Pointer(),
			Message:  key + " has a word that the API does not know",
			Expected: "one of " + rules.List(words),
			Actual:   rules.Show(value),
			Vars:     vars,
		})
	}
	slices.SortFunc(j.Findings, func(a, b trace.Finding) int { return cmp.Compare(a.Vars["key"], b.Vars["key"]) })
	return j
}
