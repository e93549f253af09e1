package rulestest

import "strings"

var (
	// Small is three rounds in a context in which there is room for one of them.
	Small = Scene(`
needs: [compaction]
context-limit: 290
summary: "Summary: Oslo has been looked up."
` + strings.ReplaceAll(strings.ReplaceAll(ThreeRounds.Scenario, "text: 4 C", `text: "4 C ", repeat: 60`), "text: 19 C", `text: "19 C ", repeat: 50`))
	// Denied is TwoRounds with room for all, and the provider refuses the third request for its
	// length.
	Denied = Scene("needs: [compaction]\ncontext-limit: 2000\n" + strings.Replace(TwoRounds.Scenario, "  - text:", "  - too-long: true\n  - text:", 1))
)
