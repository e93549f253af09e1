package fuzzing

import (
	"fmt"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// forGood is how often a failure comes that does not pass: more often than any client asks.
const forGood = 40

// ending draws the turn by which a prompt ends without an answer.
type ending func(*drawing) Turn

// lastFailures let the last prompt end with a failure that does not pass.
func (g *Grammar) lastFailures() []kind { return atTheEnd(g.failures()) }

// lastAnswers let the last prompt end with an answer that is none, or is not understood, and with
// silence.
func (g *Grammar) lastAnswers() []kind {
	kinds := append(atTheEnd(append(stoppedAnswers(), g.givesUp()...)), refuseConnection)
	return append(kinds, g.silences()...)
}

// refuseConnection lets the provider be gone at the end. A client that is refused at first has
// never been served, and plays nothing: a round comes before.
func refuseConnection(d *drawing, c *Conversation) {
	*c.lastTurn() = Turn{Step: scenarios.Step{Transport: scenarios.Transport{Refused: true}}}
	if len(c.turns()) == 1 {
		c.Prompts[0].Turns = slices.Insert(c.Prompts[0].Turns, 0, d.round())
	}
}

// atTheEnd lets the last prompt end in some ways.
func atTheEnd(all []ending) (kinds []kind) {
	for _, draw := range all {
		kinds = append(kinds, func(d *drawing, c *Conversation) { *c.lastTurn() = draw(d) })
	}
	return kinds
}

// earlierEndings let a prompt end without an answer, after which the user says another one.
func (g *Grammar) earlierEndings() (kinds []kind) {
	if !g.claims(protocol.MultiPrompt) || !g.claims(protocol.ResumeAfterFailure) {
		return nil
	}
	for _, draw := range g.endings() {
		kinds = append(kinds, func(d *drawing, c *Conversation) {
			d.severalPrompts(c)
			at := d.upTo(len(c.Prompts)-2, "prompt without an answer")
			t := draw(d)
			if t.Step.Refusal == "" {
				t.Step.Times = forGood // loops may ask again before they give up
			}
			turns := c.Prompts[at].Turns
			turns[len(turns)-1] = t
			if d.chance(25, "two prompts without an answer") && t.Step.Refusal == "" {
				*c.lastTurn() = draw(d)
			}
		})
	}
	return kinds
}

// endings are the ways in which a prompt ends without an answer, and others may follow.
func (g *Grammar) endings() []ending { return append(g.failures(), stoppedAnswers()...) }

// failures are errors and broken connections that come whatever is tried.
func (g *Grammar) failures() (all []ending) {
	for _, step := range hopeless {
		all = append(all, lasting(always(step)))
	}
	if g.offers(namesQuotas) {
		all = append(all, lasting(func(d *drawing) scenarios.Step {
			d.only = namesQuotas
			return dailyQuota
		}))
	}
	for _, step := range g.breaks() {
		all = append(all, lasting(step))
	}
	return all
}

// stoppedAnswers are answers that say nothing, that refuse, and that the provider stopped.
func stoppedAnswers() []ending {
	all := append(cutAtTheLimit(), filtered()...)
	return append(all,
		lasting(always(scenarios.Step{Text: new("")})),
		func(d *drawing) Turn {
			return Turn{Step: scenarios.Step{Refusal: fmt.Sprintf("I will not say that, number %d.", d.number())}}
		},
	)
}

// lasting returns the ending of a step that comes whatever is tried.
func lasting(draw failing) ending {
	return func(d *drawing) Turn {
		t := Turn{Step: draw(d)}
		t.Step.Times = forGood
		for _, call := range t.Step.Calls {
			t.Calls = append(t.Calls, Call{Tool: call.Tool, Arguments: call.Arguments, Result: d.result()})
		}
		t.Step.Calls = nil
		return t
	}
}

// finished returns the ending of an answer that stops for a reason.
func finished(why wire.Finish, said func(*drawing, *Turn)) ending {
	return func(d *drawing) Turn {
		t := Turn{Step: scenarios.Step{Finish: string(why)}}
		said(d, &t)
		return t
	}
}

// cutAtTheLimit are answers that the token limit cuts: in a text, in a call, behind one.
func cutAtTheLimit() []ending {
	return []ending{
		finished(wire.FinishLength, textOf("cut text")),
		finished(wire.FinishLength, func(d *drawing, t *Turn) { t.Calls = []Call{d.cutCall()} }),
		finished(wire.FinishLength, func(d *drawing, t *Turn) {
			t.Step.Text, t.Calls = new(d.text("text before a cut call")), []Call{d.cutCall()}
		}),
		finished(wire.FinishLength, func(d *drawing, t *Turn) { t.Calls = []Call{d.call(false), d.cutCall()} }),
		finished(wire.FinishLength, func(_ *drawing, t *Turn) { t.Calls = []Call{{Tool: toolbox[0].Name}} }),
		finished(wire.FinishContextWindow, textOf("text in a full window")),
	}
}

// filtered are answers that a filter ends: in a text, behind calls.
func filtered() []ending {
	return []ending{
		finished(wire.FinishContentFilter, textOf("filtered text")),
		finished(wire.FinishContentFilter, func(d *drawing, t *Turn) { t.Calls = d.calls() }),
		finished(wire.FinishContentFilter, func(d *drawing, t *Turn) {
			t.Step.Text, t.Calls = new(d.text("filtered text")), d.calls()
		}),
	}
}

func textOf(what string) func(*drawing, *Turn) {
	return func(d *drawing, t *Turn) { t.Step.Text = new(d.text(what)) }
}

// cutCall draws a call of which half has come when the token limit is reached.
func (d *drawing) cutCall() Call {
	return Call{Tool: toolbox[0].Name, Arguments: fmt.Sprintf(`{"city":"Oslo, number %d`, d.number())}
}

// givesUp are answers in another form than the one asked for, which a loop may read or not.
func (g *Grammar) givesUp() []ending {
	forms := []scenarios.Transport{{Gzip: true}, {ContentType: "text/plain"}, {ContentType: scenarios.NoContentType}}
	var all []ending
	for _, form := range forms {
		all = append(all, disguised(form))
	}
	if g.streams() {
		for _, form := range []scenarios.Transport{{Whole: true}, {ContentType: "application/json"}} {
			streamed := disguised(form)
			all = append(all, func(d *drawing) Turn {
				d.streams = true
				return streamed(d)
			})
		}
	}
	return all
}

// disguised lets a whole answer come in another form than the one asked for.
func disguised(form scenarios.Transport) ending {
	return lasting(func(d *drawing) scenarios.Step {
		return scenarios.Step{Text: new(d.text("disguised text")), Transport: form}
	})
}

// The times of a provider that falls silent: it is silent for longer than the loop has for its
// task.
const (
	silence     = 4 * time.Second
	shortOfTime = 2 * time.Second
)

// silences let the provider fall silent, from the start or in the middle of an answer.
func (g *Grammar) silences() []kind {
	stalls := func(where string) kind {
		return func(d *drawing, c *Conversation) {
			at := scenarios.Break{Before: "headers"}
			if where != "headers" {
				at = *d.place(where)
			}
			last := c.lastTurn()
			silent := Turn{Step: scenarios.Step{Transport: scenarios.Transport{Stall: &scenarios.Stall{Break: at, For: silence}}}}
			if where != "headers" {
				silent.Step.Text = new(d.text("silent text") + " There was more to come.")
			}
			c.Timeout = shortOfTime
			*last = silent
		}
	}
	kinds := []kind{stalls("headers")}
	if g.streams() {
		kinds = append(kinds, stalls("some event"))
	}
	return kinds
}
