package faults

import (
	"maps"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// lastInTurns puts the parts of every turn into another order, those of a kind last.
func lastInTurns(last func(neutral.Part) bool) func() Mutation {
	return eachTurn(func(m *neutral.Message) {
		m.Parts = slices.Concat(keepParts(m.Parts, func(p neutral.Part) bool { return !last(p) }), keepParts(m.Parts, last))
	})
}

// isForeign reports whether the loop does not know a part, of a type where one is given.
func isForeign(p neutral.Part, kind string) bool {
	f, is := p.(*neutral.Foreign)
	return is && (kind == "" || neutral.Keys(f.Raw).Text("type") == kind)
}

// historyBlocks are loops that lose parts of a turn, or their order.
var historyBlocks = []Fault{
	{
		Name:    "history/drops-blocks-it-does-not-know",
		Does:    "Of a turn only text, reasoning and calls go back.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/64383"},
		Breaks:  []string{"history/unknown-blocks-come-back"},
		Make: eachTurn(func(m *neutral.Message) {
			m.Parts = keepParts(m.Parts, func(p neutral.Part) bool { return !isForeign(p, "") })
		}),
	},
	{
		Name:   "history/keeps-foreign-blocks-twice",
		Does:   "The use of a tool of the provider's goes back twice.",
		Breaks: []string{"history/unknown-blocks-come-back"},
		Make: eachTurn(func(m *neutral.Message) {
			var kept []neutral.Part
			for _, p := range m.Parts {
				if kept = append(kept, p); isForeign(p, "server_tool_use") {
					kept = append(kept, p)
				}
			}
			m.Parts = kept
		}),
	},
	{
		Name:    "history/forgets-the-container",
		Does:    "The container in which the provider's code waits is not named.",
		Reports: []string{"https://github.com/anthropics/anthropic-sdk-typescript/issues/1114", "https://github.com/anthropics/anthropic-sdk-python/pull/1150", "https://github.com/UKGovernmentBEIS/inspect_ai/pull/4603", "https://github.com/defog-ai/defog/issues/270"},
		Breaks:  []string{"history/container-named"},
		Make:    onRequest(func(r *Request) { r.Container = "" }),
	},
	{
		Name:    "history/gathers-the-reasoning",
		Does:    "All reasoning of a turn goes back in front of the rest, also what came between two calls.",
		Reports: []string{"https://github.com/TanStack/ai/issues/910"},
		Breaks:  []string{"history/blocks-in-their-order"},
		Make:    lastInTurns(func(p neutral.Part) bool { return !isReasoning(p) }),
	},
	{
		Name:    "history/says-it-behind-the-calls",
		Does:    "The text of a turn goes back after its calls.",
		Reports: []string{"https://github.com/Zoo-Code-Org/Zoo-Code/pull/1705", "https://github.com/continuedev/continue/issues/11994"},
		Breaks:  []string{"history/blocks-in-their-order", "history/items-in-their-order"},
		Make:    lastInTurns(isText),
	},
	{
		Name:   "history/trims-texts",
		Does:   "The texts of a turn go back without the white space at their ends.",
		Breaks: []string{"history/text-verbatim"},
		Make: eachTurn(func(m *neutral.Message) {
			for _, said := range neutral.Of[*neutral.Text](m.Parts) {
				said.Text = strings.TrimSpace(said.Text)
			}
		}),
	},
	{
		Name: "pairing/drops-results-of-earlier-uses",
		Does: "The result of a tool of the provider is dropped as an orphan, where its use is in an earlier turn.",

		Breaks: []string{"pairing/server-uses-have-results"},
		Make:   onRequest(withoutSplitResults),
	},
	{
		Name:    "pairing/drops-uses-without-a-result",
		Does:    "The use of a tool of the provider is dropped as unfinished, where its turn has calls, too, and no result for it.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/64383", "https://github.com/anthropics/claude-code/issues/95406"},
		Breaks:  []string{"pairing/server-results-have-uses"},
		Make: onRequest(func(r *Request) {
			r.Each(neutral.Assistant, func(m *neutral.Message) {
				if len(m.Calls()) > 0 && r.Container == "" && len(neutral.Of[*neutral.Foreign](m.Parts)) == 1 {
					m.Parts = keepParts(m.Parts, func(p neutral.Part) bool { return !isForeign(p, "server_tool_use") })
				}
			})
		}),
	},
}

// withoutSplitResults drops the results of tools of the provider whose use is in an earlier turn.
func withoutSplitResults(r *Request) {
	used := map[string]bool{}
	r.Each(neutral.Assistant, func(m *neutral.Message) {
		now := maps.Clone(used)
		m.Parts = keepParts(m.Parts, func(p neutral.Part) bool {
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
