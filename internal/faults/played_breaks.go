package faults

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// goesOnBehindBreaks are loops that go wrong where the conversation continues after an answer that
// broke off, or after a turn with calls that was filtered.
var goesOnBehindBreaks = []Fault{
	{
		Name:    "failure/runs-calls-as-they-come",
		Does:    "Calls are run while the stream comes, also when it breaks off then and the turn is asked for again.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/commit/bbf53dc", "https://github.com/dyad-sh/dyad/pull/2853"},
		Breaks:  []string{"failure/broken-turn-not-run"},
		Make: func() Mutation {
			var begun []*neutral.Call
			return Mutation{
				Answer: func(a *Answer) {
					if begun = nil; a.Streamed && a.BrokeOff() {
						begun = a.Calls()
					}
				},
				Request: func(r *Request) {
					for _, c := range begun {
						i := slices.IndexFunc(r.Task.Tools, func(t protocol.Tool) bool { return t.Name == c.Name })
						if i >= 0 && json.Valid([]byte(c.Arguments)) {
							(&ToolRun{Name: c.Name, CallID: c.ID, URL: r.Task.Tools[i].URL, Arguments: c.Arguments, ctx: context.Background(), world: r.world}).post()
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
		Make: func() Mutation {
			half := ""
			return Mutation{
				Answer: func(a *Answer) {
					if half = ""; a.Streamed && a.BrokeOff() && !a.Failed() && len(a.Calls()) == 0 {
						half = a.Text()
					}
				},
				Request: func(r *Request) {
					if half != "" && !r.NextPrompt {
						r.Add(neutral.Says(neutral.Assistant, half))
					}
				},
			}
		},
	},
	{
		Name:    "finish/takes-a-filtered-text-for-the-answer",
		Does:    "A text that a filter cut is treated as a whole answer; calls in front of the filter are not run.",
		Reports: []string{"https://github.com/openai/openai-agents-python/issues/4188", "https://github.com/prism-php/prism/issues/633"},
		Breaks:  []string{"finish/content-filter-is-not-success", "finish/stopped-is-not-success"},
		Make: onAnswer(func(a *Answer) {
			if a.Finish() == neutral.Filter && len(a.Calls()) == 0 {
				a.SetFinish(neutral.Stop)
			}
		}),
	},
	{
		Name:    "finish/runs-calls-of-a-filtered-turn",
		Does:    "Of a turn that a filter cut off, the calls that came whole are run.",
		Reports: []string{"https://github.com/vercel/ai/pull/19066"},
		Breaks:  []string{"finish/truncated-turn-not-run"},
		Make: onAnswer(func(a *Answer) {
			if a.Finish() == neutral.Filter && len(a.Calls()) > 0 {
				a.SetFinish(neutral.Calls)
			}
		}),
	},
}
