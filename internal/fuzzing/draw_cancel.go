package fuzzing

import (
	"net/http"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/protocol"
)

// cancelInACall lets the user cancel a prompt while the arguments of a call come, at providers
// whose streams bring them in pieces. Where it is not the last prompt, they go on with the next.
func (d *drawing) cancelInACall(c *Conversation, at int) {
	d.streams, d.only = true, isOwnProvider
	half := Turn{Calls: []Call{{Tool: toolbox[0].Name, Arguments: `{"city":"Oslo, or another city of the north whose name comes in several pieces"}`, Result: d.result()}}}
	half.Step.Cancel = &scenarios.Cancel{During: scenarios.DuringStream, After: scenarios.Amount{N: 2 + d.upTo(2, "events"), Unit: "events"}}
	p := &c.Prompts[at]
	turn := len(p.Turns) - 1
	p.Turns = slices.Insert(p.Turns, turn, half)
	c.goOnBehind(at, turn)
}

// cancel lets the user cancel at a point of a prompt. Where it is not the last one, they go on with
// the next.
func (d *drawing) cancel(c *Conversation, point scenarios.Point, at int) {
	p := &c.Prompts[at]
	turn := d.upTo(len(p.Turns)-1, "cancelled turn")
	cancel := &scenarios.Cancel{During: point}
	switch point {
	case scenarios.DuringTool:
		turn = mostCalls(p.Turns)
		if len(p.Turns[turn].Calls) == 0 {
			p.Turns = slices.Insert(p.Turns, 0, d.round())
			turn = 0
		}
	case scenarios.DuringStream:
		d.streams = true
		cancel.After = scenarios.Amount{N: 1 + d.upTo(2, "events"), Unit: "events"}
		p.Turns[turn].Step.Text = d.textInEvents()
	case scenarios.DuringWait:
		p.Turns = slices.Insert(p.Turns, turn, Turn{Step: scenarios.Step{Status: http.StatusTooManyRequests, RetryAfter: new(8 * time.Second)}})
	}
	p.Turns[turn].Step.Cancel = cancel
	c.goOnBehind(at, turn)
}

// mostCalls returns the first of the turns with the most calls: what becomes of the others shows
// only where there are several.
func mostCalls(turns []Turn) (most int) {
	for i, t := range turns {
		if len(t.Calls) > len(turns[most].Calls) {
			most = i
		}
	}
	return most
}

// goOnBehind lets the user go on with the next prompt, if there is one, after they cancelled in a
// turn.
func (c *Conversation) goOnBehind(at, turn int) {
	if p := &c.Prompts[at]; at < len(c.Prompts)-1 {
		p.Turns[turn].Step.Cancel.Scope = protocol.ScopePrompt
		p.Turns = p.Turns[:turn+1]
	}
}
