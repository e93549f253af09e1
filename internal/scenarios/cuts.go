package scenarios

import (
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// cutsEverywhere reports whether a step is cut at one place after the other.
func (s *Step) cutsEverywhere() bool { return s.Cut != nil && s.Cut.After.Each }

// Cuts returns at how many places the stream of a scenario is cut under a profile, each in a run of
// its own: before the first event, in the middle of each up to the one with the finish reason, and
// after each before that. It is 0 for a scenario that does not ask for it.
func (s *Scenario) Cuts(p *profiles.Profile) int {
	if !s.Facts().CutAtEach {
		return 0
	}
	for _, turn := range Compile(s, p, "").Turns {
		if turn.Step.cutsEverywhere() {
			return 2 * (countEvents(beforeFinish.Keep(p.Shape.Stream(turn.Answer, wire.Reply{}))) + 1)
		}
	}
	return 0
}

var beforeFinish = Break{Before: "finish"}

func countEvents(events []wire.Event) (n int) {
	for _, e := range events {
		if e.Data != nil {
			n++
		}
	}
	return n
}

// CutAt returns the script with its stream cut at a place, from 1, for scenarios that have a case
// for each place. 0 is the place before the finish reason.
func (s *Script) CutAt(place int) *Script {
	for _, turn := range s.Turns {
		turn.cut = place
	}
	return s
}

// CutOff returns what arrives of the stream of a turn that is cut, and whether the last event of it
// is torn. However few events the stream has, the finish reason does not come where each place is
// cut.
func (t *Turn) CutOff(events []wire.Event) (kept []wire.Event, torn bool) {
	if !t.Step.cutsEverywhere() {
		return t.Step.Cut.Keep(events), false
	}
	if t.cut == 0 {
		return beforeFinish.Keep(events), false
	}
	kept = firstOf(events, t.cut/2)
	finish := slices.IndexFunc(kept, func(e wire.Event) bool { return e.Finish })
	if finish >= 0 {
		return kept[:finish+1], true
	}
	return kept, t.cut%2 == 0
}

// cuts checks a step that is cut at each place. There is at most one in a scenario, which is played
// as a stream alone.
func (c *checker) cuts() {
	known := false
	for i, step := range c.s.Model {
		if !step.cutsEverywhere() {
			continue
		}
		here := at("model", i) + "/cut"
		if known {
			c.fail(here, "a scenario has one step that is cut after each event")
			continue
		}
		known = true
		c.expect(c.streamedAlone(), here, "only a stream is cut after each event: the scenario needs %s, and deliveries such as [sse]", protocol.Streaming)
		c.expect(len(step.Quirks) == 0, here, "a step that is cut after each event shows no quirks")
	}
}

// streamedAlone reports whether a scenario is played as a stream alone.
func (c *checker) streamedAlone() bool {
	return c.needs(protocol.Streaming) && len(c.s.Deliveries) > 0 && !slices.ContainsFunc(c.s.Deliveries, func(pattern string) bool {
		whole, _ := doublestar.Match(pattern, string(wire.DeliverJSON))
		return whole
	})
}
