package faults

import (
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// pairingPlaces are loops that put results in the wrong place, or give calls ids of a wrong form.
var pairingPlaces = []Fault{
	{
		Name:    "pairing/writes-before-the-results",
		Does:    "A text of the user is in front of the tool results.",
		Reports: []string{"https://github.com/vercel/ai/issues/8318", "https://github.com/vercel/ai/pull/8474"},
		Breaks:  []string{"pairing/results-first"},
		Make: onRequest(func(r *Request) {
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
		Make: onRequest(func(r *Request) {
			r.Each(neutral.Tool, func(m *neutral.Message) { m.Role = neutral.Assistant })
		}),
	},
	{
		Name:    "pairing/dots-in-ids",
		Does:    "Calls go back under ids with a dot in them.",
		Reports: []string{"https://github.com/anomalyco/opencode/issues/1279"},
		Breaks:  []string{"pairing/ids-echoed", "pairing/ids-well-formed"},
		Make: onRequest(func(r *Request) {
			eachPart(r, func(c *neutral.Call) { c.ID = "call." + c.ID })
			eachPart(r, func(x *neutral.Result) { x.CallID = "call." + x.CallID })
		}),
	},
	{
		Name:    "pairing/sends-ids-of-another-provider",
		Does:    "A turn of another provider, with its ids, stays in the history.",
		Reports: []string{"https://github.com/anomalyco/opencode/issues/1279"},
		Breaks:  []string{"pairing/ids-well-formed"},
		Make: onRequest(func(r *Request) {
			if len(r.Tools) > 0 {
				const id = "functions.see:0"
				r.Begin(
					neutral.Says(neutral.User, "What did you see yesterday?"),
					neutral.Message{Role: neutral.Assistant, Parts: []neutral.Part{&neutral.Call{ID: id, Name: "get_weather", Arguments: "{}"}}},
					answering(&neutral.Result{CallID: id, Name: "get_weather", Text: "nothing"}),
				)
			}
		}),
	},
}

// spreadResults sends each result of a turn in a message of its own.
func spreadResults() Mutation {
	return eachRound(func(r *Round) {
		spread := []neutral.Message{r.Turn}
		for _, x := range r.Results {
			spread = append(spread, answering(x))
		}
		r.Become(spread...)
	})()
}
