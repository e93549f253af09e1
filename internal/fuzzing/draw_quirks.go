package fuzzing

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// quirks let the provider differ from its regular shape in every answer, in one way.
func (g *Grammar) quirks() (kinds []kind) {
	for _, name := range g.quirksFor(answersGoOn) {
		kinds = append(kinds, func(_ *drawing, c *Conversation) {
			for _, t := range c.turns() {
				if t.Step.Text != nil && *t.Step.Text != "" || len(t.Calls) > 0 {
					t.Step.Quirks = []string{name}
				}
			}
		})
	}
	return kinds
}

// quirksOfEndings let an answer end the conversation in an odd way, or an error come in an odd
// form.
func (g *Grammar) quirksOfEndings() (kinds []kind) {
	for _, name := range g.quirksFor(answerEnds) {
		kinds = append(kinds, func(d *drawing, c *Conversation) {
			*c.lastTurn() = Turn{Step: scenarios.Step{Text: new(d.text("odd ending")), Quirks: []string{name}, Times: forGood}}
		})
	}
	for _, name := range g.quirksFor(errorDiffers) {
		q, _ := profiles.QuirkNamed(g.Profiles, name)
		behind := q.Answer != nil // a loop that has read the finish reason of a good answer may read no further
		kinds = append(kinds, func(d *drawing, c *Conversation) {
			s := brokenText(d)
			at := d.place("finish")
			switch {
			case behind:
				at.Before = "done"
			case d.grammar.streams() && d.chance(60, "error after events"):
				at = d.place("some event")
			}
			s.InBandError = &scenarios.BandError{Break: *at}
			s.Quirks, s.Times = []string{name}, forGood
			*c.lastTurn() = Turn{Step: s}
		})
	}
	return kinds
}

// use is where a quirk shows.
type use int

const (
	answersGoOn  use = iota // in any answer, which says the same as without
	answerEnds              // in an answer with which the conversation ends
	errorDiffers            // in an error after the status 200
)

// quirksFor returns the quirks of the profiles that show in a place, and that some rule is about.
func (g *Grammar) quirksFor(place use) []string {
	var names []string
	for _, p := range g.Profiles {
		for _, shown := range p.Quirks {
			q, _ := p.Speaks.Quirk(shown.Name)
			if used, judged := useOf(p, q); judged && used == place && !slices.Contains(names, q.Name) {
				names = append(names, q.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// useOf returns where a quirk of a profile shows, and whether any rule is about it. One with rules
// of their own about how a run ends is shown at the end of a conversation; the others are compared
// with the same conversation without.
func useOf(p *profiles.Profile, q wire.Quirk) (place use, judged bool) {
	aboutFailures := false
	for _, r := range rulebook.Book() {
		if !r.IsAbout(q.Name) {
			continue
		}
		judged, aboutFailures = true, aboutFailures || r.Area() == "failure"
		if !r.ComparesQuirks() && (r.Area() == "finish" || r.Area() == "failure") {
			place = answerEnds
		}
	}
	if aboutFailures && !changesAnswers(p, q) { // others show where the profile says more, or in all that it says
		place = errorDiffers
	}
	return place, judged
}

// changesAnswers reports whether a quirk shows in an answer that is no error.
func changesAnswers(p *profiles.Profile, q wire.Quirk) bool {
	if q.Answer != nil {
		a := &wire.Answer{Text: "text", Finish: wire.FinishStop}
		q.Answer(a)
		return a.Finish != wire.FinishLength // what is cut off there is the beginning of an error
	}
	if q.Framing != nil {
		return true
	}
	reasoning := "thought"
	a := &wire.Answer{Text: "text", Finish: wire.FinishCalls, Calls: []wire.AnswerCall{{ID: "call_1", Name: "get_weather", Arguments: `{"city":"Oslo"}`}, {ID: "call_2", Name: "get_time", Arguments: "{}"}}}
	if p.Traits.Reasoning {
		a.Reasoning = &reasoning
	}
	reply := wire.Reply{ID: "id", Model: cmp.Or(p.Name, "m"), Created: 1, Usage: true}
	for _, said := range []*wire.Answer{a, {Text: "text", Finish: wire.FinishStop, Reasoning: a.Reasoning}} {
		events := append(p.Shape.Stream(said, reply), p.Shape.End()...)
		if q.Events == nil || !reflect.DeepEqual(q.Events(slices.Clone(events)), events) {
			return true
		}
	}
	return false
}
