package compaction_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

const (
	begins = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		runs lima
		`
	ends = `
		runs rome
		asks on
			calls rome
			result rome
		completed`

	// summarises asks for a summary and goes on with it.
	summarises = begins + askForSummary + `
		asks
			user: Summary: Oslo has been looked up.
			prompt 1
			calls lima
			result lima` + ends
	// slides drops the first round.
	slides = begins + `
		asks
			prompt 1
			calls lima
			result lima` + ends
	// overflows sends a request that is too long.
	overflows = begins + `
		asks
			prompt 1
			calls oslo
			result oslo
			calls lima
			result lima
		`
	// waits goes on once the provider has refused.
	waits = overflows + `
		asks
			prompt 1
			calls lima
			result lima` + ends

	askForSummary = `
		asks without tools
			user: Summarise what follows. user: Which city is warmest? result: 4 C`

	beforeRefusal = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		runs lima
		asks on
			calls lima
			result lima
		`
)

var coreCases = Cases{
	"compaction/conversation-goes-on": {
		Holds("by a summary", SmallContext, summarises),
		Holds("by a window", SmallContext, slides),
		Holds("after a refusal", SmallContext, waits),
		SeesNothing("no limit", ThreeRounds, "asks\nfailed: I give up"),
		SeesNothing("it was not outgrown", SmallContext, "asks\nfailed: I give up"),
		Breaks("the end at the refusal", SmallContext, overflows+"failed: 400",
			Found(3, "", "the conversation ended where its history was too long", "a history of less than 290 tokens, and a request that goes on with it", `the loop reported failed: "400"`)),
		Holds("what only the script refuses may end it", RefusedForLength, beforeRefusal+"failed: 400"),
	},
	"compaction/limit-kept": {
		Holds("by a summary", SmallContext, summarises),
		SeesNothing("it was not outgrown", SmallContext, "asks\nfailed: I give up"),
		Holds("the end at a refusal is for conversation-goes-on", SmallContext, overflows+"failed: 400"),
		Breaks("after a refusal", SmallContext, waits,
			Found(3, "", "the request is longer than the limit that the loop was told", "at most 290 tokens", "306 tokens")),
	},
	"compaction/shorter-after-refusal": {
		Holds("after a refusal", SmallContext, waits),
		Holds("the end", RefusedForLength, beforeRefusal+"failed: 400"),
		SeesNothing("nothing was refused", SmallContext, summarises),
		Breaks("the same again", RefusedForLength, beforeRefusal+`asks on
			completed`,
			Found(4, "", "request 3 was refused since it is too long, and the next one is no shorter", "less than 189 tokens", "189 tokens")),
	},
	"compaction/ends": {
		Holds("one summary", SmallContext, summarises),
		SeesNothing("none", SmallContext, slides),
		Breaks("eleven", SmallContext, begins+strings.Repeat(askForSummary, 11)+"failed: too slow",
			Found(13, "", "the loop asks for one summary after the other", "at most 10 requests for a summary in a row", "one more, and the conversation does not go on")),
	},
	"compaction/prompt-stays": {
		Holds("beside a summary", SmallContext, summarises),
		Holds("by a window", SmallContext, slides),
		SeesNothing("it was not outgrown", SmallContext, "asks\nfailed: I give up"),
		Breaks("dropped by a window", SmallContext, strings.Replace(slides, "prompt 1", "user: Go on.", 1),
			Found(3, "/messages", "the prompt that is being answered is not in the request", `"Which city is warmest?"`, "3 messages without it")),
		Breaks("in the summary alone", SmallContext, strings.Replace(summarises, "prompt 1", "user: Go on.", 1),
			Found(4, "/messages", "the prompt that is being answered is not in the request", `"Which city is warmest?"`, "4 messages without it").Only(trace.Should)),
	},
}
