package fuzzing

import (
	"cmp"
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// Coverage is how often what the grammar can draw was played.
type Coverage struct {
	// Productions are the conversations that have each production of the grammar; Profiles and
	// Deliveries are the cases.
	Productions, Profiles, Deliveries map[string]int
}

func newCoverage() Coverage {
	c := Coverage{Productions: map[string]int{}, Profiles: map[string]int{}, Deliveries: map[string]int{}}
	for _, p := range productions {
		c.Productions[p.name] = 0
	}
	return c
}

// Counted is how often something was played.
type Counted struct {
	Name  string
	Times int
}

// Sorted returns counts, the highest first.
func Sorted(counts map[string]int) []Counted {
	var all []Counted
	for name, n := range counts {
		all = append(all, Counted{name, n})
	}
	slices.SortFunc(all, func(a, b Counted) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Name, b.Name))
	})
	return all
}

func (c Coverage) count(drawn *Conversation) {
	for _, p := range productions {
		if p.in(drawn) {
			c.Productions[p.name]++
		}
	}
}

func (c Coverage) countCase(played ended) {
	c.Profiles[played.profile]++
	c.Deliveries[string(played.delivery)]++
}

// inTurn, inCall and inStep return whether something holds of any turn, call or step of a
// conversation.
func inTurn(holds func(*Turn) bool) func(*Conversation) bool {
	return func(c *Conversation) bool { return slices.ContainsFunc(c.turns(), holds) }
}

func inCall(holds func(*Call) bool) func(*Conversation) bool {
	return inTurn(func(t *Turn) bool {
		return slices.ContainsFunc(t.Calls, func(c Call) bool { return holds(&c) })
	})
}

// ofCall returns whether something holds of any call, which depends on the conversation.
func ofCall(holds func(*Conversation, *Call) bool) func(*Conversation) bool {
	return func(c *Conversation) bool {
		return inCall(func(call *Call) bool { return holds(c, call) })(c)
	}
}

func inStep(holds func(*scenarios.Step) bool) func(*Conversation) bool {
	return inTurn(func(t *Turn) bool { return holds(&t.Step) })
}

// inFailure returns whether something holds of any failed attempt of a conversation.
func inFailure(holds func(*scenarios.Step) bool) func(*Conversation) bool {
	return inTurn(func(t *Turn) bool {
		return slices.ContainsFunc(t.Failures, func(s scenarios.Step) bool { return holds(&s) })
	})
}

// bad reports whether a call cannot be run as it is.
func (c *Call) bad() bool {
	tool := toolNamed(c.Tool)
	return tool == nil || (&scenarios.Scenario{Tools: []scenarios.Tool{*tool}}).Trouble(wire.AnswerCall{Name: c.Tool, Arguments: c.Arguments}) != scenarios.NoTrouble
}
