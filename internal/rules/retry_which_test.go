package rules

var (
	// late and locked fail with statuses that pass; the line is dead once.
	late   = retrying(`{status: 408}`)
	locked = retrying(`{status: 409}`)
	dead   = retrying(`{cut: {before: headers}}`)
	// broke, unknownModel and empty are refused for good.
	broke        = badEnd(`{status: 402, times: 5}`)
	unknownModel = badEnd(`{status: 404, times: 5}`)
	emptyAccount = badEnd(`{status: 429, error: {message: "You exceeded your current quota, please check your plan.", code: insufficient_quota}, times: 9}`)
	oversized    = badEnd(`{status: 429, error: {message: "Request too large for m: Limit 200000, Requested 480002."}, times: 9}`)
	// never and always say whether to come again.
	never  = badEnd(`{status: 503, headers: {x-should-retry: "false"}, times: 5}`)
	always = retrying(`{status: 400, headers: {X-Should-Retry: "true"}}`)
	// silence and blankOnce bring answers that say nothing.
	silence   = badEnd(`{text: "", times: 40}`)
	blankOnce = retrying(`{text: ""}`)
	// hiccups fails once in each of three turns.
	hiccups = scene(weatherTool + `
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
	return afterRound(`asks on
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

var retryWhichCases = ruleCases{
	"retry/timeout-and-conflict-retried": {
		holds("a 408", late, afterRound(`asks on
		completed`)),
		holds("a 409", locked, afterRound(`asks on
		completed`)),
		seesNothing("a 5xx is for server-error-retried", gateway, afterRound("failed: 502")),
		seesNothing("no error", oneCity, oneCityDone),
		breaks("the end of the run", late, afterRound("failed: Request timeout"),
			finding{2, "", "the request was not sent again after a 408", "another request", `the loop reported failed: "Request timeout"`}),
	},
	"retry/lost-connection-retried": {
		holds("sent again", dead, afterRound(`asks on
		completed`)),
		seesNothing("a 5xx is for server-error-retried", gateway, afterRound("failed: 502")),
		seesNothing("an answer that broke off is not judged", cutOnce, afterRound("failed: broke off")),
		seesNothing("nobody knows what became of it", dead, afterRound("crashed")),
		breaks("the end of the run", dead, afterRound("failed: EOF"),
			finding{2, "", "the request was not sent again after a connection closed before the answer", "another request", `the loop reported failed: "EOF"`}),
	},
	"retry/each-turn-anew": {
		holds("all of them pass", hiccups, hiccupsOver(`asks on
		completed`)),
		seesNothing("the first ends the run, which is for server-error-retried", hiccups, afterRound("failed: 503")),
		seesNothing("one alone", gateway, afterRound(`asks on
		completed`)),
		seesNothing("nobody knows what became of it", hiccups, hiccupsOver("crashed")),
		breaks("three are too many", hiccups, hiccupsOver("failed: 503"),
			finding{6, "", "the request was not sent again after a 503, as those before it were", "another request", `the loop reported failed: "503"`}),
	},
	"retry/refusal-not-retried": {
		holds("a 402", broke, afterRound("failed: no money")),
		holds("another request", unknownModel, afterRound(`asks on with {"model":"another"}
		failed: 404`)),
		seesNothing("a 400 is for bad-request-not-retried", tooLong, afterRound(`asks on
		failed: too long`)),
		seesNothing("a 503", gateway, afterRound(`asks on
		completed`)),
		seesNothing("no tool was used", broke, `
			asks
			failed: no money`),
		breaks("as it was", broke, afterRound(`asks on
		failed: no money`),
			finding{3, "", "a request that was refused with 402 was sent again", "no further request like it", "request 3 is request 2"}),
	},
	"retry/hopeless-not-hammered": {
		holds("at once", emptyAccount, afterRound("failed: no quota")),
		holds("after two retries, as the SDKs do", oversized, afterRound(again(2)+"failed: too large")),
		seesNothing("a 429 that passes", busy, afterRound(`asks on
		asks on
		completed`)),
		seesNothing("nobody knows what became of it", emptyAccount, afterRound("crashed")),
		breaks("four attempts", emptyAccount, afterRound(again(3)+"failed: no quota"),
			finding{0, "", "a 429 that cannot pass was met with ever more requests", "at most 3 attempts", "4 attempts"}),
		breaks("a request that is too large", oversized, afterRound(again(8)+"failed: too large"),
			finding{0, "", "a 429 that cannot pass was met with ever more requests", "at most 3 attempts", "9 attempts"}),
	},
	"retry/blank-answers-bounded": {
		holds("reported at once", silence, afterRound("failed: nothing")),
		holds("asked for a few times more", silence, afterRound(again(3)+"failed: nothing")),
		seesNothing("a blank answer that passes", blankOnce, afterRound(`asks on
		completed`)),
		seesNothing("nobody knows what became of it", silence, afterRound("hung")),
		breaks("on and on", silence, afterRound(again(30)+"failed: nothing"),
			finding{0, "", "blank answers were met with ever more requests", "at most 20 attempts", "31 attempts"}),
	},
	"retry/told-not-to": {
		holds("given up", never, afterRound("failed: 503")),
		seesNothing("not told", gateway, afterRound(`asks on
		completed`)),
		seesNothing("told to", always, afterRound(`asks on
		completed`)),
		breaks("sent again", never, afterRound(`asks on
		failed: 503`),
			finding{3, "", "a request that was refused with 503 was sent again", "no further request like it", "request 3 is request 2"}),
	},
	"retry/told-to": {
		holds("sent again", always, afterRound(`asks on
		completed`)),
		seesNothing("not told", wrongOnce, afterRound("failed: 400")),
		seesNothing("told not to", never, afterRound("failed: 503")),
		breaks("the end of the run", always, afterRound("failed: 400"),
			finding{2, "", "the request was not sent again after a 400", "another request", `the loop reported failed: "400"`}),
	},
}
