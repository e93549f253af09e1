package scenarios

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Crash lets the process of the loop be killed while a step is being played. It is started again,
// and the step is played anew where the loop asks for it.
type Crash struct {
	// During says at which point.
	During Point `yaml:"during"`

	// After is the part of the stream that has arrived by then.
	After Amount `yaml:"after"`

	// Call is the call that is being run then, by its name in the step, once the others have their
	// results; "" is all of them.
	Call string `yaml:"call"`
}

// Crashed reports whether the process of the loop is killed at one of these points of the turn.
func (t *Turn) Crashed(points ...Point) bool {
	return t.Step.Crash != nil && slices.Contains(points, t.Step.Crash.During)
}

// CrashPoints returns the points at which a process may be killed.
func CrashPoints() []Point {
	return []Point{DuringAnswer, DuringStream, DuringTool, DuringApproval}
}

// earlyPart returns the part of a stream that comes before the user cancels, or the process of the
// loop is killed, in the middle of it.
func (s *Step) earlyPart() (Amount, bool) {
	switch {
	case s.Cancel != nil && s.Cancel.During == DuringStream:
		return s.Cancel.After, true
	case s.Crash != nil && s.Crash.During == DuringStream:
		return s.Crash.After, true
	}
	return Amount{}, false
}

// crashes checks the steps at which the process of the loop is killed. There is at most one in a
// scenario.
func (c *checker) crashes() {
	known := false
	for i, step := range c.s.Model {
		if step.Crash == nil {
			continue
		}
		here := at("model", i) + "/crash"
		c.expect(!known, here, "the process of the loop is killed once")
		known = true
		c.crash(here, step)
	}
	if !known || !c.prompted() {
		return
	}
	c.expect(c.needs(protocol.DurableSessions), "/needs", "a scenario in which the process is killed needs loops that store their sessions: `needs: [%s]`", protocol.DurableSessions)
	c.expect(!c.s.Facts().Cancels, "/model", "the user does not cancel in a scenario in which the process is killed")
}

func (c *checker) crash(here string, step Step) {
	k := step.Crash
	c.word(here+"/during", "point", string(k.During), wire.Words(CrashPoints()))
	c.interruption(here, step, k.During, k.After)
	c.expect(step.Status == 0, here, "the process is killed in an answer or its calls, and a step with a status has none")
	c.expect(k.Call == "" || k.During == DuringTool, here+"/call", "call says which call is being run, and goes with `during: tool` alone")
	c.expect(k.Call == "" || slices.ContainsFunc(step.Calls, func(call Call) bool { return call.As == k.Call }), here+"/call", "the step has no call %s", k.Call)
}

// interruption checks the point of a step at which the user cancels, or the process is killed.
func (c *checker) interruption(here string, step Step, during Point, after Amount) {
	c.expect((during == DuringStream) == (after.Unit != "") && !after.Each, here, "after says how much of a stream has come, and goes with `during: stream` alone")
	c.expect(step.Times <= 1 && step.Cut == nil && step.Reset == nil && step.InBandError == nil, here, "a step that is interrupted is played once, and does not break off besides")
	c.expect(during != DuringTool || len(step.Calls) > 0, here+"/during", "the step calls no tool that could be running then")
	c.expect(during != DuringApproval || slices.ContainsFunc(step.Calls, func(call Call) bool { return c.s.NeedsApproval(call.Tool) }),
		here+"/during", "the step calls no tool about which the user would be asked: `needs-approval: true`")
}
