package fuzzing

import (
	"math/rand/v2"
	"testing"
)

// TestReducedConversationsStayLawful: a conversation that only some provider has is not made
// smaller by giving it to another.
func TestReducedConversationsStayLawful(t *testing.T) {
	c := &Conversation{Profiles: []string{"vllm"}, Prompts: []Prompt{{Turns: []Turn{{Calls: []Call{{Tool: "get_time"}}}, {Calls: []Call{{Tool: "get_time"}}}, {}}}}}
	if len(atHome(c)) != 1 {
		t.Error("an ordinary conversation is not played under the dialect's own provider")
	}
	c.Prompts[0].Turns[1].Calls[0].RepeatsID = true
	if len(atHome(c)) != 0 {
		t.Error("the dialect's own provider repeats an id")
	}
}

// TestReducingEnds: no two changes take each other back, whatever a loop stumbles over.
func TestReducingEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 100 {
		c := &Conversation{Profiles: []string{"vllm"}, System: "Be brief.", Prompts: []Prompt{{Text: "What?", Turns: []Turn{
			{Calls: []Call{{Tool: "constructor", Arguments: `{ "url": "x" }`}, {Tool: "get_time", Arguments: "{ }"}}}, {},
		}}}}
		steps := 0
		for smaller := anyReduction(r, c); smaller != nil; smaller = anyReduction(r, c) {
			if c, steps = smaller, steps+1; steps > 100 {
				t.Fatalf("it does not end: %+v", c.Prompts[0].Turns[0])
			}
		}
	}
}

// anyReduction returns a conversation that is smaller than another one in some way, or nil.
func anyReduction(r *rand.Rand, c *Conversation) *Conversation {
	var all []*Conversation
	for _, reduce := range reductions {
		all = append(all, reduce(c)...)
	}
	if len(all) == 0 {
		return nil
	}
	return all[r.IntN(len(all))]
}
