package fuzzing

import (
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// steering lets the user say the next prompt while tools run.
func (g *Grammar) steering() []kind {
	if !g.claims(protocol.Steering) || !g.claims(protocol.MultiPrompt) {
		return nil
	}
	return []kind{func(d *drawing, c *Conversation) {
		d.severalPrompts(c)
		p := &c.Prompts[d.upTo(len(c.Prompts)-2, "steered prompt")]
		during := d.runnableRound()
		during.Step.Steers = true
		p.Turns[len(p.Turns)-1] = during
	}}
}

// crashes let the process of the loop be killed in the middle of a turn.
func (g *Grammar) crashes() []kind {
	if !g.claims(protocol.DurableSessions) {
		return nil
	}
	at := func(interrupt func(d *drawing, t *Turn)) kind {
		return func(d *drawing, c *Conversation) {
			all := c.turns()
			interrupt(d, all[d.upTo(len(all)-1, "turn in which the process is killed")])
		}
	}
	kinds := []kind{
		at(func(_ *drawing, t *Turn) { t.Step.Crash = &scenarios.Crash{During: scenarios.DuringAnswer} }),
		func(d *drawing, c *Conversation) {
			during := d.runnableRound()
			during.Step.Crash = &scenarios.Crash{During: scenarios.DuringTool}
			p := &c.Prompts[d.upTo(len(c.Prompts)-1, "prompt in which the process is killed")]
			p.Turns = slices.Insert(p.Turns, d.upTo(len(p.Turns)-1, "round in which the process is killed"), during)
		},
	}
	if g.streams() {
		kinds = append(kinds, at(func(d *drawing, t *Turn) {
			d.streams = true
			t.Step.Crash = &scenarios.Crash{During: scenarios.DuringStream, After: scenarios.Amount{N: 1 + d.upTo(2, "events"), Unit: "events"}}
			t.Step.Text = d.textInEvents()
		}))
	}
	return kinds
}

// runnableRound draws a turn whose calls can all be run.
func (d *drawing) runnableRound() Turn {
	t := d.round()
	for i := range t.Calls {
		if t.Calls[i].bad() {
			tool := &toolbox[d.upTo(len(toolbox)-1, "tool")]
			t.Calls[i] = Call{Tool: tool.Name, Arguments: d.arguments(tool), Result: d.result()}
		}
	}
	return t
}

// costOfAnswer are the tokens of each answer where a budget limits them.
var costOfAnswer = scenarios.Usage{Input: 600, Output: 100}

// tokenBudgets let the answer to a prompt cost no more than some of its turns do.
func (g *Grammar) tokenBudgets() []kind {
	if !g.claims(protocol.TokenBudget) {
		return nil
	}
	return []kind{func(d *drawing, c *Conversation) {
		if !g.claims(protocol.ResumeAfterFailure) {
			c.Prompts = c.Prompts[:1]
		}
		each := costOfAnswer.Input + costOfAnswer.Output
		c.TokenBudget = each/2 + each*d.upTo(4, "turns that the budget is enough for")
	}}
}

// paidFor returns the turns of a prompt up to the one that spends the budget, if there is one. The
// last prompt keeps what nobody pays for, so that a loop which asks further has an answer.
func (c *Conversation) paidFor(prompt int) []Turn {
	turns := c.Prompts[prompt].Turns
	if c.TokenBudget == 0 || prompt == len(c.Prompts)-1 {
		return turns
	}
	most := c.TokenBudget/(costOfAnswer.Input+costOfAnswer.Output) + 1
	return turns[:min(most, len(turns))]
}

// answersInForm are answers that fit answerForm.
var answersInForm = []string{
	`{"city":"Oslo","degrees":4}`,
	`{"city":"Ñuñoa \"南\" \\ \n🌧","degrees":-3.25}`,
	`{ "degrees": 0, "city": "" }`,
}

var answerForm = wire.Fields{
	{Key: "type", Value: "object"},
	{Key: "properties", Value: wire.Fields{
		{Key: "city", Value: wire.Fields{{Key: "type", Value: "string"}}},
		{Key: "degrees", Value: wire.Fields{{Key: "type", Value: "number"}}},
	}},
	{Key: "required", Value: []any{"city", "degrees"}},
	{Key: "additionalProperties", Value: false},
}

// answersInSchema let the caller say which form the answer has.
func (g *Grammar) answersInSchema() []kind {
	if !g.claims(protocol.AnswerSchema) {
		return nil
	}
	inForm := func(d *drawing, c *Conversation) {
		c.Prompts = c.Prompts[:1]
		c.AnswerInForm = d.pick("answer in a form", answersInForm)
		*c.lastTurn() = Turn{Step: scenarios.Step{Text: new(c.AnswerInForm)}}
	}
	beside := func(answers func(c *Conversation) []string) kind {
		return func(d *drawing, c *Conversation) {
			inForm(d, c)
			p := &c.Prompts[0]
			t := d.round()
			t.Step.AnswerCalls = answers(c)
			p.Turns = slices.Insert(p.Turns, len(p.Turns)-1, t)
		}
	}
	return []kind{
		inForm,
		beside(func(c *Conversation) []string { return []string{c.AnswerInForm} }),
		beside(func(*Conversation) []string { return []string{`{"city":"Oslo"}`} }), // which does not fit
		beside(func(c *Conversation) []string { return []string{c.AnswerInForm, c.AnswerInForm} }),
	}
}
