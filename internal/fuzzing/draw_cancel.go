package fuzzing

import (
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/protocol"
)

// cancel lets the user cancel at some point of the last prompt, or of one before where they go on with the next.
func (d *drawing) cancel(c *Conversation) {
	at := d.upTo(len(c.Prompts)-1, "cancelled prompt")
	p := &c.Prompts[at]
	turn := d.upTo(len(p.Turns)-1, "cancelled turn")
	t := &p.Turns[turn]
	if t.Step.Times > 0 || t.Step.Finish != "" || t.Step.Status != 0 {
		return
	}
	cancel := &scenarios.Cancel{During: scenarios.DuringAnswer}
	switch kind := d.upTo(2, "point of the cancel"); {
	case kind == 2 && len(t.Calls) > 0:
		cancel.During = scenarios.DuringTool
	case kind >= 1 && d.streams:
		cancel.During, cancel.After = scenarios.DuringStream, scenarios.Amount{N: 2, Unit: "events"}
		t.Step.Text = new(d.text("long text") + " It goes on for a while, so that it comes in more than two events.")
	}
	t.Step.Cancel = cancel
	if at < len(c.Prompts)-1 {
		cancel.Scope = protocol.ScopePrompt
		p.Turns = p.Turns[:turn+1] // the user goes on
	}
}
