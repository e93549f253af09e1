package retry_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

var (
	// overloaded asks for a wait of one second.
	overloaded = Retrying(`{status: 503, retry-after: 1s}`)
	// gateway fails once.
	gateway = Retrying(`{status: 502}`)
)

var (
	// cutOnce breaks off once.
	cutOnce = Retrying(`{text: It is, cut: {after: 2 events}}`)
)

var coreCases = Cases{
	"retry/rate-limit-retried": {
		Holds("until it passes", Busy, AfterRound(`asks on
		asks on
		completed`)),
		Holds("once is enough", Busy, AfterRound(`asks on
		failed: 429`)),
		SeesNothing("no such error", OneCity, OneCityDone),
		SeesNothing("a server error is for server-error-retried", gateway, AfterRound(`asks on
		completed`)),
		SeesNothing("no later request or outcome", Busy, AfterRound("crashed")),
		SeesNothing("not before tomorrow", Tomorrow, AfterRound("failed: 429, tomorrow")),
		SeesNothing("the quota of the day is used up", noMoreToday.Under("gemini-3"), AfterRound("failed: 429")),
		SeesNothing("the account has no money", emptyAccount, AfterRound("failed: 429")),
		SeesNothing("the user cancels the wait", CancelledWait, AfterRound("cancels\nstopped: cancelled")),
		SeesNothing("the time of the run was over", Busy, AfterRound("waits 11s\nfailed: deadline exceeded")),
		SeesNothing("the time was nearly over", Busy, AfterRound("waits 9050ms\nfailed: deadline exceeded")),
		Breaks("with time left", Busy, AfterRound("waits 8s\nfailed: Rate limit reached"),
			Found(2, "", "the request was not sent again after a 429", "another request", `the loop reported failed: "Rate limit reached"`)),
		Breaks("the end of the run", Busy, AfterRound("failed: Rate limit reached"),
			Found(2, "", "the request was not sent again after a 429", "another request", `the loop reported failed: "Rate limit reached"`)),
	},
	"retry/server-error-retried": {
		Holds("a 502", gateway, AfterRound(`asks on
		completed`)),
		Holds("a 503 that stays", Closed, AfterRound(`asks on
		asks on
		failed: 503`)),
		SeesNothing("no such error", OneCity, OneCityDone),
		SeesNothing("a rate limit is for rate-limit-retried", Busy, AfterRound(`asks on
		failed: 429`)),
		SeesNothing("a 400 is no reason to try again", WrongOnce, AfterRound("failed: 400")),
		SeesNothing("the server says that it is none", never, AfterRound("failed: 503")),
		Breaks("the end of the run", gateway, AfterRound("failed: 502"),
			Found(2, "", "the request was not sent again after a 502", "another request", `the loop reported failed: "502"`)),
	},
	"retry/same-request": {
		Holds("the same messages", Busy, AfterRound(`asks on
		asks on
		completed`)),
		Holds("the same messages with other options", gateway, AfterRound(`asks on with {"temperature":0}
		completed`)),
		SeesNothing("another model is asked", gateway, AfterRound(`asks with {"model":"second-model"}
		completed`)),
		SeesNothing("not tried again", gateway, AfterRound("failed: 502")),
		SeesNothing("no error", OneCity, OneCityDone),
		SeesNothing("after a 400 it has to be another", WrongOnce, AfterRound(`asks on
			system: Be brief.
		completed`)),
		Breaks("a note about the failure", gateway, AfterRound(`asks on
			system: The last attempt failed.
		completed`),
			Found(3, "/messages", "the retry sends other messages than the request that failed", "3 messages", `4 messages, the last {"role":"system","content":"The last attempt failed."}`)),
		Breaks("the round is lost", gateway, AfterRound(`asks
			prompt 1
		completed`),
			Found(3, "/messages", "the retry sends other messages than the request that failed", "3 messages", `1 message, the last {"role":"user","content":"What is the weather in Oslo?"}`)),
	},
	"retry/no-tool-run-twice": {
		Holds("run once", gateway, AfterRound(`asks on
		completed`)),
		Holds("run once, and a stream that broke off", cutOnce, AfterRound(`asks on
		completed`)),
		SeesNothing("not tried again", gateway, AfterRound("failed: 502")),
		SeesNothing("no error", OneCity, OneCityDone),
		SeesNothing("twice without any error is for no-call-run-twice", OneCity, `
			asks
			runs oslo
			runs oslo
			completed`),
		Holds("a tool that failed is tried again", downAndBusy, `
			asks
			runs bonn
			runs bonn
			asks on
				calls bonn
				result bonn
			asks on
			completed`),
		Breaks("run again with the retry", gateway, AfterRound(`runs oslo
		asks on
		completed`),
			Found(1, "", "the call oslo was run again with a retry", "one run of get_weather", "2 runs")),
		Breaks("the whole step again, without ids", Busy, `
			asks
			runs get_weather {"city":"Oslo"}
			asks on
				calls oslo
				result oslo
			runs get_weather {"city":"Oslo"}
			asks on
			runs get_weather {"city":"Oslo"}
			asks on
			completed`,
			Found(1, "", "the call oslo was run again with a retry", "one run of get_weather", "3 runs")),
	},
	"retry/bounded": {
		Holds("three attempts", Closed, AfterRound(Again(2)+"failed: 503")),
		Holds("twenty attempts, two layers of retries", Closed, AfterRound(Again(19)+"failed: 503")),
		Holds("eleven attempts at each of two prompts", closedTwice, "asks"+strings.Repeat("\nasks", 10)+strings.Repeat("\nasks\n\tprompt 2", 11)+"\nfailed: 503"),
		SeesNothing("one attempt", Closed, AfterRound("failed: 503")),
		SeesNothing("no error that stays", Busy, AfterRound(Again(2)+"completed")),
		SeesNothing("no later request or outcome", Closed, AfterRound(Again(2)+"hung")),
		Breaks("on and on", Closed, AfterRound(Again(39)+"failed: 503"),
			Found(0, "", "the same error was met with ever more requests", "at most 20 attempts", "40 attempts")),
		Breaks("many layers of retries", Closed, AfterRound(Again(29)+"failed: 503"),
			Found(0, "", "the same error was met with many requests", "at most 20 attempts", "30 attempts").Only(trace.Should)),
		Breaks("on and on at a body that is no completion, as at blank turns", overloadedInside, AfterRound(Again(39)+"completed: "),
			Found(0, "", "a body that is no completion was met with ever more requests", "at most 20 attempts", "40 attempts").Only(trace.Should)),
		Breaks("on and on until it is stopped", Closed, AfterRound(Again(25)+"hung"),
			Found(0, "", "the same error was met with ever more requests", "at most 20 attempts", "26 attempts")),
	},
	"retry/bad-request-not-retried": {
		Holds("failed at once", TooLong, AfterRound("failed: too long")),
		Holds("another request", TooLong, AfterRound(`asks
			prompt 1
		failed: too long`)),
		Holds("without the option that was refused", WrongOnce, `
			asks with {"temperature":9}
			asks on with {"temperature":9}
				calls oslo
				result oslo
			asks on without temperature
			completed`),
		SeesNothing("no such error", gateway, AfterRound(`asks on
		completed`)),
		SeesNothing("no later request or outcome", TooLong, AfterRound("crashed")),
		Breaks("as it was", TooLong, AfterRound(`asks on
		failed: too long`),
			Found(3, "", "a request that was refused with 400 was sent again", "no further request like it", "request 3 is request 2")),
		Breaks("twice", TooLong, AfterRound(Again(2)+"failed: too long"),
			Found(3, "", "a request that was refused with 400 was sent again", "no further request like it", "request 3 is request 2"),
			Found(4, "", "a request that was refused with 400 was sent again", "no further request like it", "request 4 is request 3")),
	},
}

// downAndBusy fails in its tool, and at the provider once.
var downAndBusy = Scene(WeatherTool + `
prompt: What is the weather in Bonn?
model:
  - calls: [{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}]
  - status: 500
  - text: Nobody knows.
`)

// overloadedInside says so with a status of success, and stays so.
var overloadedInside = Retrying(`{status: 200, body: '{"type":"error","error":{"type":"overloaded_error"}}', times: 40}`)

// closedTwice answers neither of two prompts.
var closedTwice = Scene(Resuming + `
prompts: [What is the weather in Oslo?, And in Lima?]
model:
  - {status: 503, times: 40}
  - {status: 503, times: 40}
`)
