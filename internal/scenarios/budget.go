package scenarios

import (
	"github.com/loopproof/loopproof/protocol"
)

// budget checks a scenario in which an answer may cost so many tokens.
func (c *checker) budget() {
	s := c.s
	c.expect(s.TokenBudget > 0 || !s.doc.Has("/token-budget"), "/token-budget", "the budget of an answer is a number of tokens from 1, not %d", s.TokenBudget)
	c.expect(s.TokenBudget == 0 || c.needs(protocol.TokenBudget), "/token-budget", "a scenario that limits what an answer costs needs loops that keep to it: `needs: [token-budget]`")
}

// usage checks the tokens that a step counts.
func (c *checker) usage(here string, step Step) {
	u := step.Usage
	if u == nil {
		return
	}
	c.expect(u.Input > 0 && u.Output > 0, here+"/usage", "an answer costs tokens of input and of output: `usage: {input: 900, output: 40}`")
	c.expect(step.answers() && step.recorded == nil, here+"/usage", "only an answer counts its tokens, and a recorded one does so itself")
	c.expect(c.s.ContextLimit == 0, here+"/usage", "where the length of requests is limited, the tokens of each are counted")
}

// Cost returns the tokens of a turn, with those of its request; 0 where it has no answer, or none
// that came whole.
func (t *Turn) Cost() int {
	if t == nil || !t.Whole() {
		return 0
	}
	return t.Answer.Usage.Prompt + t.Answer.Usage.Completion
}
