package scenarios

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Resumes reports whether the user continues in the scenario although a prompt got no answer.
func (s *Scenario) Resumes() bool { return slices.Contains(s.Needs, protocol.ResumeAfterFailure) }

// LeavesUnanswered reports whether a turn is none that a conversation continues from: it failed, broke off, was stopped early, or
// says nothing or no. Such a turn may go back or not.
func (t *Turn) LeavesUnanswered() bool { return !t.Returns() || t.Answer.Refusal != "" }

// SaysNewPrompt reports whether the user says one of some prompts in a request that they did not say in the one before.
func SaysNewPrompt(prompts []string, before, after *wire.Request) bool {
	return slices.ContainsFunc(prompts, func(prompt string) bool { return after.UserSays(prompt) && !before.UserSays(prompt) })
}

// resumes checks a scenario in which the user continues after a failure.
func (c *checker) resumes() {
	if !c.s.Resumes() {
		return
	}
	c.expect(len(c.s.Prompts) > 1 && c.needs(protocol.MultiPrompt), "/needs", "only a scenario with several prompts, that needs %s, goes on after a failure", protocol.MultiPrompt)
}
