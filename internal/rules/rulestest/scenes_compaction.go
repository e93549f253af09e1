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
	// LongPrompts is two prompts, the first of which ends with an answer that had too many tokens for a
	// provider of blocks, and LongRounds is three rounds whose first answer had.
	LongPrompts = Scene("needs: [server-compaction, multi-prompt]\ncompact-threshold: 60000\n" + strings.Replace(TwoPrompts.Scenario, "Oslo.\n", "Oslo.\n    usage: {input: 61000, output: 9}\n", 1)).Under("anthropic")
	LongRounds  = Scene("needs: [server-compaction]\ncompact-threshold: 60000\n" + strings.Replace(ThreeRounds.Scenario, "\n  - calls: [{as: lima", "\n    usage: {input: 61000, output: 9}\n  - calls: [{as: lima", 1)).Under("openai-responses")
	// RefusedForLength is [TwoRounds] with room for all, and the provider refuses the third request
	// for its length.
	RefusedForLength = Scene("needs: [compaction]\ncontext-limit: 2000\n" + strings.Replace(TwoRounds.Scenario, "  - text:", "  - too-long: true\n  - text:", 1))
)

var compacted = "needs: [server-compaction]\ncompact-threshold: 60000\n" + strings.Replace(ThreeRounds.Scenario, "  - calls: [{as: lima", "  - compaction: Oslo has 4 C.\n    calls: [{as: lima", 1)
