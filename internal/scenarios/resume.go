package scenarios

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// LeavesUnanswered reports whether a conversation cannot continue from the turn: it failed, broke
// off, was stopped early, is blank, or refuses. A loop may send such a turn back or not.
func (t *Turn) LeavesUnanswered() bool { return !t.Returns() || t.Answer.Refusal != "" }

// SaysNewPrompt reports whether the user says one of some prompts in a request that they did not
// say in the one before.
func SaysNewPrompt(prompts []string, before, after *wire.Request) bool {
	return slices.ContainsFunc(prompts, func(prompt string) bool { return after.UserSays(prompt) && !before.UserSays(prompt) })
}

// resumes checks a scenario in which the user continues after a failure.
func (c *checker) resumes() {
	if !c.s.Facts().Resumes {
		return
	}
	c.expect(len(c.s.Prompts) > 1 && c.needs(protocol.MultiPrompt), "/needs", "only a scenario with several prompts, that needs %s, goes on after a failure", protocol.MultiPrompt)
}

// promptsTellApart checks that a request says which prompt it is about where the user goes on after
// one without an answer: the loop may have forgotten that one.
func (c *checker) promptsTellApart() {
	cancels := slices.ContainsFunc(c.s.Model, func(step Step) bool { return step.Cancel != nil && step.Cancel.Scope != "" })
	if !c.s.Facts().Resumes && !cancels {
		return
	}
	for n, prompt := range c.s.Prompts {
		for before, earlier := range c.s.Prompts[:n] {
			c.expect(!strings.Contains(earlier, prompt), at("prompts", n), "the prompt is part of prompt %d, which may have no answer, so that nobody can tell them apart; word it otherwise", before+1)
		}
	}
}
