package retry_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	// inMilliseconds, byDate and both ask for a wait in other forms.
	inMilliseconds = Retrying(`{status: 429, retry-after: 400ms}`)
	byDate         = Retrying(`{status: 503, retry-after: 1s, retry-after-as: date}`)
	both           = Retrying(`{status: 429, headers: {retry-after-ms: 0, retry-after: 2}}`)
	// soonAgain has a word where a time should be, past less than nothing.
	soonAgain = Retrying(`{status: 429, headers: {retry-after: soonAgain}}`)
	past      = Retrying(`{status: 429, headers: {Retry-After: -5}}`)
)

var waitCases = Cases{
	"retry/retry-after-honoured": {
		Holds("in time", overloaded, AfterRound(`asks on after 1s
		completed`)),
		Holds("later", overloaded, AfterRound(`asks on after 3s
		completed`)),
		Holds("a little early, since clocks differ", overloaded, AfterRound(`asks on after 980ms
		completed`)),
		SeesNothing("another model, which is not the one that is busy", overloaded, AfterRound(`asks on with {"model":"another"}
		completed`)),
		SeesNothing("a wait of a day is for absurd-wait-not-slept", Tomorrow, AfterRound(`asks on
		completed`)),
		SeesNothing("not tried again", overloaded, AfterRound("failed: 503")),
		SeesNothing("no such wish", gateway, AfterRound(`asks on
		completed`)),
		Breaks("at once", overloaded, AfterRound(`asks on
		completed`),
			Found(3, "", "the retry came too early", "at least 1s after the error", "5ms after it")),
		Breaks("by the loop's own clock", overloaded, AfterRound(`asks on after 500ms
		completed`),
			Found(3, "", "the retry came too early", "at least 1s after the error", "495ms after it")),
	},
	"retry/milliseconds-honoured": {
		Holds("in time", inMilliseconds, AfterRound(`asks on after 400ms
		completed`)),
		Holds("later", inMilliseconds, AfterRound(`asks on after 2s
		completed`)),
		SeesNothing("not tried again", inMilliseconds, AfterRound("failed: 429")),
		SeesNothing("seconds are for retry-after-honoured", overloaded, AfterRound(`asks on
		completed`)),
		Breaks("at once", inMilliseconds, AfterRound(`asks on
		completed`),
			Found(3, "", "the retry came too early", "at least 400ms after the error", "5ms after it")),
	},
	"retry/date-honoured": {
		Holds("when the date has come", byDate, AfterRound(`asks on after 1600ms
		completed`)),
		SeesNothing("not tried again", byDate, AfterRound("failed: 503")),
		SeesNothing("seconds are for retry-after-honoured", overloaded, AfterRound(`asks on
		completed`)),
		Breaks("at once", byDate, AfterRound(`asks on
		completed`),
			Found(3, "", "the retry came too early", "at least 1s after the error", "10ms after it")),
	},
	"retry/zero-is-a-wait": {
		Holds("at once", both, AfterRound(`asks on
		completed`)),
		Holds("by the loop's own clock", both, AfterRound(`asks on after 800ms
		completed`)),
		SeesNothing("not tried again", both, AfterRound("failed: 429")),
		SeesNothing("only seconds", overloaded, AfterRound(`asks on after 1s
		completed`)),
		Breaks("by the coarser header", both, AfterRound(`asks on after 2s
		completed`),
			Found(3, "", "the retry waited for retry-after although retry-after-ms was 0", "less than the 2 s of retry-after", "1.995s after the error")),
	},
	"retry/odd-wait-survived": {
		Holds("a word", soonAgain, AfterRound(`asks on
		completed`)),
		Holds("less than nothing", past, AfterRound(`asks on after 500ms
		completed`)),
		SeesNothing("a time", overloaded, AfterRound(`asks on after 1s
		completed`)),
		SeesNothing("no such wish", Busy, AfterRound("failed: 429")),
		SeesNothing("no error", OneCity, OneCityDone),
		Breaks("the end of the run", soonAgain, AfterRound("failed: could not convert string to float: 'soonAgain'"),
			Found(2, "", "the request was not sent again after a 429", "another request", `the loop reported failed: "could not convert string to float: 'soonAgain'"`)),
		Breaks("so does less than nothing", past, AfterRound("failed: 429"),
			Found(2, "", "the request was not sent again after a 429", "another request", `the loop reported failed: "429"`)),
	},
	"retry/absurd-wait-not-slept": {
		Holds("given up", Tomorrow, AfterRound("failed: 429, tomorrow")),
		Holds("asked earlier", Tomorrow, AfterRound(`asks on after 8s
		completed`)),
		SeesNothing("no such wish", Busy, AfterRound("hung")),
		SeesNothing("a short one", overloaded, AfterRound("hung")),
		SeesNothing("no tool was used", Tomorrow, `
			asks
			hung`),
		SeesNothing("no later request or outcome", Tomorrow, AfterRound("crashed")),
		Breaks("until tomorrow", Tomorrow, AfterRound("hung"),
			Found(2, "", "the loop waits in silence, since the provider asked for 24h0m0s", "an error for the caller, or an earlier request", "no outcome in time")),
	},
	"retry/waits-in-time": {
		Holds("given up in time", Closed, AfterRound("asks on after 4s\nfailed: 503")),
		SeesNothing("no second attempt", Closed, AfterRound("failed: 503")),
		SeesNothing("a hang after attempts at once is for run-ends", Closed, AfterRound(Again(2)+"hung")),
		SeesNothing("no tool was used", Closed, "asks\nfailed: 503"),
		Breaks("waiting for longer than there is time", Closed, AfterRound("asks on after 4s\nhung"),
			Found(3, "", "the time of the task was over while the loop waited to ask again", "an outcome within 10000 ms",
				"no request for 6s after an error, where the wait before was 4s\nthe last answer was an error: a loop that waits long before it asks again needs more time (--timeout) or shorter waits")),
		Breaks("waiting for most of the time", Busy, AfterRound("asks on after 4s\nasks on after 4s\nhung"),
			Found(4, "", "the time of the task was over after waits of the loop before further attempts", "an outcome within 10000 ms", "waits of 8s in all")),
	},
	"retry/spaced": {
		Holds("two", Busy, AfterRound(`asks on
		asks on
		completed`)),
		Holds("three without a pause", Closed, AfterRound(Again(2)+"failed: 503")),
		Holds("many with one", Closed, AfterRound(pausing(9)+"failed: 503")),
		Holds("a short backoff that grows", Closed, AfterRound(`asks on after 25ms
		asks on after 55ms
		asks on after 105ms
		asks on after 205ms
		asks on after 405ms
		asks on after 805ms
		asks on after 1605ms
		failed: 503`)),
		SeesNothing("one attempt", Closed, AfterRound("failed: 503")),
		SeesNothing("no error", OneCity, OneCityDone),
		SeesNothing("a wait that the provider asks for", overloaded, AfterRound(`asks on
		completed`)),
		SeesNothing("no later request or outcome", Closed, AfterRound(Again(2)+"crashed")),
		Breaks("as fast as it can", Closed, AfterRound(Again(9)+"failed: 503"),
			Found(11, "", "many attempts followed each other without a pause", "at least 100ms before most of them, and more each time", "9 attempts that came sooner")),
	},
}

// pausing is the same request so many times more, with a pause before each.
func pausing(times int) string {
	lines := ""
	for range times {
		lines += "asks on after 500ms\n"
	}
	return lines
}
