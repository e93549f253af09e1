package failure

import (
	"encoding/json"
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// brokenOff are loops that go wrong where the conversation continues after an answer that
// broke off.
var brokenOff = []hooks.Fault{
	{
		Name:    "failure/runs-calls-as-they-come",
		Does:    "Calls are run while the stream comes, also when it breaks off then and the turn is asked for again.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/commit/bbf53dc", "https://github.com/dyad-sh/dyad/pull/2853"},
		Breaks:  []string{"failure/broken-turn-not-run"},
		Make: func() hooks.Mutation {
			var begun []*neutral.Call
			return hooks.Mutation{
				Answer: func(a *hooks.Answer) {
					if begun = nil; a.Streamed && a.BrokeOff() {
						begun = a.Calls()
					}
				},
				Request: func(r *hooks.Request) {
					for _, c := range begun {
						i := slices.IndexFunc(r.Task.Tools, func(t protocol.Tool) bool { return t.Name == c.Name })
						if i >= 0 && json.Valid([]byte(c.Arguments)) {
							r.RunTool(r.Task.Tools[i], c.ID, c.Arguments)
						}
					}
				},
			}
		},
	},
	{
		Name:    "failure/keeps-what-came-before-a-cut",
		Does:    "The text that had come when a stream was cut off stays in the history of the next attempt.",
		Reports: []string{"https://github.com/agentscope-ai/agentscope-java/issues/2478", "https://github.com/badlogic/pi-mono/pull/838"},
		Breaks:  []string{"failure/broken-turn-not-kept"},
		Make: func() hooks.Mutation {
			half := ""
			return hooks.Mutation{
				Answer: func(a *hooks.Answer) {
					if half = ""; a.Streamed && a.BrokeOff() && !a.Failed() && len(a.Calls()) == 0 {
						half = a.Text()
					}
				},
				Request: func(r *hooks.Request) {
					if half != "" && !r.NextPrompt {
						r.Add(neutral.Says(neutral.Assistant, half))
					}
				},
			}
		},
	},
}
