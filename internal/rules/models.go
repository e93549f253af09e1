package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// ReasoningStaysBehind is the rule about the reasoning of another model, which some providers
// refuse.
const ReasoningStaysBehind = "models/reasoning-stays-behind"

// SaidBy reports whether a model said a turn. Where nobody knows who said it, it is taken for this
// one.
func (r *Run) SaidBy(model string, t *scenarios.Turn) bool {
	said := false
	for _, x := range r.Exchanges {
		if x.Turn != t || x.Request == nil {
			continue
		}
		if x.Request.Model == model {
			return true
		}
		said = true
	}
	return !said
}

// MayDoWithout reports whether a turn went back to another model than the one that said it, which
// may do without its reasoning as far as a rule wants that back: the provider takes the turn
// without it, or refuses it with it.
func (r *Run) MayDoWithout(e ReturnedTurn, rule string) bool {
	if r.SaidBy(e.In.Request.Model, e.Turn) {
		return false
	}
	p := r.Script.Profile
	_, refusesIt := p.Refusal(ReasoningStaysBehind)
	_, wantsIt := p.Refusal(rule)
	return refusesIt || !wantsIt
}

// ReturnedToAnother returns how turns of the prompt that is being answered came back to another model
// than the one that said them, where that was not their first return: a loop that falls back to
// another model had sent them to the first one before.
func (r *Run) ReturnedToAnother() (all []ReturnedTurn) {
	for _, x := range r.Conversation() {
		said := slices.DeleteFunc(r.TurnsBefore(x), func(t *scenarios.Turn) bool { return !t.Returns() })
		if !slices.ContainsFunc(said, func(t *scenarios.Turn) bool { return !r.SaidBy(x.Request.Model, t) }) {
			continue
		}
		for _, e := range AlignTurns(said, x, r.Task.Prompts) {
			first := slices.ContainsFunc(r.returned.all, func(f ReturnedTurn) bool { return f.Turn == e.Turn && f.In == x })
			if e.Message != nil && !first && e.Index >= LastPrompt(x.Request) && !r.SaidBy(x.Request.Model, e.Turn) {
				all = append(all, e)
			}
		}
	}
	return all
}

// LastPrompt returns the index of the last message of the user in a request, or 0.
func LastPrompt(req *wire.Request) int {
	for i, m := range slices.Backward(req.Messages) {
		if m.Role == wire.User {
			return i
		}
	}
	return 0
}

// ModelChosenFor returns the model that the user chose for the prompt that a request asks, "" where
// none was chosen.
func (r *Run) ModelChosenFor(x *trace.Exchange) string {
	for n, model := range slices.Backward(r.Task.PromptModels) {
		if n < len(r.Task.Prompts) && x.Request.UserSays(r.Task.Prompts[n]) {
			return model
		}
	}
	return ""
}
