package messagesrules_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var finishPauseCases = Cases{
	"finish/pause-is-continued": {
		Holds("sent back as it is", halting, `
			asks
			runs oslo
			asks on
				calls oslo
				results oslo
			asks on
				{{message 2}}
			completed`),
		SeesNothing("nothing paused", BlockCity, OneCityDone),
		SeesNothing("the loop gave up and says so", halting, AfterRound("stopped: it paused")),
		Breaks("treated as the answer", halting, AfterRound("completed: One moment."),
			Found(2, "", "a turn that paused was reported as the answer", "the turn goes back, and the provider goes on", "the loop reported completed")),
		Breaks("urged on by the user", halting, `
			asks
			runs oslo
			asks on
				calls oslo
				results oslo
			asks on
				{{message 2}}
				user: Go on.
			completed`,
			Found(3, "/messages/4", "after a turn that paused the request does not end with that turn", "the turn as the last message", `{"role":"user","content":"Go on."}`)),
	},
	"finish/compaction-is-continued": {
		Holds("the request goes on", CompactedBlocks, pausing(`
			asks on with {{pausing}}
				{"role":"assistant","content":[{"type":"compaction","content":"Oslo has 4 C."}]}
			stopped: it is late`)),
		Holds("behind the newest messages once more", CompactedBlocks, pausing(`
			asks with {{pausing}}
				{"role":"assistant","content":[{"type":"compaction","content":"Oslo has 4 C."}]}
				prompt 1
			stopped: it is late`)),
		SeesNothing("nothing paused", BlockCity, OneCityDone),
		SeesNothing("the loop gave up and says so", CompactedBlocks, pausing("stopped: it paused")),
		Breaks("treated as the answer", CompactedBlocks, pausing("completed: Oslo has 4 C."),
			Found(2, "", "an answer that is a summary alone was reported as the answer", "the request goes on behind the summary", "the loop reported completed")),
	},
	"finish/full-window-is-not-success": {
		Holds("stopped", fullWindow, AfterRound("stopped: the window is full")),
		Holds("completed, with the reason", fullWindow, AfterRound("completed (model_context_window_exceeded): It is")),
		SeesNothing("a whole answer", BlockCity, OneCityDone),
		Breaks("completed", fullWindow, AfterRound("completed: It is 4 C in Oslo, and"),
			Found(2, "", `an answer that ended with stop_reason: "model_context_window_exceeded" was reported as completed`, `an outcome with the status stopped or failed, or with "model_context_window_exceeded" as its finish reason`, `status completed with the text "It is 4 C in Oslo, and"`)),
	},
}

// pausing is a run that asks for a pause behind the summary, up to that and on.
func pausing(then string) string {
	return strings.ReplaceAll(`
		asks with {{pausing}}
		runs oslo
		asks on with {{pausing}}
			calls oslo
			results oslo
		`+then, "{{pausing}}", `{"context_management":{"edits":[{"type":"compact_20260112","trigger":{"type":"input_tokens","value":60000},"pause_after_compaction":true}]}}`)
}
