package rules

import "github.com/loopproof/loopproof/internal/wire"

var (
	// tooLong is refused with words of its own.
	tooLong = badEnd(`{status: 400, error: {message: "This model's maximum context length is \"128\" tokens."}, times: 3}`)
	// cutCall breaks off behind a call whose arguments have all come; resetCall in the first event.
	cutCall   = badEnd(`{calls: [{as: pay, tool: get_weather, arguments: '{"city":"Lima"}'}], cut: {before: finish}, times: 3}`).by(wire.DeliverSSE)
	resetCall = badEnd(`{calls: [{as: pay, tool: get_weather, arguments: '{"city":"Lima"}'}], reset: {after: 1 event}}`).by(wire.DeliverSSE)
	// noMark lacks the end mark behind the finish word.
	noMark = badEnd(`{calls: [{as: pay, tool: get_weather, arguments: '{"city":"Lima"}'}], cut: {before: done}}`).by(wire.DeliverSSE)
	// brokenThenGoodAnswer breaks off once; the model had said the beginning of it before.
	brokenThenGoodAnswer = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: Tomorrow
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: Tomorrow it will be warmer than it is
    in-band-error: {after: 4 events}
  - text: It is 4 C in Oslo.
`).by(wire.DeliverSSE)
	// brokenCallThenGood breaks off inside a call once.
	brokenCallThenGood = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    cut: {after: 2 events}
  - text: It is 4 C in Oslo.
`).by(wire.DeliverSSE)
)

const notCompleted = "status failed or stopped"

var failureCases = ruleCases{
	"failure/http-error-reported": {
		holds("failed", refused, afterRound("failed: Incorrect API key provided.")),
		holds("stopped", refused, afterRound("stopped: 401")),
		holds("failed after some attempts", refused, afterRound(`asks on
		asks on
		failed: 401`)),
		seesNothing("no tool was used", refused, `
			asks
			failed: no idea`),
		seesNothing("the model answered", oneCity, oneCityDone),
		seesNothing("it passed", payment, `
			asks
			runs pay
			asks on
				calls pay
				result pay
			asks on
			completed`),
		breaks("completed with nothing", refused, afterRound("completed:"),
			finding{2, "", "the run ended with an error status and was reported as completed", notCompleted, `status completed with the text ""`}),
		breaks("completed with the error", refused, afterRound("completed: Error 401"),
			finding{2, "", "the run ended with an error status and was reported as completed", notCompleted, `status completed with the text "Error 401"`}),
	},
	"failure/error-says-why": {
		holds("the message", refused, afterRound("failed: the provider answered 401: Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.")),
		holds("the message in JSON", tooLong, afterRound(`failed: 400 {"error":{"message":"This model's maximum context length is \"128\" tokens.","code":null}}`)),
		holds("as the reason of a stop", tooLong, afterRound(`stopped: This model's maximum context length is "128" tokens.`)),
		seesNothing("the model answered", oneCity, oneCityDone),
		seesNothing("completed is for http-error-reported", tooLong, afterRound("completed: no")),
		breaks("only the status", tooLong, afterRound("failed: Request failed with status code 400"),
			finding{2, "", "the provider's message does not reach the caller", `an error with "This model's maximum context length is \"128\" tokens."`, `"Request failed with status code 400"`}),
		breaks("nothing", tooLong, afterRound("failed:"),
			finding{2, "", "the provider's message does not reach the caller", `an error with "This model's maximum context length is \"128\" tokens."`, `""`}),
	},
	"failure/cut-stream-reported": {
		holds("failed", brokenAnswer.by(wire.DeliverSSE), afterRound("failed: the stream ended early")),
		holds("failed after some attempts", brokenAnswer.by(wire.DeliverSSE), afterRound(`asks on
		asks on
		failed: the stream ended early`)),
		seesNothing("whole", oneCity.by(wire.DeliverSSE), oneCityDone),
		seesNothing("only the end mark is missing", noMark, afterRound("completed: no")),
		seesNothing("an error in it is for in-band-error-reported", inBand.by(wire.DeliverSSE), afterRound("completed: no")),
		seesNothing("it was asked for again, and came", brokenThenGoodAnswer, afterRound(`asks on
		completed`)),
		breaks("before its call had come", cutCall, afterRound("completed: no"),
			finding{2, "", "the run ended with a stream that was cut and was reported as completed", notCompleted, `status completed with the text "no"`}),
		breaks("half the answer", brokenAnswer.by(wire.DeliverSSE), afterRound("completed: It is 4 C in Oslo, and"),
			finding{2, "", "the run ended with a stream that was cut and was reported as completed", notCompleted, `status completed with the text "It is 4 C in Oslo, and"`}),
	},
	"failure/in-band-error-reported": {
		holds("failed", inBand, afterRound("failed: The server had an error")),
		seesNothing("whole", oneCity, oneCityDone),
		seesNothing("a cut stream is for cut-stream-reported", brokenAnswer.by(wire.DeliverSSE), afterRound("completed: no")),
		seesNothing("an error status is for http-error-reported", refused, afterRound("completed: no")),
		breaks("half the answer", inBand, afterRound("completed: It is 4 C"),
			finding{2, "", "the run ended with an error inside the answer and was reported as completed", notCompleted, `status completed with the text "It is 4 C"`}),
	},
	"failure/blank-completion-reported": {
		holds("failed", emptyAnswer, afterRound("failed: the model answered with nothing")),
		holds("failed after some attempts", emptyAnswer, afterRound(`asks on
		asks on
		failed: the model answered with nothing`)),
		seesNothing("an answer", oneCity, oneCityDone),
		breaks("completed with nothing", emptyAnswer, afterRound("completed:"),
			finding{2, "", "the run ended with a blank answer and was reported as completed", notCompleted, `status completed with the text ""`}),
		breaks("completed with an old text", emptyAnswer, afterRound("completed: 4 C"),
			finding{2, "", "the run ended with a blank answer and was reported as completed", notCompleted, `status completed with the text "4 C"`}),
	},
	"failure/broken-turn-not-run": {
		holds("not run", cutCall, afterRound("failed: the stream ended early")),
		holds("asked for again", cutCall, afterRound(`asks on
		failed: the stream ended early`)),
		holds("not even begun", resetCall, afterRound("failed: connection reset")),
		seesNothing("whole", oneCity.by(wire.DeliverSSE), oneCityDone),
		seesNothing("only the end mark is missing", noMark, afterRound(`runs pay
		asks on
			calls pay
			result pay
		completed`)),
		seesNothing("a loop that ran nothing so far", cutCall, `
			asks
			asks on
				calls oslo
				result oslo
			failed: the stream ended early`),
		breaks("run", cutCall, afterRound(`runs pay
		failed: the stream ended early`),
			finding{2, "", "the call pay was run although its answer broke off", "no run", `get_weather run with "{\"city\":\"Lima\"}"`}),
		breaks("run without an id while the stream was on", cutCall, afterRound(`runs get_weather {"city":"Lima"}
		asks on
		failed: the stream ended early`),
			finding{2, "", "the call pay was run although its answer broke off", "no run", `get_weather run with "{\"city\":\"Lima\"}"`}),
	},
	"failure/broken-turn-not-kept": {
		holds("the same request again", brokenThenGoodAnswer, afterRound(`asks on
		completed`)),
		holds("what the model had said before stays", brokenThenGoodAnswer, `
			asks
			asks on
				assistant: Tomorrow
				{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
				result oslo
			asks on
			completed`),
		holds("a word to the model about it", brokenThenGoodAnswer, afterRound(`asks on
			system: The last answer broke off.
		completed`)),
		seesNothing("whole", oneCity.by(wire.DeliverSSE), oneCityDone),
		holds("a loop that gives up keeps nothing", brokenThenGoodAnswer, afterRound("failed: broke off")),
		seesNothing("nobody knows what became of it", brokenThenGoodAnswer, afterRound("crashed")),
		seesNothing("an error status has nothing to keep", payment, `
			asks
			runs pay
			asks on
				calls pay
				result pay
			asks on
			completed`),
		breaks("half the answer", brokenThenGoodAnswer, afterRound(`asks on
			assistant: Tomorrow it will
		completed`),
			finding{3, "/messages/3", "an answer that broke off is in the history", "no message of it", `{"role":"assistant","content":"Tomorrow it will"}`}),
		breaks("half the call, answered", brokenCallThenGood, `
			asks
			asks on
				calls lima
				result lima
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}"}]}
				{"role":"tool","tool_call_id":"{{oslo}}","content":"aborted"}
			completed`,
			finding{3, "/messages/3", "an answer that broke off is in the history", "no message of it", `{"role":"assistant","tool_calls":[{"id":"{{oslo}}"}]}`}),
	},
}
