package geminirules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	// delayed and inSeconds ask for a wait in the details of an error, and in a header.
	delayed   = Retrying(`{status: 429, retry-after: 1s, retry-after-as: details}`).Under("gemini-3")
	inSeconds = Retrying(`{status: 429, retry-after: 1s}`).Under("gemini-3")
)

var retryCases = Cases{
	"retry/retry-info-honoured": {
		Holds("in time", delayed, AfterRound("asks on after 1s\ncompleted")),
		SeesNothing("not tried again", delayed, AfterRound("failed: 429")),
		SeesNothing("a header is for another rule", inSeconds, AfterRound("asks on\ncompleted")),
		Breaks("at once", delayed, AfterRound("asks on\ncompleted"),
			Found(3, "", "the retry came too early", "at least 1s after the error", "5ms after it")),
	},
}
