package fuzzing

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Grammar draws conversations for a loop.
type Grammar struct {
	// Profiles are those under which conversations may be played.
	Profiles []*profiles.Profile

	// Deliveries are those in which they may be.
	Deliveries []wire.Delivery

	// Claims are the features that the loop claims.
	Claims []protocol.Feature

	schedule *schedule
}

// NewGrammar returns the grammar of conversations that may be played under some profiles, in some
// deliveries, to a loop with these claims.
func NewGrammar(all []*profiles.Profile, deliveries []wire.Delivery, claims []protocol.Feature) *Grammar {
	g := &Grammar{Profiles: all, Deliveries: deliveries, Claims: claims}
	g.schedule = newSchedule(g.departures())
	return g
}

// Draw returns the conversation with a number of a seed. The same numbers always draw the same.
func (g *Grammar) Draw(seed uint64, number int) *Conversation {
	return g.conversation(seeded(seed, number), g.schedule.at(seed, number))
}

func (g *Grammar) claims(f protocol.Feature) bool { return slices.Contains(g.Claims, f) }

// streams reports whether the loop takes streams.
func (g *Grammar) streams() bool { return slices.ContainsFunc(g.Deliveries, wire.Delivery.Streams) }

// offers reports whether something holds of any profile.
func (g *Grammar) offers(holds func(*profiles.Profile) bool) bool {
	return slices.ContainsFunc(g.Profiles, holds)
}

// drawing is one conversation being drawn.
type drawing struct {
	numbers
	grammar *Grammar
	texts   int  // how many there are, so that no two are the same
	streams bool // it is delivered as streams alone

	// only says under which profiles the conversation is played; nil: under all that can say it.
	only func(*profiles.Profile) bool
}

func (g *Grammar) conversation(from numbers, departs kind) *Conversation {
	d := &drawing{numbers: from, grammar: g}
	c := &Conversation{}
	if d.chance(30, "system prompt") {
		c.System = d.pick("system prompt", systemPrompts)
	}
	d.streams = g.streams() && d.chance(25, "streams alone")
	prompts := 1
	if g.claims(protocol.MultiPrompt) && d.chance(40, "several prompts") {
		prompts = 2 + d.upTo(2, "further prompts")
	}
	for range prompts {
		d.ask(c)
	}
	if d.chance(15, "spare tool") {
		c.SpareTools = []string{toolbox[d.upTo(len(toolbox)-1, "spare tool")].Name}
	}
	if g.claims(protocol.Transcript) && d.chance(60, "format of the transcript") {
		formats := transcript.Names(false)
		c.Transcript = formats[d.one(len(formats), "format of the transcript")]
	}
	plain := c.clone()
	departs(d, c)
	if c.Profiles = d.profiles(c); len(c.Profiles) == 0 { // no provider says it
		c, d.only = plain, nil
		c.Profiles = d.profiles(c)
	}
	c.Deliveries = d.deliveries()
	return c
}

// ask adds a prompt.
func (d *drawing) ask(c *Conversation) { c.Prompts = append(c.Prompts, d.prompt(len(c.Prompts))) }

// prompt draws what the user says, and what comes of it.
func (d *drawing) prompt(i int) Prompt {
	p := Prompt{Text: d.promptText(i)}
	rounds := d.upTo(3, "rounds")
	if rounds == 0 && i == 0 && d.chance(80, "a round") {
		rounds = 1 // few rules are about loops that use no tool
	}
	for range rounds {
		p.Turns = append(p.Turns, d.round())
	}
	p.Turns = append(p.Turns, d.answer())
	return p
}

// round draws a turn that calls tools.
func (d *drawing) round() Turn {
	t := Turn{Calls: d.calls()}
	if d.chance(35, "text beside calls") {
		t.Step.Text = new(d.text("text beside calls"))
	}
	d.reason(&t.Step)
	return t
}

// answer draws the turn that ends a prompt.
func (d *drawing) answer() Turn {
	t := Turn{Step: scenarios.Step{Text: new(d.text("answer"))}}
	if d.chance(2, "long answer") {
		t.Step.Text = new(strings.Repeat(*t.Step.Text+" ", 5000))
	}
	d.reason(&t.Step)
	return t
}

// reason lets the model reason before it speaks.
func (d *drawing) reason(s *scenarios.Step) {
	if d.grammar.claims(protocol.Reasoning) && d.chance(25, "reasoning") {
		s.Reasoning = new(d.text("reasoning"))
	}
}

// calls draws the calls of a turn.
func (d *drawing) calls() []Call {
	n := 1
	if d.grammar.claims(protocol.ParallelCalls) && d.chance(40, "parallel calls") {
		n = 2 + d.upTo(3, "further calls")
	}
	calls := make([]Call, n)
	for i := range calls {
		calls[i] = d.call(n > 1)
	}
	return calls
}

// call draws a call and what its tool does. Of several calls in a turn some tools take longer than
// others.
func (d *drawing) call(several bool) Call {
	tool := &toolbox[d.upTo(len(toolbox)-1, "tool")]
	if d.chance(8, "bad call") {
		return d.badCall()
	}
	c := Call{Tool: tool.Name, Arguments: d.arguments(tool), Result: d.result()}
	if several && d.chance(30, "slow tool") {
		c.Result.After = slow
		if d.chance(15, "very slow tool") {
			c.Result.After = verySlow
		}
	}
	return c
}

// deliveries draws how the answers are delivered: as JSON, as an ordinary stream, and as an odder
// one.
func (d *drawing) deliveries() []wire.Delivery {
	var plain, odd []wire.Delivery
	for _, delivery := range d.grammar.Deliveries {
		if delivery == wire.DeliverJSON && d.streams {
			continue
		}
		if delivery.Ordinary() {
			plain = append(plain, delivery)
		} else {
			odd = append(odd, delivery)
		}
	}
	if len(odd) > 0 && (len(plain) == 0 || d.chance(60, "odd delivery")) {
		plain = append(plain, odd[d.one(len(odd), "odd delivery")])
	}
	return plain
}

// profiles draws a profile of each dialect in which the conversation can be said.
func (d *drawing) profiles(c *Conversation) []string {
	s := c.assemble()
	for _, p := range c.Prompts {
		s.Prompts = append(s.Prompts, p.Text) // as when it is read
	}
	s.KeepFacts() // which each profile is asked by
	var names []string
	for _, group := range byDialect(d.grammar.Profiles) {
		playable := slices.DeleteFunc(group, func(p *profiles.Profile) bool {
			s.Profiles = []string{p.Name} // some are only played by name
			return d.only != nil && !d.only(p) || d.only == nil && p.ByNameOnly || !s.Plays(p) || !mayWriteArguments(p, c)
		})
		if len(playable) > 0 {
			names = append(names, playable[d.one(len(playable), "profile")].Name)
		}
	}
	return names
}

// byDialect returns profiles in groups, the dialect's own provider first.
func byDialect(all []*profiles.Profile) [][]*profiles.Profile {
	var groups [][]*profiles.Profile
	for _, p := range all {
		i := slices.IndexFunc(groups, func(group []*profiles.Profile) bool { return group[0].Dialect == p.Dialect })
		switch {
		case i < 0:
			groups = append(groups, []*profiles.Profile{p})
		case p.Name == p.Speaks.Standard:
			groups[i] = slices.Insert(groups[i], 0, p)
		default:
			groups[i] = append(groups[i], p)
		}
	}
	return groups
}

// chance reports whether something happens that happens in so many of a hundred draws.
func (d *drawing) chance(percent int, what string) bool { return d.hundred(what) >= 100-percent }

// hundred draws a number below a hundred, each as often as the others; 0 is the plainest.
func (d *drawing) hundred(what string) int { return d.one(100, what) }

// one draws a number below n, each as often as the others.
func (d *drawing) one(n int, what string) int {
	for {
		drawn := 0
		for range bits.Len(uint(n - 1)) {
			drawn *= 2
			if d.flip(what) {
				drawn++
			}
		}
		if drawn < n {
			return drawn
		}
	}
}

// pick draws one of some words, the first ones more often.
func (d *drawing) pick(what string, words []string) string {
	return words[d.upTo(len(words)-1, what)]
}

// number returns a number that no other text of the conversation has.
func (d *drawing) number() int {
	d.texts++
	return d.texts
}

func (d *drawing) promptText(i int) string {
	return fmt.Sprintf(d.pick("prompt", prompts), i+1)
}

// textInEvents draws a text that a stream brings in more than three events.
func (d *drawing) textInEvents() *string {
	return new(d.text("long text") + " It goes on for a while, so that it comes in more than three events.")
}

// text draws a text of the model.
func (d *drawing) text(what string) string {
	return fmt.Sprintf(d.pick(what, texts), d.number())
}
