package rules

var (
	// busy is refused with 429 twice, then answers.
	busy = retrying(`{status: 429, times: 2}`)
	// overloaded asks for a wait of one second.
	overloaded = retrying(`{status: 503, retry-after: 1s}`)
	// gateway fails once.
	gateway = retrying(`{status: 502}`)
	// closed stays down.
	closed = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - {status: 503, times: 40}
`)
	// wrongOnce is refused with 400 once.
	wrongOnce = retrying(`{status: 400}`)
	// cutOnce breaks off once.
	cutOnce = retrying(`{text: It is, cut: {after: 2 events}}`)
)

func retrying(step string) setting {
	return scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - ` + step + `
  - text: It is 4 C in Oslo.
`)
}

var retryCases = ruleCases{
	"retry/rate-limit-retried": {
		holds("until it passes", busy, afterRound(`asks on
		asks on
		completed`)),
		holds("once is enough", busy, afterRound(`asks on
		failed: 429`)),
		seesNothing("no such error", oneCity, oneCityDone),
		seesNothing("a server error is for server-error-retried", gateway, afterRound(`asks on
		completed`)),
		seesNothing("nobody knows what became of it", busy, afterRound("crashed")),
		breaks("the end of the run", busy, afterRound("failed: Rate limit reached"),
			finding{2, "", "the request was not sent again after a 429", "another request", `the loop reported failed: "Rate limit reached"`}),
	},
	"retry/server-error-retried": {
		holds("a 502", gateway, afterRound(`asks on
		completed`)),
		holds("a 503 that stays", closed, afterRound(`asks on
		asks on
		failed: 503`)),
		seesNothing("no such error", oneCity, oneCityDone),
		seesNothing("a rate limit is for rate-limit-retried", busy, afterRound(`asks on
		failed: 429`)),
		seesNothing("a 400 is no reason to try again", wrongOnce, afterRound("failed: 400")),
		breaks("the end of the run", gateway, afterRound("failed: 502"),
			finding{2, "", "the request was not sent again after a 502", "another request", `the loop reported failed: "502"`}),
	},
	"retry/same-request": {
		holds("the same messages", busy, afterRound(`asks on
		asks on
		completed`)),
		holds("the same messages with other options", gateway, afterRound(`asks on with {"temperature":0}
		completed`)),
		seesNothing("not tried again", gateway, afterRound("failed: 502")),
		seesNothing("no error", oneCity, oneCityDone),
		seesNothing("after a 400 it has to be another", wrongOnce, afterRound(`asks on
			system: Be brief.
		completed`)),
		breaks("a note about the failure", gateway, afterRound(`asks on
			system: The last attempt failed.
		completed`),
			finding{3, "/messages", "the retry sends other messages than the request that failed", "3 messages", `4 messages, the last {"role":"system","content":"The last attempt failed."}`}),
		breaks("the round is lost", gateway, afterRound(`asks
			prompt 1
		completed`),
			finding{3, "/messages", "the retry sends other messages than the request that failed", "3 messages", `1 message, the last {"role":"user","content":"What is the weather in Oslo?"}`}),
	},
	"retry/no-tool-run-twice": {
		holds("run once", gateway, afterRound(`asks on
		completed`)),
		holds("run once, and a stream that broke off", cutOnce, afterRound(`asks on
		completed`)),
		seesNothing("not tried again", gateway, afterRound("failed: 502")),
		seesNothing("no error", oneCity, oneCityDone),
		seesNothing("twice without any error is for no-call-run-twice", oneCity, `
			asks
			runs oslo
			runs oslo
			completed`),
		holds("a tool that failed is tried again", downAndBusy, `
			asks
			runs bonn
			runs bonn
			asks on
				calls bonn
				result bonn
			asks on
			completed`),
		breaks("run again with the retry", gateway, afterRound(`runs oslo
		asks on
		completed`),
			finding{1, "", "the call oslo was run again with a retry", "one run of get_weather", "2 runs"}),
		breaks("the whole step again, without ids", busy, `
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
			finding{1, "", "the call oslo was run again with a retry", "one run of get_weather", "3 runs"}),
	},
	"retry/bounded": {
		holds("three attempts", closed, afterRound(again(2)+"failed: 503")),
		holds("twenty attempts, two layers of retries", closed, afterRound(again(19)+"failed: 503")),
		seesNothing("one attempt", closed, afterRound("failed: 503")),
		seesNothing("no error that stays", busy, afterRound(again(2)+"completed")),
		seesNothing("nobody knows what became of it", closed, afterRound(again(2)+"hung")),
		breaks("on and on", closed, afterRound(again(30)+"failed: 503"),
			finding{0, "", "the same error was met with ever more requests", "at most 20 attempts", "31 attempts"}),
		breaks("on and on until it is stopped", closed, afterRound(again(25)+"hung"),
			finding{0, "", "the same error was met with ever more requests", "at most 20 attempts", "26 attempts"}),
	},
	"retry/bad-request-not-retried": {
		holds("failed at once", tooLong, afterRound("failed: too long")),
		holds("another request", tooLong, afterRound(`asks
			prompt 1
		failed: too long`)),
		holds("without the option that was refused", wrongOnce, `
			asks with {"temperature":9}
			asks on with {"temperature":9}
				calls oslo
				result oslo
			asks on without temperature
			completed`),
		seesNothing("no such error", gateway, afterRound(`asks on
		completed`)),
		seesNothing("nobody knows what became of it", tooLong, afterRound("crashed")),
		breaks("as it was", tooLong, afterRound(`asks on
		failed: too long`),
			finding{3, "", "a request that was refused with 400 was sent again", "no further request like it", "request 3 is request 2"}),
		breaks("twice", tooLong, afterRound(again(2)+"failed: too long"),
			finding{3, "", "a request that was refused with 400 was sent again", "no further request like it", "request 3 is request 2"},
			finding{4, "", "a request that was refused with 400 was sent again", "no further request like it", "request 4 is request 3"}),
	},
}

// again is the same request so many times more.
func again(times int) string {
	lines := ""
	for range times {
		lines += "asks on\n"
	}
	return lines
}

// downAndBusy fails in its tool, and at the provider once.
var downAndBusy = scene(weatherTool + `
prompt: What is the weather in Bonn?
model:
  - calls: [{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}]
  - status: 500
  - text: Nobody knows.
`)
