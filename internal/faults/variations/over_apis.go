package variations

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// The reference loop sends a model of another provider the texts, the calls under their ids, and the
// results, and leaves the reasoning.
var anotherAPI = []hooks.Variation{
	{
		Name:    "models/ids-made-anew",
		Does:    "A model in another wire API is sent the calls before under ids of the loop's own.",
		Sources: []string{"https://github.com/huggingface/tau/pull/557 (ids are translated for the provider that is asked)", "https://github.com/earendil-works/pi/blob/main/packages/ai/src/api/transform-messages.ts"},
		With:    []protocol.Feature{protocol.SecondAPI},
		Make: ofAnotherAPI(func(r *hooks.Request, i int) {
			for _, c := range r.Messages[i].Calls() {
				made := fmt.Sprintf("call_%d_%s", i, c.Name)
				for _, m := range r.Messages {
					for _, result := range m.Results() {
						if result.CallID == c.ID {
							result.CallID = made + result.CallID[len(result.CallID)-2:]
						}
					}
				}
				c.ID = made + c.ID[len(c.ID)-2:]
			}
		}),
	},
	{
		Name:    "models/calls-told-in-words",
		Does:    "A model in another wire API is told in texts which tools were called before, and what they returned.",
		Sources: []string{"https://github.com/diegosouzapw/OmniRoute/pull/9448 (a call that the other provider takes in no form of its own becomes a text with its result)"},
		With:    []protocol.Feature{protocol.SecondAPI},
		Make: ofAnotherAPI(func(r *hooks.Request, i int) {
			calls := r.Messages[i].Calls()
			for n, p := range r.Messages[i].Parts {
				if c, is := p.(*neutral.Call); is {
					r.Messages[i].Parts[n] = &neutral.Text{Text: fmt.Sprintf("[called %s with %s]", c.Name, c.Arguments)}
				}
			}
			for j, m := range r.Messages {
				for n, p := range m.Parts {
					result, is := p.(*neutral.Result)
					if is && slices.ContainsFunc(calls, func(c *neutral.Call) bool { return c.ID == result.CallID }) {
						r.Messages[j].Role = neutral.User
						m.Parts[n] = &neutral.Text{Text: fmt.Sprintf("[%s returned: %s]", result.Name, result.Text)}
					}
				}
			}
		}),
	},
	{
		Name:      "models/words-of-reasoning-go-along",
		Does:      "A model in another wire API is told in a text what the first one thought, where that can be read.",
		Sources:   []string{"https://github.com/earendil-works/pi/blob/main/packages/ai/src/api/transform-messages.ts (thinking of another model becomes a text)", "https://github.com/openai/codex/issues/17541 (summaries in plain text are kept, what is encrypted is not)"},
		Unless:    neutral.PlainReasoning,
		Elsewhere: "The first model shows no reasoning.",
		With:      []protocol.Feature{protocol.SecondAPI},
		Make: hooks.OnLoop(func(l *refloop.Loop) {
			l.OfAnotherAPI = func(task protocol.Task, m neutral.Message) neutral.Message {
				sent := refloop.DialectOf(task).Adopt(m)
				for _, r := range m.Reasoning() {
					if r.Text != "" {
						sent.Parts = slices.Insert(sent.Parts, 0, neutral.Part(&neutral.Text{Text: r.Text}))
					}
				}
				return sent
			}
		}),
	},
}

// ofAnotherAPI changes a request to a model at each turn that was said in another wire API.
func ofAnotherAPI(change func(r *hooks.Request, i int)) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) {
		second := r.Task.SecondAPI
		if second == nil {
			return
		}
		for i, m := range r.Messages {
			if m.Model != "" && (m.Model == second.Model) != (r.Model == second.Model) {
				change(r, i)
			}
		}
	})
}
