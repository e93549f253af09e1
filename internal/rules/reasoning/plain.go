package reasoning

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// plainRules are the rules of the area reasoning about what a turn goes back with: the thoughts
// that it came with, and no others.
var plainRules = []rules.Rule{
	{
		ID:        "reasoning/none-made-up",
		Where:     rules.ReasoningGoesBack,
		Level:     trace.Must,
		Text:      "A turn that came without reasoning goes back without.",
		Why:       "The model sees reasoning that it never wrote, or that of another turn; signed reasoning is refused in another place.",
		Invariant: true,
		Needs:     Reasons,
		Returned:  true,
		Evidence:  "a request that returns a turn without reasoning, in a conversation with some",
		Sources: []rules.Source{
			{URL: rules.OpenrouterDocs, Says: "the sequence of blocks must match the original; you cannot modify them"},
			{URL: rules.ThinkingDocs, Says: "thinking blocks go back as they came"},
			{URL: "https://github.com/openai/openai-agents-js/pull/1285", Says: "signed reasoning doubled for each call"},
			{URL: "https://github.com/openai/openai-agents-js/pull/1669", Says: "reasoning attached to the wrong message"},
		},
		Run: noneMadeUp,
	},
}

// ThoughtOf returns the plain reasoning with which a turn came back.
func ThoughtOf(e rules.ReturnedTurn) string {
	if len(e.Message.Reasoning.Thoughts) > 0 {
		return e.Message.Reasoning.Thought()
	}
	return ReasoningNode(e).Text()
}

// FindThought reports reasoning that did not come back as it was given.
func FindThought(j *rules.CheckResult, e rules.ReturnedTurn, message, given, back string) {
	j.FindAt(e.In, ReasoningNode(e).Pointer(), message, rules.Quote(given), rules.Quote(back))
}

// noneMadeUp leaves turns without reasoning to a loop whose provider refuses those without the
// field: something has to are there. The thoughts of another turn are made up even so.
func noneMadeUp(r *rules.Run) (j rules.CheckResult) {
	if !reasonsSomewhere(r) {
		return j
	}
	for _, e := range r.ReturnedTurns() {
		given := e.Turn.Answer
		if e.Message == nil || r.ShowsReasoning(e) && (given.Reasoning != nil && strings.TrimSpace(*given.Reasoning) != "" || len(given.Details) > 0) {
			continue
		}
		j.HasEvidence = true
		if details := e.Message.Reasoning.Details; len(details) > 0 {
			j.FindAt(e.In, details[0].Pointer(), "a turn without reasoning came back with some", "no reasoning", rules.Show(details[0]))
			continue
		}
		if node := ReasoningNode(e); node != nil && strings.TrimSpace(ThoughtOf(e)) != "" && (!wantsSomething(r) || thoughtElsewhere(r, ThoughtOf(e))) {
			FindThought(&j, e, "a turn without reasoning came back with some", "", ThoughtOf(e))
		}
	}
	return j
}

// reasonsSomewhere reports whether the model reasons in some turn of the script, and the provider
// shows and takes it.
func reasonsSomewhere(r *rules.Run) bool {
	switch r.Script.Profile.Reasoning.Resend {
	case profiles.ResendNone, profiles.ResendNever:
		return false
	}
	return slices.ContainsFunc(r.Script.Turns, func(t *scenarios.Turn) bool {
		return t.Answer != nil && (t.Answer.Reasoning != nil && *t.Answer.Reasoning != "" || len(t.Answer.Details) > 0)
	})
}

// wantsSomething reports whether the provider refuses a turn with calls that has no field for
// reasoning.
func wantsSomething(r *rules.Run) bool {
	_, refuses := r.Script.Profile.Refusal("reasoning/resent-on-tool-turns")
	return refuses
}

// thoughtElsewhere reports whether a text is what the model reasoned in some turn.
func thoughtElsewhere(r *rules.Run, text string) bool {
	return slices.ContainsFunc(r.Script.Turns, func(t *scenarios.Turn) bool { return t.Answer != nil && rules.LeaksReasoning(t.Answer, text) })
}

// ReasoningNode returns where the reasoning of a turn came back, as a text or as parts of the
// content, or nil.
func ReasoningNode(e rules.ReturnedTurn) *wire.Node {
	switch {
	case e.Message == nil:
		return nil
	case len(e.Message.Reasoning.Thoughts) > 0:
		return e.Message.Reasoning.Thoughts[0]
	case e.Message.Reasoning.Text.Is(wire.String):
		return e.Message.Reasoning.Text
	default:
		return nil
	}
}
