package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var reasoningThinkingCases = Cases{
	"reasoning/thinking-first": {
		Holds("first", Thoughtful, OneCityDone),
		SeesNothing("no reasoning", BlockCity, OneCityDone),
		Breaks("after the call", Thoughtful, SecondRequest(`{"role":"assistant","content":[`+OsloUse+`,{{blocks 1}}]}
			results oslo`),
			Found(2, "/messages/1/content/0", "a message with reasoning begins with something else", "the reasoning first", OsloUse)),
	},
	"reasoning/not-at-the-end": {
		Holds("in the middle", Thoughtful, OneCityDone),
		SeesNothing("no reasoning", BlockCity, OneCityDone),
		Breaks("what was left of a broken turn", Thoughtful, `
			asks
				prompt 1
				{"role":"assistant","content":[{"type":"thinking","thinking":"I","signature":"s"}]}`,
			Found(1, "/messages/1/content/0", "the request ends with reasoning", "text or calls after it, or no such message", `{"type":"thinking","thinking":"I","signature":"s"}`)),
	},
	"reasoning/switch-stays": {
		Holds("on", Thoughtful, OneCityDone),
		SeesNothing("off all the time", Thoughtful, `
			asks without thinking
			runs oslo
			asks on without thinking
				`+CalledOslo+`
				results oslo
			completed`),
		Breaks("turned off for the results", Thoughtful, `
			asks
			runs oslo
			asks on without thinking
				calls oslo
				results oslo
			completed`,
			Found(2, "/thinking", "thinking was switched in the middle of a turn", `{"type":"adaptive"}`, "nothing")),
	},
}
