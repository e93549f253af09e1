package fuzzing

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// everything is the grammar for a loop that claims all there is.
func everything() *Grammar {
	return NewGrammar(profiles.All(), wire.Deliveries(), protocol.Features())
}

// shrinking are numbers that become as small as they can be when a property does not hold.
type shrinking struct{ *rapid.T }

func (s shrinking) flip(what string) bool       { return rapid.Bool().Draw(s.T, what) }
func (s shrinking) upTo(n int, what string) int { return rapid.IntRange(0, n).Draw(s.T, what) }
func (s shrinking) integer(what string) int32   { return rapid.Int32().Draw(s.T, what) }

// TestDrawnConversationsAreScenarios: what is drawn passes all checks, says the same when it was
// written and read again, and is played somewhere.
func TestDrawnConversationsAreScenarios(t *testing.T) {
	g, v := everything(), rulebook.Vocabulary(profiles.Known{})
	rapid.Check(t, func(t *rapid.T) {
		c := g.conversation(shrinking{t}, g.schedule.at(0, rapid.IntRange(0, 10_000).Draw(t, "number")))
		s, err := c.Scenario("drawn", v)
		if err != nil {
			t.Fatal(err)
		}
		assembled := c.assemble()
		assembled.ID, assembled.Prompts = s.ID, s.Prompts
		if diff := cmp.Diff(assembled, s, cmpopts.IgnoreUnexported(scenarios.Scenario{}, scenarios.Step{}), byMeaning); diff != "" {
			t.Fatalf("it is another one when it was written and read again:\n%s", diff)
		}
		if len(c.Profiles) == 0 {
			t.Fatal("it is played nowhere")
		}
		for _, name := range c.Profiles {
			if p, err := profiles.Get(name); err != nil || !s.PlayedUnder(p) {
				t.Fatalf("it is not played under %s", name)
			}
		}
	})
}

// byMeaning compares JSON by its value, and takes a list without entries for none.
var byMeaning = cmp.Options{
	cmp.Comparer(func(a, b wire.Fields) bool { return wire.SameValue(wire.Parsed(a.JSON()), wire.Parsed(b.JSON())) }),
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().Type() != reflect.TypeFor[wire.Fields]() }, cmpopts.EquateEmpty()),
}

// TestDrawIsRepeatable: a number of a seed always draws the same, and others draw others.
func TestDrawIsRepeatable(t *testing.T) {
	g := everything()
	titles := map[string]bool{}
	for number := range 20 {
		c := g.Draw(41, number)
		if diff := cmp.Diff(c, g.Draw(41, number), cmpopts.IgnoreUnexported(scenarios.Step{})); diff != "" {
			t.Fatalf("conversation %d is another one when it is drawn again:\n%s", number, diff)
		}
		titles[c.Title()+c.Prompts[0].Text] = true
	}
	if len(titles) < 5 {
		t.Errorf("20 conversations are of %d kinds only", len(titles))
	}
}

// TestEveryKindFitsThePlainestConversation: each way to depart from the plain conversation makes a
// scenario of one with a single turn, too.
func TestEveryKindFitsThePlainestConversation(t *testing.T) {
	g, v := everything(), rulebook.Vocabulary(profiles.Known{})
	for i, departs := range g.departures() {
		for j, kind := range departs.kinds {
			d := &drawing{numbers: seeded(0, j), grammar: g}
			c := &Conversation{Prompts: []Prompt{{Text: "Question 1.", Turns: []Turn{d.answer()}}}}
			kind(d, c)
			c.Profiles, c.Deliveries = d.profiles(c), d.deliveries()
			if _, err := c.Scenario("plainest", v); err != nil && len(c.Profiles) > 0 {
				t.Errorf("kind %d of departure %d: %v", j, i, err)
			}
		}
	}
}

// TestArgumentsThatNobodyWrites: blank and null arguments are drawn only where servers were seen to
// write them.
func TestArgumentsThatNobodyWrites(t *testing.T) {
	for _, p := range profiles.All() {
		for arguments, want := range map[string]bool{"": p.Abilities&wire.BlankCalls != 0, "null": p.Abilities&wire.NullCalls != 0, "{}": true} {
			c := &Conversation{Prompts: []Prompt{{Turns: []Turn{{Calls: []Call{{Tool: "get_time", Arguments: arguments}}}}}}}
			if got := mayWriteArguments(p, c); got != want {
				t.Errorf("%s, %q: %v, want %v", p.Name, arguments, got, want)
			}
		}
	}
}

// notDrawn are features for which no conversation is drawn: what they say is judged in all, is of the
// provider's own tools, whose turns are drawn for every loop, is a delivery, or is played by scenarios
// alone, as code of the provider that goes on over several turns.
var notDrawn = []protocol.Feature{protocol.UsageCounts, protocol.Events, protocol.Executions, protocol.ServerTools, protocol.Sockets, protocol.ProgrammaticTools}

// TestAllIsDrawn: for every feature something is drawn that needs it, and everything that the grammar
// has is drawn soon.
func TestAllIsDrawn(t *testing.T) {
	g, seen := everything(), newCoverage()
	for number := range 1500 {
		seen.count(g.Draw(41, number))
	}
	for _, f := range protocol.Features() {
		needed := slices.ContainsFunc(productions, func(p production) bool { return p.needs == f })
		if needed == slices.Contains(notDrawn, f) {
			t.Errorf("%s: it is needed by what is drawn: %t", f, needed)
		}
	}
	for name, times := range seen.Productions {
		if times == 0 {
			t.Errorf("%s: it is not drawn", name)
		}
	}
}
