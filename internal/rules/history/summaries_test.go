package history_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

const (
	firstPrompt = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		`
	twoRounds = firstPrompt + `
		runs lima
		`
	askForSummary = `
		asks without tools
			user: Summarise what follows. user: Which city is warmest? result: 4 C`
	summarised = twoRounds + askForSummary + `
		asks
			user: Summary: Oslo has been looked up.
			prompt 1
			calls lima
			result lima
		runs rome
		asks on
			calls rome
			result rome
		completed`
)

var summaryCases = Cases{
	"history/summary-as-claimed": {
		Holds("the whole history", TwoPrompts, TwoPromptsDone),
		SeesNothing("a task with a limit", SmallContext, summarised),
		SeesNothing("one request", TwoRounds, "asks\nfailed: I give up"),
		Holds("a last word", TwoPrompts, firstPrompt+`
			asks without tools
				prompt 1
				user: Give your answer now.
			completed`),
		Holds("a plan, and the history as it was", TwoPrompts, firstPrompt+`
			asks without tools
				user: Make a plan.
			asks
				prompt 1
				calls oslo
				result oslo
				prompt 2
			completed`),
		Breaks("a summary in the place of a prompt", TwoPrompts, firstPrompt+`
			asks without tools
				user: Summarise what was said.
			asks
				user: Summary: it is cold.
				prompt 2
			completed`,
			Found(3, "/messages", "this loop compacts, in a task without a limit of tokens: claim compaction",
				"compaction among the features of the loop, and a history that it only makes shorter near the context_limit of its task; without one, the whole history",
				"request 3 asks the model for a summary, and request 4 goes on without what was said before")),
		Breaks("a summary in the place of turns", ThreeRounds, summarised,
			Found(3, "/messages", "this loop compacts, in a task without a limit of tokens: claim compaction",
				"compaction among the features of the loop, and a history that it only makes shorter near the context_limit of its task; without one, the whole history",
				"request 3 asks the model for a summary, and request 4 goes on without what was said before")),
		Breaks("a summary, and nothing after it", ThreeRounds, twoRounds+askForSummary+"failed: no summary",
			Found(3, "/messages", "this loop compacts, in a task without a limit of tokens: claim compaction",
				"compaction among the features of the loop, and a history that it only makes shorter near the context_limit of its task; without one, the whole history",
				"request 3 asks the model for a summary, and the run ends there")),
		Holds("a summary after a refusal, and nothing after it", Overflowing, twoRounds+`
		asks on
			calls lima
			result lima
		`+askForSummary+"failed: too long"),
		Holds("a question about nothing that was said, and nothing after it", ThreeRounds, twoRounds+`
			asks without tools
				user: Is there more to do?
			failed: no answer`),
	},
}
