package fuzzing

import "testing"

// TestReducedConversationsStayLawful: a conversation that only some provider has is not made smaller by giving it to another.
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
