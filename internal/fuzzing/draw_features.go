package fuzzing

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// deniedFor are reasons for which users deny calls; "" is none.
var deniedFor = []string{"Not now.", "", "No: it is \"too dear\", 東京.\nAsk me again tomorrow."}

// ownApprovals let the user decide about calls of the loop's own tools.
func (g *Grammar) ownApprovals() []kind {
	if !g.claims(protocol.ToolApprovals) {
		return nil
	}
	decide := func(decide func(*drawing, *Call)) kind {
		return func(d *drawing, c *Conversation) {
			p := &c.Prompts[d.upTo(len(c.Prompts)-1, "prompt with decisions")]
			p.Turns = slices.Insert(p.Turns, 0, d.round())
			for _, t := range c.turns() {
				for i := range t.Calls {
					d.decide(c, &t.Calls[i], decide)
				}
			}
			c.AskedAbout = slices.DeleteFunc(c.AskedAbout, func(tool string) bool {
				return inCall(func(call *Call) bool { return call.Tool == tool && call.bad() })(c)
			})
		}
	}
	kinds := []kind{
		decide(func(*drawing, *Call) {}),
		decide(func(d *drawing, call *Call) {
			if d.chance(60, "denied call") {
				call.Denied = new(d.pick("reason of a denial", deniedFor))
			}
		}),
	}
	if g.claims(protocol.ApprovalEdits) {
		kinds = append(kinds, decide(func(d *drawing, call *Call) {
			if d.chance(60, "edited call") {
				call.ApprovedWith = d.arguments(toolNamed(call.Tool))
			}
		}))
	}
	return kinds
}

// decide lets the user decide about a call, where it can be run and most tools are asked about. A
// call that cannot be run is nothing to decide about, and its tool is not asked about at all.
func (d *drawing) decide(c *Conversation, call *Call, decide func(*drawing, *Call)) {
	tool := toolNamed(call.Tool)
	if tool == nil || tool.FreeText || call.bad() {
		return
	}
	if !c.asksAbout(*call) {
		if !d.chance(75, "tool that is asked about") {
			return
		}
		c.AskedAbout = append(c.AskedAbout, call.Tool)
	}
	decide(d, call)
}

// contextLimit is a limit with room for several of the rounds that are drawn under it, by whatever
// margin a loop keeps.
const contextLimit = 9000

// smallContexts are conversations that are longer than a limit of tokens, in one prompt or in
// several.
func (g *Grammar) smallContexts() []kind {
	if !g.claims(protocol.Compaction) {
		return nil
	}
	outgrow := func(d *drawing, c *Conversation) {
		c.ContextLimit = contextLimit
		for i := range c.Prompts {
			p := &c.Prompts[i]
			p.Turns = nil
			for range 7/len(c.Prompts) + 1 + d.upTo(3, "rounds beyond the limit") {
				p.Turns = append(p.Turns, d.longRound())
			}
			p.Turns = append(p.Turns, Turn{Step: scenarios.Step{Text: new(d.text("answer"))}})
		}
	}
	kinds := []kind{func(d *drawing, c *Conversation) {
		c.Prompts = c.Prompts[:1]
		outgrow(d, c)
	}}
	if g.claims(protocol.MultiPrompt) {
		kinds = append(kinds, func(d *drawing, c *Conversation) {
			d.severalPrompts(c)
			outgrow(d, c)
		})
	}
	return kinds
}

// longRound draws a turn whose results have some 1,300 tokens in all.
func (d *drawing) longRound() Turn {
	t := Turn{}
	n := 1
	if d.grammar.claims(protocol.ParallelCalls) && d.chance(30, "parallel calls") {
		n = 2
	}
	for range n {
		tool := &toolbox[d.upTo(len(toolbox)-1, "tool")]
		t.Calls = append(t.Calls, Call{Tool: tool.Name, Arguments: d.arguments(tool), Result: scenarios.Result{Text: fmt.Sprintf("Part %d of the result. ", d.number()), Repeat: 220 / n}})
	}
	d.reason(&t.Step)
	return t
}

// compactThreshold is the number of input tokens from which on the provider makes the history
// shorter.
const compactThreshold = 60_000

// compacts reports whether the provider makes the history shorter.
func compacts(c *Conversation) bool {
	return inStep(func(s *scenarios.Step) bool { return s.Compaction != "" })(c)
}

// compactionsByTheProvider let the provider make the history shorter, once or several times.
func (g *Grammar) compactionsByTheProvider() []kind {
	if !g.claims(protocol.ServerCompaction) {
		return nil
	}
	at := func(chosen func(d *drawing, all []*Turn) []*Turn) kind {
		return func(d *drawing, c *Conversation) {
			p := &c.Prompts[d.upTo(len(c.Prompts)-1, "longer prompt")]
			p.Turns = slices.Insert(p.Turns, 0, d.round(), d.round())
			for _, t := range chosen(d, c.turns()) {
				t.Step.Compaction = d.text("summary")
			}
		}
	}
	return g.speaking(able(wire.Compactions), at(func(d *drawing, all []*Turn) []*Turn {
		one := d.one(len(all), "turn with a summary")
		return all[one : one+1]
	}), at(func(d *drawing, all []*Turn) []*Turn {
		return slices.DeleteFunc(all, func(*Turn) bool { return d.chance(50, "turn without a summary") })
	}))
}
