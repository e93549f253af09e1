package scenarios

import (
	"cmp"

	"github.com/loopproof/loopproof/internal/wire"
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
	c.expect(u.Input > 0 && u.Output > 0 || !c.prompted(), here+"/usage", "an answer costs tokens of input and of output: `usage: {input: 900, output: 40}`")
	c.expect(min(u.Input, u.Output, u.Cached, u.CacheWritten, u.Reasoning) >= 0, here+"/usage", "a number of tokens is not negative")
	c.expect(u.Input == 0 || u.Cached+u.CacheWritten <= u.Input, here+"/usage", "the tokens of a cache are among those of the input, which has %d", u.Input)
	c.expect(u.Output == 0 || u.Reasoning <= u.Output, here+"/usage", "the tokens of the reasoning are among those of the output, which has %d", u.Output)
	c.expect(u.Cached+u.CacheWritten+u.Reasoning == 0 || !c.prompted(), here+"/usage", "only a script without a prompt counts the tokens of a cache and of reasoning")
	c.expect(step.answers() && step.recorded == nil, here+"/usage", "only an answer counts its tokens, and a recorded one does so itself")
	c.expect(c.s.ContextLimit == 0, here+"/usage", "where the length of requests is limited, the tokens of each are counted")
}

// in returns the tokens as a dialect counts them, for an answer to which it would else give others.
func (u *Usage) in(d *wire.Dialect, counted wire.Usage) wire.Usage {
	all := wire.Usage{Prompt: cmp.Or(u.Input, counted.Prompt), Completion: cmp.Or(u.Output, counted.Completion)}
	all.Written = min(u.CacheWritten, all.Prompt)
	all.Cached = min(u.Cached, all.Prompt-all.Written)
	if all.Reasoning = u.Reasoning; u.Output == 0 { // what is counted is the text
		all.Completion += u.Reasoning
	}
	if d.Usage.CachedApart {
		all.Prompt -= all.Cached + all.Written
	}
	if d.Usage.ReasoningApart {
		all.Completion -= all.Reasoning
	}
	return all
}

// Cost returns the tokens of a turn, with those of its request; 0 where it has no answer, or none
// that came whole.
func (t *Turn) Cost() int {
	if t == nil || !t.Whole() {
		return 0
	}
	return t.Answer.Usage.Prompt + t.Answer.Usage.Completion
}
