package pairing

import (
	"maps"
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// places are loops that put results in the wrong place, or give calls ids of a wrong form.
var places = []hooks.Fault{
	{
		Name:    "pairing/writes-before-the-results",
		Does:    "A text of the user is in front of the tool results.",
		Reports: []string{"https://github.com/vercel/ai/issues/8318", "https://github.com/vercel/ai/pull/8474"},
		Breaks:  []string{"pairing/results-first"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			r.Each(neutral.Tool, func(m *neutral.Message) {
				m.Parts = slices.Insert(m.Parts, 0, neutral.Part(&neutral.Text{Text: "These are the results."}))
			})
		}),
	},
	{
		Name: "pairing/spreads-results-over-messages",
		Does: "Each result of a turn is sent in a message of its own.",
		Reports: []string{
			"https://github.com/langchain-ai/langchainjs/pull/7386", "https://github.com/MoonshotAI/kosong/issues/45", "https://github.com/MoonshotAI/kimi-cli/issues/1975",
		},
		Breaks: []string{"pairing/results-in-one-message"},
		Make:   spreadResults,
	},
	{
		Name:   "pairing/answers-in-the-models-name",
		Does:   "Tool results are sent as a message of the assistant.",
		Breaks: []string{"pairing/blocks-in-their-roles"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			r.Each(neutral.Tool, func(m *neutral.Message) { m.Role = neutral.Assistant })
		}),
	},
	{
		Name:    "pairing/dots-in-ids",
		Does:    "Calls go back under ids with a dot in them.",
		Reports: []string{"https://github.com/anomalyco/opencode/issues/1279"},
		Breaks:  []string{"pairing/ids-echoed", "pairing/ids-well-formed"},
		InTurns: []string{"pairing/ids-echoed"}, // Bedrock takes dots
		Make: hooks.OnRequest(func(r *hooks.Request) {
			hooks.EachPart(r, func(c *neutral.Call) { c.ID = "call." + c.ID })
			hooks.EachPart(r, func(x *neutral.Result) { x.CallID = "call." + x.CallID })
		}),
	},
	{
		Name:      "pairing/sends-ids-of-another-provider",
		Does:      "A turn of another provider, with its ids, stays in the history.",
		Reports:   []string{"https://github.com/anomalyco/opencode/issues/1279"},
		Unless:    neutral.AWSFrames,
		Elsewhere: "Bedrock takes ids with dots and colons.",
		Breaks:    []string{"pairing/ids-well-formed"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if len(r.Tools) > 0 {
				const id = "functions.see:0"
				r.Begin(
					neutral.Says(neutral.User, "What did you see yesterday?"),
					neutral.Message{Role: neutral.Assistant, Parts: []neutral.Part{&neutral.Call{ID: id, Name: "get_weather", Arguments: "{}"}}},
					hooks.Answering(&neutral.Result{CallID: id, Name: "get_weather", Text: "nothing"}),
				)
			}
		}),
	},
	{
		Name: "pairing/drops-results-of-earlier-uses",
		Does: "The result of a tool of the provider is dropped as an orphan, where its use is in an earlier turn.",

		Breaks: []string{"pairing/server-uses-have-results"},
		Make:   hooks.OnRequest(withoutSplitResults),
	},
	{
		Name:    "pairing/drops-uses-without-a-result",
		Does:    "The use of a tool of the provider is dropped as unfinished, where its turn has calls, too, and no result for it.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/64383", "https://github.com/anthropics/claude-code/issues/95406"},
		Breaks:  []string{"pairing/server-results-have-uses"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			r.Each(neutral.Assistant, func(m *neutral.Message) {
				if len(m.Calls()) > 0 && r.Container == "" && len(neutral.Of[*neutral.Foreign](m.Parts)) == 1 {
					m.Parts = hooks.KeepParts(m.Parts, func(p neutral.Part) bool { return !hooks.IsForeign(p, "server_tool_use") })
				}
			})
		}),
	},
}

// spreadResults sends each result of a turn in a message of its own.
func spreadResults() hooks.Mutation {
	return hooks.EachRound(func(r *hooks.Round) {
		spread := []neutral.Message{r.Turn}
		for _, x := range r.Results {
			spread = append(spread, hooks.Answering(x))
		}
		r.Become(spread...)
	})()
}

// withoutSplitResults drops the results of tools of the provider whose use is in an earlier turn.
func withoutSplitResults(r *hooks.Request) {
	used := map[string]bool{}
	r.Each(neutral.Assistant, func(m *neutral.Message) {
		now := maps.Clone(used)
		m.Parts = hooks.KeepParts(m.Parts, func(p neutral.Part) bool {
			f, is := p.(*neutral.Foreign)
			if !is {
				return true
			}
			keys := neutral.Keys(f.Raw)
			used[keys.Text("id")] = true
			result := keys.Text("tool_use_id")
			return result == "" || !now[result]
		})
	})
}
