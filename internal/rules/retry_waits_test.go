package rules

var (
	// inMilliseconds, byDate and both ask for a wait in other forms.
	inMilliseconds = retrying(`{status: 429, retry-after: 400ms}`)
	byDate         = retrying(`{status: 503, retry-after: 1s, retry-after-as: date}`)
	both           = retrying(`{status: 429, headers: {retry-after-ms: 0, retry-after: 2}}`)
	// soonAgain has a word where a time should be, past less than nothing.
	soonAgain = retrying(`{status: 429, headers: {retry-after: soonAgain}}`)
	past      = retrying(`{status: 429, headers: {Retry-After: -5}}`)
	// tomorrow asks for a day.
	tomorrow = retrying(`{status: 429, retry-after: 24h}`)
)

var retryWaitsCases = ruleCases{
	"retry/retry-after-honoured": {
		holds("in time", overloaded, afterRound(`asks on after 1s
		completed`)),
		holds("later", overloaded, afterRound(`asks on after 3s
		completed`)),
		holds("a little early, since clocks differ", overloaded, afterRound(`asks on after 980ms
		completed`)),
		seesNothing("another model, which is not the one that is busy", overloaded, afterRound(`asks on with {"model":"another"}
		completed`)),
		seesNothing("not tried again", overloaded, afterRound("failed: 503")),
		seesNothing("no such wish", gateway, afterRound(`asks on
		completed`)),
		breaks("at once", overloaded, afterRound(`asks on
		completed`),
			finding{3, "", "the retry came too early", "at least 1s after the error", "5ms after it"}),
		breaks("by the loop's own clock", overloaded, afterRound(`asks on after 500ms
		completed`),
			finding{3, "", "the retry came too early", "at least 1s after the error", "495ms after it"}),
	},
	"retry/milliseconds-honoured": {
		holds("in time", inMilliseconds, afterRound(`asks on after 400ms
		completed`)),
		holds("later", inMilliseconds, afterRound(`asks on after 2s
		completed`)),
		seesNothing("not tried again", inMilliseconds, afterRound("failed: 429")),
		seesNothing("seconds are for retry-after-honoured", overloaded, afterRound(`asks on
		completed`)),
		breaks("at once", inMilliseconds, afterRound(`asks on
		completed`),
			finding{3, "", "the retry came too early", "at least 400ms after the error", "5ms after it"}),
	},
	"retry/date-honoured": {
		holds("when the date has come", byDate, afterRound(`asks on after 1600ms
		completed`)),
		seesNothing("not tried again", byDate, afterRound("failed: 503")),
		seesNothing("seconds are for retry-after-honoured", overloaded, afterRound(`asks on
		completed`)),
		breaks("at once", byDate, afterRound(`asks on
		completed`),
			finding{3, "", "the retry came too early", "at least 1s after the error", "5ms after it"}),
	},
	"retry/zero-is-a-wait": {
		holds("at once", both, afterRound(`asks on
		completed`)),
		holds("by the loop's own clock", both, afterRound(`asks on after 800ms
		completed`)),
		seesNothing("not tried again", both, afterRound("failed: 429")),
		seesNothing("only seconds", overloaded, afterRound(`asks on after 1s
		completed`)),
		breaks("by the coarser header", both, afterRound(`asks on after 2s
		completed`),
			finding{3, "", "the retry waited for retry-after although retry-after-ms was 0", "less than the 2 s of retry-after", "1.995s after the error"}),
	},
	"retry/odd-wait-survived": {
		holds("a word", soonAgain, afterRound(`asks on
		completed`)),
		holds("less than nothing", past, afterRound(`asks on after 500ms
		completed`)),
		seesNothing("a time", overloaded, afterRound(`asks on after 1s
		completed`)),
		seesNothing("no such wish", busy, afterRound("failed: 429")),
		seesNothing("no error", oneCity, oneCityDone),
		breaks("the end of the run", soonAgain, afterRound("failed: could not convert string to float: 'soonAgain'"),
			finding{2, "", "the request was not sent again after a 429", "another request", `the loop reported failed: "could not convert string to float: 'soonAgain'"`}),
		breaks("so does less than nothing", past, afterRound("failed: 429"),
			finding{2, "", "the request was not sent again after a 429", "another request", `the loop reported failed: "429"`}),
	},
	"retry/absurd-wait-not-slept": {
		holds("given up", tomorrow, afterRound("failed: 429, tomorrow")),
		holds("asked earlier", tomorrow, afterRound(`asks on after 8s
		completed`)),
		seesNothing("no such wish", busy, afterRound("hung")),
		seesNothing("a short one", overloaded, afterRound("hung")),
		seesNothing("no tool was used", tomorrow, `
			asks
			hung`),
		seesNothing("nobody knows what became of it", tomorrow, afterRound("crashed")),
		breaks("until tomorrow", tomorrow, afterRound("hung"),
			finding{2, "", "the loop waits in silence, since the provider asked for 24h0m0s", "an error for the caller, or an earlier request", "no outcome in time"}),
	},
	"retry/waits-in-time": {
		holds("given up in time", closed, afterRound("asks on after 4s\nfailed: 503")),
		seesNothing("no second attempt", closed, afterRound("failed: 503")),
		seesNothing("a hang after attempts at once is for run-ends", closed, afterRound(again(2)+"hung")),
		seesNothing("no tool was used", closed, "asks\nfailed: 503"),
		breaks("waiting for longer than there is time", closed, afterRound("asks on after 4s\nhung"),
			finding{3, "", "the time of the task was over while the loop waited to ask again", "an outcome within 10000 ms",
				"no request for 6s after an error, where the wait before was 4s\nthe last answer was an error: a loop that waits long before it asks again needs more time (--timeout) or shorter waits"}),
	},
	"retry/spaced": {
		holds("two", busy, afterRound(`asks on
		asks on
		completed`)),
		holds("three without a pause", closed, afterRound(again(2)+"failed: 503")),
		holds("many with one", closed, afterRound(pausing(9)+"failed: 503")),
		holds("a short backoff that grows", closed, afterRound(`asks on after 25ms
		asks on after 55ms
		asks on after 105ms
		asks on after 205ms
		asks on after 405ms
		asks on after 805ms
		asks on after 1605ms
		failed: 503`)),
		seesNothing("one attempt", closed, afterRound("failed: 503")),
		seesNothing("no error", oneCity, oneCityDone),
		seesNothing("a wait that the provider asks for", overloaded, afterRound(`asks on
		completed`)),
		seesNothing("nobody knows what became of it", closed, afterRound(again(2)+"crashed")),
		breaks("as fast as it can", closed, afterRound(again(9)+"failed: 503"),
			finding{11, "", "many attempts followed each other without a pause", "at least 100ms before most of them, and more each time", "9 attempts that came sooner"}),
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
