package rules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// reasoningPlain are the rules of the area reasoning about what a turn goes back with: the thoughts that it came with, and
// no others.
var reasoningPlain = []Rule{
	{
		ID:        "reasoning/unchanged",
		Level:     Must,
		Dialect:   onlyChat,
		Text:      "Reasoning that goes back is what the model wrote, but for the white space at its ends.",
		Why:       "A shortened or merged reasoning is somebody else's.",
		Invariant: true,
		Needs:     reasons,
		Evidence:  "a request that returns reasoning",
		Sources: []Source{
			{deepseekDocs, "pass reasoning_content back"},
			{"https://github.com/openai/openai-agents-js/pull/1669", "reasoning attached to the wrong message"},
		},
		Run: unchanged,
	},
	{
		ID:       "reasoning/verbatim",
		Level:    Should,
		Dialect:  onlyChat,
		Text:     "Reasoning goes back with the white space at its ends.",
		Why:      "A turn that differs by a line break is another one for the provider's cache.",
		Needs:    reasons,
		Evidence: "a request that returns reasoning which begins or ends with white space",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/prompt-caching", "cache hits need exact prefix matches"},
			{openrouterDocs, "the sequence of blocks must match the original"},
		},
		Run: reasoningVerbatim,
	},
	{
		ID:        "reasoning/none-made-up",
		Where:     reasoningGoesBack,
		Level:     Must,
		Text:      "A turn that came without reasoning goes back without.",
		Why:       "The model reads thoughts that it never had, or those of another turn; signed ones are refused in another place.",
		Invariant: true,
		Needs:     reasons,
		Returned:  true,
		Evidence:  "a request that returns a turn without reasoning, in a conversation with some",
		Sources: []Source{
			{openrouterDocs, "the sequence of blocks must match the original; you cannot modify them"},
			{thinkingDocs, "thinking blocks go back as they came"},
			{"https://github.com/openai/openai-agents-js/pull/1285", "signed reasoning doubled for each call"},
			{"https://github.com/openai/openai-agents-js/pull/1669", "reasoning attached to the wrong message"},
		},
		Run: noneMadeUp,
	},
}

// eachThought calls f for every turn whose plain reasoning went back, with what the model reasoned and what went back. That
// nothing did is for other rules: the blocks beside an empty text say it, or the provider does not mind.
func (r *Run) eachThought(f func(e Echo, given, back string)) {
	for _, e := range r.Echoes() {
		given := e.Turn.Answer.Reasoning
		if given == nil || *given == "" || reasoningNode(e) == nil || r.Script.Profile.Reasoning.Resend == profiles.ResendNever {
			continue
		}
		if back := e.thought(); strings.TrimSpace(back) != "" || strings.TrimSpace(*given) == "" {
			f(e, *given, back)
		}
	}
}

// thought returns the plain reasoning with which a turn came back.
func (e Echo) thought() string {
	if len(e.Message.Reasoning.Thoughts) > 0 {
		return e.Message.Reasoning.Thought()
	}
	return reasoningNode(e).Text()
}

func (j *Judged) thought(e Echo, message, given, back string) {
	j.Find(Finding{
		Request:  e.In.Number,
		Pointer:  reasoningNode(e).Pointer(),
		Message:  message,
		Expected: quote(given),
		Actual:   quote(back),
	})
}

func unchanged(r *Run) (j Judged) {
	r.eachThought(func(e Echo, given, back string) {
		j.Seen = true
		if strings.TrimSpace(back) != strings.TrimSpace(given) {
			j.thought(e, "the reasoning came back changed", given, back)
		}
	})
	return j
}

func reasoningVerbatim(r *Run) (j Judged) {
	r.eachThought(func(e Echo, given, back string) {
		trimmed := strings.TrimSpace(given)
		if trimmed == given {
			return
		}
		j.Seen = true
		if back != given && strings.TrimSpace(back) == trimmed {
			j.thought(e, "the reasoning came back without the white space at its ends", given, back)
		}
	})
	return j
}

// noneMadeUp leaves turns without reasoning to a loop whose provider refuses those without the field: something has to
// stand there. The thoughts of another turn are made up even so.
func noneMadeUp(r *Run) (j Judged) {
	if !r.reasonsSomewhere() {
		return j
	}
	for _, e := range r.Echoes() {
		given := e.Turn.Answer
		if e.Message == nil || r.shows(e) && (given.Reasoning != nil && strings.TrimSpace(*given.Reasoning) != "" || len(given.Details) > 0) {
			continue
		}
		j.Seen = true
		if details := e.Message.Reasoning.Details; len(details) > 0 {
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  details[0].Pointer(),
				Message:  "a turn without reasoning came back with some",
				Expected: "no reasoning",
				Actual:   show(details[0]),
			})
			continue
		}
		if node := reasoningNode(e); node != nil && strings.TrimSpace(e.thought()) != "" && (!r.wantsSomething() || r.thoughtElsewhere(e.thought())) {
			j.thought(e, "a turn without reasoning came back with some", "", e.thought())
		}
	}
	return j
}

// reasonsSomewhere reports whether the model reasons in some turn of the script, and the provider shows and takes it.
func (r *Run) reasonsSomewhere() bool {
	switch r.Script.Profile.Reasoning.Resend {
	case profiles.ResendNone, profiles.ResendNever:
		return false
	}
	return slices.ContainsFunc(r.Script.Turns, func(t *scenarios.Turn) bool {
		return t.Answer != nil && (t.Answer.Reasoning != nil && *t.Answer.Reasoning != "" || len(t.Answer.Details) > 0)
	})
}

// wantsSomething reports whether the provider refuses a turn with calls that has no field for reasoning.
func (r *Run) wantsSomething() bool {
	_, refuses := r.Script.Profile.Refusal("reasoning/resent-on-tool-turns")
	return refuses
}

// thoughtElsewhere reports whether a text is what the model reasoned in some turn.
func (r *Run) thoughtElsewhere(text string) bool {
	return slices.ContainsFunc(r.Script.Turns, func(t *scenarios.Turn) bool { return t.Answer != nil && leaks(t.Answer, text) })
}

// reasoningNode returns where the reasoning of a turn came back, as a text or as parts of the content, or nil.
func reasoningNode(e Echo) *wire.Node {
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
