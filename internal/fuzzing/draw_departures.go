package fuzzing

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/protocol"
)

// departures returns the ways in which conversations depart from the plain one, as far as the loop
// claims them and some profile shows them. The shares say how many of a hundred conversations
// depart so.
func (g *Grammar) departures() []departure {
	quirks, ofEndings := g.quirks(), g.quirksOfEndings()
	return []departure{
		{14, []kind{func(*drawing, *Conversation) {}}},
		{16, g.passingFailures()},
		{9, g.lastFailures()},
		{11, g.lastAnswers()},
		{7, g.earlierEndings()},
		{min(max(len(quirks)/3, 6), 30), quirks}, // each shows bugs that no other does
		{min(max(len(ofEndings)/2, 1), 12), ofEndings},
		{8, g.reasoningBlocks()},
		{8, g.partsOfProviders()},
		{3, g.oddTurns()},
		{4, g.largeTurns()},
		{4, g.fewProfiles()},
		{5, g.cancels()},
		{3, g.turnLimits()},
		{4, g.ownApprovals()},
		{3, g.smallContexts()},
		{2, g.steering()},
		{3, g.crashes()},
		{2, g.tokenBudgets()},
		{2, g.answersInSchema()},
		{3, g.otherModels()},
		{3, g.toolServers()},
		{3, g.subAgents()},
		{2, g.compactionsByTheProvider()},
	}
}

// largeTurns are conversations that are long in one way.
func (g *Grammar) largeTurns() []kind {
	kinds := []kind{
		func(d *drawing, c *Conversation) { // many rounds
			p := &c.Prompts[d.upTo(len(c.Prompts)-1, "long prompt")]
			for range 6 + d.upTo(12, "many rounds") {
				p.Turns = slices.Insert(p.Turns, 0, d.round())
			}
		},
		func(d *drawing, c *Conversation) { // long arguments
			c.Prompts[0].Turns = slices.Insert(c.Prompts[0].Turns, 0, Turn{Calls: []Call{d.longCall()}})
		},
		func(d *drawing, c *Conversation) { // a long answer
			c.lastTurn().Step.Text = new(d.longText("long answer"))
		},
	}
	if g.offers(func(p *profiles.Profile) bool { return takesBigIntegers(p) }) {
		kinds = append(kinds, func(d *drawing, c *Conversation) { // integers beyond 2^53
			d.only = takesBigIntegers
			c.Prompts[0].Turns = slices.Insert(c.Prompts[0].Turns, 0, Turn{Calls: []Call{d.callWithBigInteger()}})
		})
	}
	if g.claims(protocol.ParallelCalls) {
		kinds = append(kinds, func(d *drawing, c *Conversation) { // many calls at once
			t := Turn{}
			for range 8 + d.upTo(24, "many calls") {
				t.Calls = append(t.Calls, d.call(true))
			}
			c.Prompts[0].Turns = slices.Insert(c.Prompts[0].Turns, 0, t)
		})
	}
	if g.claims(protocol.MultiPrompt) {
		kinds = append(kinds, func(d *drawing, c *Conversation) { // many prompts
			for range 3 + d.upTo(3, "many prompts") {
				d.ask(c)
			}
		})
	}
	return kinds
}

// fewProfiles are conversations under profiles that are played by name alone, or that keep the
// conversation.
func (g *Grammar) fewProfiles() (kinds []kind) {
	for _, p := range g.Profiles {
		if !p.ByNameOnly && !p.Traits.KeepsThreads {
			continue
		}
		under := func(other *profiles.Profile) bool { return other.Name == p.Name }
		kinds = append(kinds, func(d *drawing, _ *Conversation) { d.only = under })
		if p.Traits.KeepsThreads {
			kinds = append(kinds, func(d *drawing, c *Conversation) {
				d.only = under
				d.loseThread(c)
			})
		}
	}
	return kinds
}

// loseThread lets the provider lose the conversation that it keeps after a turn with calls.
func (d *drawing) loseThread(c *Conversation) {
	calling := slices.DeleteFunc(c.turns(), func(t *Turn) bool { return len(t.Calls) == 0 })
	if len(calling) > 0 {
		calling[d.one(len(calling), "turn before the loss")].Step.LosesThread = true
	}
}

// cancels are the points at which the user cancels, the whole task or one prompt.
func (g *Grammar) cancels() (kinds []kind) {
	if !g.claims(protocol.Cancel) {
		return nil
	}
	points := []scenarios.Point{scenarios.DuringAnswer, scenarios.DuringTool}
	if g.streams() {
		points = append(points, scenarios.DuringStream)
	}
	if g.claims(protocol.Retries) {
		points = append(points, scenarios.DuringWait)
	}
	var cancels []func(d *drawing, c *Conversation, at int)
	for _, point := range points {
		cancels = append(cancels, func(d *drawing, c *Conversation, at int) { d.cancel(c, point, at) })
	}
	if g.streams() && g.offers(isOwnProvider) {
		cancels = append(cancels, (*drawing).cancelInACall)
	}
	for _, cancel := range cancels {
		kinds = append(kinds, func(d *drawing, c *Conversation) { cancel(d, c, len(c.Prompts)-1) })
		if g.claims(protocol.MultiPrompt) {
			kinds = append(kinds, func(d *drawing, c *Conversation) {
				d.severalPrompts(c)
				cancel(d, c, d.upTo(len(c.Prompts)-2, "cancelled prompt"))
			})
		}
	}
	return kinds
}

// turnLimits are limits below the turns that the conversation takes, and of just as many.
func (g *Grammar) turnLimits() []kind {
	if !g.claims(protocol.TurnLimit) {
		return nil
	}
	limit := func(fewer int) kind {
		return func(_ *drawing, c *Conversation) {
			c.Prompts = c.Prompts[:1]
			c.MaxTurns = max(1, len(c.Prompts[0].Turns)-fewer)
		}
	}
	return []kind{limit(0), limit(1), limit(2)}
}

// severalPrompts adds a prompt where there is only one.
func (d *drawing) severalPrompts(c *Conversation) {
	if len(c.Prompts) == 1 {
		d.ask(c)
	}
}

// lastTurn returns the turn that ends the conversation.
func (c *Conversation) lastTurn() *Turn {
	all := c.turns()
	return all[len(all)-1]
}
