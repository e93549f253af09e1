package scenarios

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// SteeredPrompt returns the index of the prompt that the user says while tools run, or -1.
func (s *Scenario) SteeredPrompt() int {
	prompt := 0
	for i := range s.Model {
		switch step := &s.Model[i]; {
		case step.Steers:
			return prompt + 1
		case !step.IfQueued && step.answers() && len(step.Calls) == 0:
			prompt++
		}
	}
	return -1
}

// PassedOver reports whether a turn answers only loops that keep a prompt of the user until they
// have the answer to the one before, and the request to be answered says that prompt.
func (t *Turn) PassedOver(s *Scenario, req *wire.Request) bool {
	return t.Step.IfQueued && req.UserSays(s.Prompts[s.SteeredPrompt()])
}

// steering checks the step during whose tools the user says the next prompt, and the one that
// answers loops which keep it. There is at most one of each.
func (c *checker) steering() {
	steers, queued := -1, -1
	for i, step := range c.s.Model {
		here := at("model", i)
		if step.Steers {
			c.expect(steers < 0, here+"/steers", "the user says something while tools run once")
			c.expect(len(step.Calls) > 0, here+"/steers", "the step calls no tool during which the user could say something")
			c.expect(step.Times <= 1 && step.Cancel == nil && !step.breaksOff(), here+"/steers", "a step during which the user says something is played once, whole, and not cancelled")
			steers = i
		}
		if step.IfQueued {
			c.expect(queued < 0 && i > 0 && i == steers+1 && steers >= 0, here+"/if-queued", "a step with `if-queued` comes right after the one with `steers`")
			c.expect(step.answers() && len(step.Calls) == 0, here+"/if-queued", "the step answers the prompt before: it calls no tool")
			queued = i
		}
	}
	if steers < 0 {
		return
	}
	here := at("model", steers) + "/steers"
	c.expect(queued == steers+1, here, "the next step is for loops that keep the prompt until they have the answer to the one before: `if-queued: true`")
	c.expect(c.needs(protocol.Steering), "/needs", "a scenario in which the user says something while tools run needs loops that take it: `needs: [%s]`", protocol.Steering)
	n := c.s.SteeredPrompt()
	c.expect(n < len(c.s.Prompts), here, "the user says the prompt after the one that is being answered, and there is none: `prompts`")
	if n < len(c.s.Prompts) {
		for i, other := range c.s.Prompts {
			c.expect(i == n || !strings.Contains(other, c.s.Prompts[n]), at("prompts", n), "the prompt is part of prompt %d, so that nobody can tell whether it was said; word it otherwise", i+1)
		}
	}
}
