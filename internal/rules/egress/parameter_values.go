package egress

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// parameterValueRules are the rules of the area egress about which values of the right type a parameter may have.
var parameterValueRules = []rules.Rule{
	{
		ID:        "egress/parameter-ranges",
		Level:     trace.Should,
		Text:      "The numbers in a request are in the range of the provider's reference, such as 0 to 2 for the temperature in Chat Completions, and 0 to 1 in Messages.",
		Why:       "Numbers outside are refused: a range of one API is not that of another.",
		Where:     func(d *wire.Dialect) bool { return len(d.Request.Ranges) > 0 },
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
		ID:        "egress/parameter-words",
		Level:     trace.Info,
		Text:      "Parameters that are words have one of those that the provider's reference lists: service_tier, verbosity.",
		Why:       "Another word is refused by some providers; others have words of their own.",
		Where:     func(d *wire.Dialect) bool { return len(d.Request.Words) > 0 },
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "service_tier and verbosity"},
			{URL: rules.MessagesDocs, Says: "service_tier: auto, standard_only"},
			{URL: rules.MeasuredChat, Says: "the 400 of OpenAI"},
			{URL: rules.MeasuredMessages, Says: "the 400 of Anthropic"},
		},
		Vars:    []string{"key", "found", "kind"},
		Request: parameterWords,
	},
}

// parameterRanges leaves what is no number to parameter-types.
func parameterRanges(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	for _, m := range req.Body.Members {
		between, limited := req.Dialect.Request.Ranges[m.Key]
		if !limited || !m.Value.Is(wire.Number) {
			continue
		}
		value, err := strconv.ParseFloat(string(m.Value.Raw), 64)
		if err != nil || value >= between.Low && value <= between.High {
			continue
		}
		edge, limit := "above", between.High
		if value < between.Low {
			edge, limit = "below", between.Low
		}
		j.Find(trace.Finding{
			Pointer:  m.Value.Pointer(),
			Message:  m.Key + " is out of its range",
			Expected: fmt.Sprintf("from %g to %g", between.Low, between.High),
			Actual:   rules.Show(m.Value),
			Vars:     map[string]string{"key": m.Key, "found": rules.Show(m.Value), "edge": edge, "limit": fmt.Sprintf("%g", limit)},
		})
	}
	return j
}

func parameterWords(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	for _, m := range req.Body.Members {
		words := req.Dialect.Request.Words[m.Key]
		if len(words) == 0 || m.Value.Is(wire.Null) || slices.Contains(words, m.Value.Text()) {
			continue
		}
		j.Find(trace.Finding{
			Pointer:  m.Value.Pointer(),
			Message:  m.Key + " has a word that the API does not know",
			Expected: "one of " + rules.List(words),
			Actual:   rules.Show(m.Value),
			Vars:     map[string]string{"key": m.Key, "found": m.Value.Text(), "kind": rules.SchemaKindOf(m.Value)},
		})
	}
	return j
}
