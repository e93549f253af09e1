package scenarios

import (
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Cancel lets the user cancel while a step is being played.
type Cancel struct {
	// During says at which point.
	During Point `yaml:"during"`

	// After is the part of the stream that has arrived by then.
	After Amount `yaml:"after"`

	// Scope is "prompt" if the user cancels only the current prompt, and continues with the next
	// one.
	Scope protocol.Scope `yaml:"scope"`
}

// Point is a point at which a user may cancel.
type Point string

// The points.
const (
	DuringAnswer Point = "answer" // the model was asked, and nothing of its answer has come
	DuringStream Point = "stream" // a part of the answer has come
	DuringTool   Point = "tool"   // the calls of the answer are being run
	DuringWait   Point = "wait"   // the provider failed, and the loop waits until it asks again

	DuringApproval Point = "approval" // the user is asked about a call of the answer
)

// points returns all points.
func points() []Point {
	return []Point{DuringAnswer, DuringStream, DuringTool, DuringWait, DuringApproval}
}

// Cancelled reports whether the user cancels at one of these points of the turn.
func (t *Turn) Cancelled(points ...Point) bool {
	for _, p := range points {
		if t.Step.Cancel != nil && t.Step.Cancel.During == p {
			return true
		}
	}
	return false
}

// cancels checks the steps at which the user cancels. There is at most one in a scenario.
func (c *checker) cancels() {
	known := false
	for i, step := range c.s.Model {
		if step.Cancel == nil {
			continue
		}
		here := at("model", i) + "/cancel"
		c.expect(!known, here, "the user cancels once")
		known = true
		c.cancel(here, step)
	}
	if known && c.prompted() {
		c.expect(c.needs(protocol.Cancel), "/needs", "a scenario in which the user cancels needs the feature %s", protocol.Cancel)
	}
}

func (c *checker) cancel(here string, step Step) {
	k := step.Cancel
	c.word(here+"/during", "point", string(k.During), wire.Words(points()))
	c.interruption(here, step, k.During, k.After)
	c.expect((k.During == DuringWait) == (step.Status != 0), here+"/during", "the loop waits, `during: wait`, where a step has a status, and only there")
	if k.Scope != "" {
		c.word(here+"/scope", "scope", string(k.Scope), []string{string(protocol.ScopePrompt)})
		c.expect(len(c.s.Prompts) > 1 && c.needs(protocol.MultiPrompt), here+"/scope", "only a scenario with several prompts, that needs %s, goes on after one is cancelled", protocol.MultiPrompt)
	}
}
