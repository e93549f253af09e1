package scenarios

import (
	"slices"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// programs checks the steps at which code of the provider begins, calls tools and ends.
func (c *checker) programs() {
	runs, any := false, false
	for i, step := range c.s.Model {
		here := at("model", i)
		c.expect(step.Program == "" || len(step.Calls) > 0, here+"/program", "code of the provider calls tools: add `calls`")
		c.expect(step.Program == "" || !runs, here+"/program", "the code before has not ended: add its `program-output`")
		c.expect(step.ProgramOutput == nil || runs, here+"/program-output", "no code has begun before: add a `program`")
		c.expect(step.ProgramOutput == nil || step.Program == "", here+"/program-output", "code ends in another step than the one in which it begins")
		c.expect(step.recorded == nil || step.Program == "" && step.ProgramOutput == nil, here, "a recorded answer says nothing else")
		runs = (runs || step.Program != "") && step.ProgramOutput == nil
		any = any || step.Program != ""
		for j, call := range step.Calls {
			t := c.s.Tool(call.Tool)
			c.expect(!runs || t == nil || t.Programmatic, here+at("calls", j), "code of the provider may not call this tool; add `programmatic: true` to the tool %s", call.Tool)
		}
	}
	c.expect(!runs, "/model", "the code of the provider does not end: add a step with `program-output`")
	c.expect(!any || c.prompted(), "/model", "code of the provider calls the tools of a loop, in a scenario with a prompt")
	marked := slices.ContainsFunc(c.s.Tools, func(t Tool) bool { return t.Programmatic })
	c.expect(!marked || c.needs(protocol.ProgrammaticTools), "/needs", "a scenario in which code of the provider calls tools needs loops that let it: `needs: [%s]`", protocol.ProgrammaticTools)
}

// programOf returns the code of the provider that an answer begins, goes on with or ends, or nil.
func (c *compiler) programOf(step *Step) *wire.Program {
	form := c.script.Profile.Speaks.Programs
	if !c.script.Profile.Traits.RunsPrograms {
		return nil
	}
	draw := func(pattern, what string) string {
		if pattern == "" {
			return ""
		}
		return profiles.MustPattern(pattern).Expand(digest.New(c.secret, c.script.Scenario.ID, "program", what, c.asked), "", 0)
	}
	switch {
	case step.Program != "":
		c.program = &wire.Program{ID: draw(form.ID, step.Program), Begins: true, Item: draw(form.Item, "item "+step.Program), Code: step.Program}
		if form.Sealed {
			c.program.Seal = digest.Seal(c.secret, "", c.script.Scenario.ID, "program", step.Program)
		}
		return c.program
	case c.program == nil:
		return nil
	case step.ProgramOutput != nil:
		ended := &wire.Program{ID: c.program.ID, Output: step.ProgramOutput, OutputItem: draw(form.OutputItem, "output of "+c.program.Code)}
		c.program = nil
		return ended
	default:
		return &wire.Program{ID: c.program.ID}
	}
}

// RunBy returns the turn as it answers a request: code of the provider runs by the tool that the
// request offers for it. Where it offers none, the model makes the calls itself.
func (t *Turn) RunBy(req *wire.Request) *Turn {
	if t.Answer == nil || t.Answer.Program == nil {
		return t
	}
	turn, answer := *t, *t.Answer
	answer.Program = nil
	if req.Dialect.RunsPrograms(req) {
		program := *t.Answer.Program
		program.Runner = req.Dialect.Programs.Runner(req)
		answer.Program = &program
	} else {
		answer.Container = ""
		answer.Calls = slices.Clone(answer.Calls)
		for i := range answer.Calls {
			answer.Calls[i].Caller = ""
		}
	}
	turn.Answer = &answer
	return &turn
}
