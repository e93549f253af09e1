package history

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// added are loops that add made-up or repeated texts to the history.
var added = []hooks.Fault{
	{
		Name:    "history/keeps-turns-twice",
		Does:    "Each turn goes back twice, with its results.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/20901"},
		Breaks:  []string{"history/turns-once"},
		ByName:  []string{"history/turns-once", "execution/result-reaches-the-model"},
		InItems: []string{"history/turns-once", "egress/item-ids-distinct"},
		Make:    hooks.EachRound(func(r *hooks.Round) { r.Become(append(r.Messages(), r.Messages()...)...) }),
	},
	{
		Name:    "history/keeps-answers-twice",
		Does:    "When the user goes on, each answer occurs twice in the history.",
		Reports: []string{"https://github.com/neuron-core/neuron-ai/issues/39"},
		Breaks:  []string{"history/turns-once", "egress/roles-take-turns"},
		InItems: []string{"history/text-once", "egress/item-ids-distinct"},
		InParts: []string{"history/text-once"},
		ByName:  []string{"history/turns-once"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			var messages []neutral.Message
			for _, m := range r.Messages {
				messages = append(messages, m)
				if m.Role == neutral.Assistant && m.Text() != "" && len(m.Calls()) == 0 {
					messages = append(messages, m)
				}
			}
			r.Messages = messages
		}),
	},
	{
		Name:   "history/adds-a-call",
		Does:   "Each turn with calls goes back with one more, and a result for it: what the loop did by itself.",
		Breaks: []string{"history/no-call-added"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			id := r.Calls()[0].ID + "x"
			r.Turn.Parts = append(r.Turn.Parts, &neutral.Call{ID: id, Name: "get_weather", Arguments: `{"city":"Nowhere"}`})
			r.Results = append(r.Results, &neutral.Result{CallID: id, Name: "get_weather", Text: "done"})
		}),
	},
	{
		Name:   "history/sends-calls-backwards",
		Does:   "The calls of a turn go back in reverse, and their results with them.",
		Breaks: []string{"history/calls-in-their-order"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			calls := r.Calls()
			slices.Reverse(calls)
			for i, p := range r.Turn.Parts {
				if hooks.IsCall(p) {
					r.Turn.Parts[i], calls = calls[0], calls[1:]
				}
			}
			slices.Reverse(r.Results)
		}),
	},
	{
		Name:    "history/doubles-texts",
		Does:    "The text of a turn with calls goes back twice in a row.",
		Reports: []string{"https://github.com/agentscope-ai/agentscope-java/issues/2478"},
		Breaks:  []string{"history/text-once"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			for _, said := range neutral.Of[*neutral.Text](r.Turn.Parts) {
				said.Text += said.Text
			}
		}),
	},
	{
		Name:    "history/says-that-there-is-no-content",
		Does:    "A turn that only called tools goes back with the words (no content).",
		Reports: []string{"https://github.com/UKGovernmentBEIS/inspect_ai/pull/1196"},
		Breaks:  []string{"history/no-text-added"},
		InTurns: []string{"history/no-text-added", "egress/turns-of-one-kind"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			if r.Turn.Text() == "" {
				at := slices.IndexFunc(r.Turn.Parts, hooks.IsCall)
				r.Turn.Parts = slices.Insert(r.Turn.Parts, at, neutral.Part(&neutral.Text{Text: "(no content)"}))
			}
		}),
	},
	{
		Name: "history/repeats-the-prompt",
		Does: "After the results of each turn the user asks the same again.",
		Reports: []string{
			"https://github.com/Mirascope/mirascope/issues/1166", "https://github.com/microsoft/agent-framework/issues/3657",
			"https://github.com/google-gemini/gemini-cli/issues/10809", "https://github.com/sociotechnica-org/lifebuild/pull/238",
		},
		Breaks:  []string{"history/prompts-once", "pairing/server-uses-have-results"}, // the provider takes the turn for over
		InTurns: []string{"history/prompts-once", "egress/turns-of-one-kind"},
		Make:    hooks.OnRequest(func(r *hooks.Request) { hooks.BehindResults(r, neutral.Says(neutral.User, r.Task.Prompts[0])) }),
	},
	{
		Name:    "history/urges-the-model-on",
		Does:    "After the results of each turn the user says: go on.",
		Breaks:  []string{"history/nothing-said-for-the-user", "pairing/server-uses-have-results"}, // the provider takes the turn for over
		InTurns: []string{"history/nothing-said-for-the-user", "egress/turns-of-one-kind"},
		Make:    hooks.OnRequest(func(r *hooks.Request) { hooks.BehindResults(r, neutral.Says(neutral.User, "Go on.")) }),
	},
	{
		Name:    "history/keeps-a-failed-prompt-twice",
		Does:    "A prompt that failed occurs twice in the history of the next one: each attempt has added it.",
		Reports: []string{"https://github.com/HKUDS/nanobot/issues/4079", "https://github.com/RooCodeInc/Roo-Code/pull/9249"},
		Breaks:  []string{"history/prompts-once"},
		Make: hooks.BehindFailures(func(parts [][]neutral.Message, failed int) [][]neutral.Message {
			parts[failed] = append(slices.Clone(parts[failed][:1]), parts[failed]...)
			return parts
		}),
	},
}
