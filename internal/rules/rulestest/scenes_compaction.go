package rulestest

import "strings"

var (
	// SmallContext is three rounds under a limit of tokens that has room for one of them.
	SmallContext = Scene(`
needs: [compaction]
context-limit: 290
summary: "Summary: Oslo has been looked up."
` + strings.ReplaceAll(strings.ReplaceAll(ThreeRounds.Scenario, "text: 4 C", `text: "4 C ", repeat: 60`), "text: 19 C", `text: "19 C ", repeat: 50`))
	// CompactedItems is three rounds in whose second answer the provider gives an item in place of
	// the history, and CompactedBlocks one of blocks.
	CompactedItems  = Scene(compacted).Under("openai-responses")
	CompactedBlocks = Scene(compacted).Under("anthropic")
	// RefusedForLength is [TwoRounds] with room for all, and the provider refuses the third request
	// for its length.
	RefusedForLength = Scene("needs: [compaction]\ncontext-limit: 2000\n" + strings.Replace(TwoRounds.Scenario, "  - text:", "  - too-long: true\n  - text:", 1))
)

var compacted = "needs: [server-compaction]\ncompact-threshold: 60000\n" + strings.Replace(ThreeRounds.Scenario, "  - calls: [{as: lima", "  - compaction: Oslo has 4 C.\n    calls: [{as: lima", 1)
