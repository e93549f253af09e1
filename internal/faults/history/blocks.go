package history

import (
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// blocks are loops that lose parts of a turn, or their order.
var blocks = []hooks.Fault{
	{
		Name:    "history/drops-blocks-it-does-not-know",
		Does:    "Of a turn only text, reasoning and calls go back.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/64383"},
		Breaks:  []string{"history/unknown-blocks-come-back"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			m.Parts = hooks.KeepParts(m.Parts, func(p neutral.Part) bool { return !hooks.IsForeign(p, "") })
		}),
	},
	{
		Name:   "history/keeps-foreign-blocks-twice",
		Does:   "The use of a tool of the provider's goes back twice.",
		Breaks: []string{"history/unknown-blocks-come-back"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			var kept []neutral.Part
			for _, p := range m.Parts {
				if kept = append(kept, p); hooks.IsForeign(p, "server_tool_use") {
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
		Make:    hooks.OnRequest(func(r *hooks.Request) { r.Container = "" }),
	},
	{
		Name:    "history/gathers-the-reasoning",
		Does:    "All reasoning of a turn goes back in front of the rest, also what came between two calls.",
		Reports: []string{"https://github.com/TanStack/ai/issues/910"},
		Breaks:  []string{"history/blocks-in-their-order"},
		Make:    hooks.LastInTurns(func(p neutral.Part) bool { return !hooks.IsReasoning(p) }),
	},
	{
		Name:    "history/says-it-behind-the-calls",
		Does:    "The text of a turn goes back after its calls.",
		Reports: []string{"https://github.com/Zoo-Code-Org/Zoo-Code/pull/1705", "https://github.com/continuedev/continue/issues/11994"},
		Breaks:  []string{"history/blocks-in-their-order", "history/items-in-their-order"},
		Make:    hooks.LastInTurns(hooks.IsText),
	},
	{
		Name:   "history/trims-texts",
		Does:   "The texts of a turn go back without the white space at their ends.",
		Breaks: []string{"history/text-verbatim"},
		Make: hooks.EachTurn(func(m *neutral.Message) {
			for _, said := range neutral.Of[*neutral.Text](m.Parts) {
				said.Text = strings.TrimSpace(said.Text)
			}
		}),
	},
}
