package chatrules

import (
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/reasoning"
	"github.com/loopproof/loopproof/internal/trace"
)

// reasoningPlainRules are the rules of the area reasoning about what a turn goes back with: the
// thoughts that it came with, and no others.
var reasoningPlainRules = []rules.Rule{
	{
		ID:        "reasoning/unchanged",
		Level:     trace.Must,
		Text:      "Reasoning that is sent back is what the model wrote, except for white space at its ends.",
		Why:       "A shortened or merged reasoning is not what the model thought.",
		Invariant: true,
		Needs:     reasoning.Reasons,
		Evidence:  "a request that returns reasoning",
		Sources: []rules.Source{
			{URL: rules.DeepseekDocs, Says: "pass reasoning_content back"},
			{URL: "https://github.com/openai/openai-agents-js/pull/1669", Says: "reasoning attached to the wrong message"},
		},
		Run: unchanged,
	},
	{
		ID:       "reasoning/verbatim",
		Level:    trace.Should,
		Text:     "Reasoning goes back with the white space at its ends.",
		Why:      "A turn that differs by a line break misses the provider's cache.",
		Needs:    reasoning.Reasons,
		Evidence: "a request that returns reasoning which begins or ends with white space",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/prompt-caching", Says: "cache hits need exact prefix matches"},
			{URL: rules.OpenrouterDocs, Says: "the sequence of blocks must match the original"},
		},
		Run: reasoningVerbatim,
	},
}

// eachThought calls f for every turn whose plain reasoning went back, with what the model reasoned
// and what went back. That nothing did is for other rules: the blocks alongside an empty text say
// it, or the provider accepts it.
func eachThought(r *rules.Run, f func(e rules.ReturnedTurn, given, back string)) {
	for _, e := range r.ReturnedTurns() {
		given := e.Turn.Answer.Reasoning
		if given == nil || *given == "" || reasoning.ReasoningNode(e) == nil || r.Script.Profile.Reasoning.Resend == profiles.ResendNever {
			continue
		}
		if back := reasoning.ThoughtOf(e); strings.TrimSpace(back) != "" || strings.TrimSpace(*given) == "" {
			f(e, *given, back)
		}
	}
}

func unchanged(r *rules.Run) (j rules.CheckResult) {
	eachThought(r, func(e rules.ReturnedTurn, given, back string) {
		j.HasEvidence = true
		if strings.TrimSpace(back) != strings.TrimSpace(given) {
			reasoning.FindThought(&j, e, "the reasoning came back changed", given, back)
		}
	})
	return j
}

func reasoningVerbatim(r *rules.Run) (j rules.CheckResult) {
	eachThought(r, func(e rules.ReturnedTurn, given, back string) {
		trimmed := strings.TrimSpace(given)
		if trimmed == given {
			return
		}
		j.HasEvidence = true
		if back != given && strings.TrimSpace(back) == trimmed {
			reasoning.FindThought(&j, e, "the reasoning came back without the white space at its ends", given, back)
		}
	})
	return j
}
