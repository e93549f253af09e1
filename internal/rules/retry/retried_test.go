package retry_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	// late and locked fail with statuses that pass; the line is dead once.
	late   = Retrying(`{status: 408}`)
	locked = Retrying(`{status: 409}`)
)

var (
	// broke, unknownModel and empty are refused for good.
	broke        = BadEnd(`{status: 402, times: 5}`)
	unknownModel = BadEnd(`{status: 404, times: 5}`)
	emptyAccount = BadEnd(`{status: 429, error: {message: "You exceeded your current quota, please check your plan.", code: insufficient_quota}, times: 9}`)
	oversized    = BadEnd(`{status: 429, error: {message: "Request too large for m: Limit 200000, Requested 480002."}, times: 9}`)
	noMoreToday  = BadEnd(`{status: 429, retry-after: 50ms, retry-after-as: details, error: {message: "You exceeded your current quota.", details: [{violations: [{quotaId: RequestsPerDay}]}]}, times: 9}`)
	// emptyAtTwoPrompts cannot answer the last two of three prompts.
	emptyAtTwoPrompts = Scene(Resuming + `
prompts: [What is the weather in Oslo?, And in Lima?, And in Rome?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - {status: 429, error: {message: You exceeded your current quota.}, times: 9}
  - {status: 429, error: {message: You exceeded your current quota.}, times: 9}
`)
	// never and always say whether to come again.
	never  = BadEnd(`{status: 503, headers: {x-should-retry: "false"}, times: 5}`)
	always = Retrying(`{status: 400, headers: {X-Should-Retry: "true"}}`)
	// silence and blankOnce bring answers that say nothing.
	silence   = BadEnd(`{text: "", times: 40}`)
	blankOnce = Retrying(`{text: ""}`)
	// hiccups fails once in each of three turns.
	hiccups = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - status: 503
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - status: 503
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}]
  - status: 503
  - text: Lima is warmest.
`)
)

// hiccupsOver is a run in which two of the three hiccups are over, and the third comes.
func hiccupsOver(rest string) string {
	return AfterRound(`asks on
		runs lima
		asks on
			calls lima
			result lima
		asks on
		runs rome
		asks on
			calls rome
			result rome
		` + rest)
}

var whichCases = Cases{
	"retry/timeout-and-conflict-retried": {
		Holds("a 408", late, AfterRound(`asks on
		completed`)),
		Holds("a 409", locked, AfterRound(`asks on
		completed`)),
		SeesNothing("a 5xx is for server-error-retried", gateway, AfterRound("failed: 502")),
		SeesNothing("no error", OneCity, OneCityDone),
		Breaks("the end of the run", late, AfterRound("failed: Request timeout"),
			Found(2, "", "the request was not sent again after a 408", "another request", `the loop reported failed: "Request timeout"`)),
	},
	"retry/lost-connection-retried": {
		Holds("sent again", Dead, AfterRound(`asks on
		completed`)),
		SeesNothing("a 5xx is for server-error-retried", gateway, AfterRound("failed: 502")),
		SeesNothing("an answer that broke off is not judged", cutOnce, AfterRound("failed: broke off")),
		SeesNothing("no later request or outcome", Dead, AfterRound("crashed")),
		Breaks("the end of the run", Dead, AfterRound("failed: EOF"),
			Found(2, "", "the request was not sent again after a connection closed before the answer", "another request", `the loop reported failed: "EOF"`)),
	},
	"retry/each-turn-anew": {
		Holds("all of them pass", hiccups, hiccupsOver(`asks on
		completed`)),
		SeesNothing("the first ends the run, which is for server-error-retried", hiccups, AfterRound("failed: 503")),
		SeesNothing("one alone", gateway, AfterRound(`asks on
		completed`)),
		SeesNothing("the next prompt is no retry", downAtTwoPrompts, `
			asks
			asks on
				prompt 2
			runs oslo
			asks on
				calls oslo
				result oslo
			failed: 503`),
		SeesNothing("no later request or outcome", hiccups, hiccupsOver("crashed")),
		Breaks("three are too many", hiccups, hiccupsOver("failed: 503"),
			Found(6, "", "the request was not sent again after a 503, as those before it were", "another request", `the loop reported failed: "503"`)),
	},
	"retry/refusal-not-retried": {
		Holds("a 402", broke, AfterRound("failed: no money")),
		Holds("another request", unknownModel, AfterRound(`asks on with {"model":"another"}
		failed: 404`)),
		SeesNothing("a 400 is for bad-request-not-retried", TooLong, AfterRound(`asks on
		failed: too long`)),
		SeesNothing("a 503", gateway, AfterRound(`asks on
		completed`)),
		SeesNothing("no tool was used", broke, `
			asks
			failed: no money`),
		Breaks("as it was", broke, AfterRound(`asks on
		failed: no money`),
			Found(3, "", "a request that was refused with 402 was sent again", "no further request like it", "request 3 is request 2")),
	},
	"retry/hopeless-not-hammered": {
		Holds("at once", emptyAccount, AfterRound("failed: no quota")),
		Holds("after two retries, as the SDKs do", oversized, AfterRound(Again(2)+"failed: too large")),
		Holds("after two retries for each of two prompts", emptyAtTwoPrompts, BeforePrompt(Again(2)+`asks on
			prompt 3
		`+Again(2)+"failed: no quota")),
		Breaks("four attempts for one of two prompts", emptyAtTwoPrompts, BeforePrompt(Again(3)+`asks on
			prompt 3
		failed: no quota`),
			Found(0, "", "a 429 that cannot pass was met with ever more requests", "at most 3 attempts", "4 attempts")),
		SeesNothing("a 429 that passes", Busy, AfterRound(`asks on
		asks on
		completed`)),
		SeesNothing("no later request or outcome", emptyAccount, AfterRound("crashed")),
		Breaks("four attempts", emptyAccount, AfterRound(Again(3)+"failed: no quota"),
			Found(0, "", "a 429 that cannot pass was met with ever more requests", "at most 3 attempts", "4 attempts")),
		Breaks("a request that is too large", oversized, AfterRound(Again(8)+"failed: too large"),
			Found(0, "", "a 429 that cannot pass was met with ever more requests", "at most 3 attempts", "9 attempts")),
	},
	"retry/blank-answers-bounded": {
		Holds("reported at once", silence, AfterRound("failed: nothing")),
		Holds("asked for a few times more", silence, AfterRound(Again(3)+"failed: nothing")),
		SeesNothing("a blank answer that passes", blankOnce, AfterRound(`asks on
		completed`)),
		SeesNothing("no later request or outcome", silence, AfterRound("hung")),
		Breaks("on and on", silence, AfterRound(Again(30)+"failed: nothing"),
			Found(0, "", "blank answers were met with ever more requests", "at most 20 attempts", "31 attempts")),
	},
	"retry/told-not-to": {
		Holds("given up", never, AfterRound("failed: 503")),
		SeesNothing("not told", gateway, AfterRound(`asks on
		completed`)),
		SeesNothing("told to", always, AfterRound(`asks on
		completed`)),
		Breaks("sent again", never, AfterRound(`asks on
		failed: 503`),
			Found(3, "", "a request that was refused with 503 was sent again", "no further request like it", "request 3 is request 2")),
	},
	"retry/told-to": {
		Holds("sent again", always, AfterRound(`asks on
		completed`)),
		SeesNothing("not told", WrongOnce, AfterRound("failed: 400")),
		SeesNothing("told not to", never, AfterRound("failed: 503")),
		Breaks("the end of the run", always, AfterRound("failed: 400"),
			Found(2, "", "the request was not sent again after a 400", "another request", `the loop reported failed: "400"`)),
	},
}

// downAtTwoPrompts is down at the first prompt, and in the middle of the second.
var downAtTwoPrompts = Scene(Resuming + `
prompts: [What is the weather in Oslo?, And in Lima?]
model:
  - {status: 503}
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - {status: 503, times: 40}
`)
