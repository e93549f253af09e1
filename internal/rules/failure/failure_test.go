package failure_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

var (
	// cutCall breaks off after a call whose arguments have all come; resetCall in the first event.
	cutCall   = BadEnd(`{calls: [{as: pay, tool: get_weather, arguments: '{"city":"Lima"}'}], cut: {before: finish}, times: 3}`).By(wire.DeliverSSE)
	resetCall = BadEnd(`{calls: [{as: pay, tool: get_weather, arguments: '{"city":"Lima"}'}], reset: {after: 1 event}}`).By(wire.DeliverSSE)
	// noMark lacks the end mark after the finish reason.
	noMark = BadEnd(`{calls: [{as: pay, tool: get_weather, arguments: '{"city":"Lima"}'}], cut: {before: done}}`).By(wire.DeliverSSE)
)

var (
	// brokenCallThenGood breaks off inside a call once.
	brokenCallThenGood = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    cut: {after: 2 events}
  - text: It is 4 C in Oslo.
`).By(wire.DeliverSSE)
)

const notCompleted = "status failed or stopped"

var coreCases = Cases{
	"failure/http-error-reported": {
		Holds("failed", Refused, AfterRound("failed: Incorrect API key provided.")),
		Holds("stopped", Refused, AfterRound("stopped: 401")),
		Holds("failed after some attempts", Refused, AfterRound(`asks on
		asks on
		failed: 401`)),
		SeesNothing("no tool was used", Refused, `
			asks
			failed: no idea`),
		SeesNothing("the model answered", OneCity, OneCityDone),
		SeesNothing("it passed", Payment, `
			asks
			runs pay
			asks on
				calls pay
				result pay
			asks on
			completed`),
		Breaks("completed with nothing", Refused, AfterRound("completed:"),
			Found(2, "", "the run ended with an error status and was reported as completed", notCompleted, `status completed with the text ""`)),
		Breaks("completed with the error", Refused, AfterRound("completed: Error 401"),
			Found(2, "", "the run ended with an error status and was reported as completed", notCompleted, `status completed with the text "Error 401"`)),
	},
	"failure/error-says-why": {
		Holds("the message", Refused, AfterRound("failed: the provider answered 401: Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.")),
		Holds("the message in JSON", TooLong, AfterRound(`failed: 400 {"error":{"message":"This model's maximum context length is \"128\" tokens.","code":null}}`)),
		Holds("as the reason of a stop", TooLong, AfterRound(`stopped: This model's maximum context length is "128" tokens.`)),
		Holds("the message with the wait that is scripted", BadEnd("{status: 429, retry-after: 50s, times: 3}"),
			AfterRound("failed: 429 Rate limit reached for loopproof in organization org-loopproof on tokens per min (TPM): Limit 30000, Used 28000, Requested 4000. Please try again in 50s.")),
		SeesNothing("the model answered", OneCity, OneCityDone),
		SeesNothing("completed is for http-error-reported", TooLong, AfterRound("completed: no")),
		SeesNothing("the user cancelled while the loop waited", CancelledWait, AfterRound("cancels\nstopped: cancelled")),
		Breaks("only the status", TooLong, AfterRound("failed: Request failed with status code 400"),
			Found(2, "", "the provider's message does not reach the caller", `an error with "This model's maximum context length is \"128\" tokens."`, `"Request failed with status code 400"`)),
		Breaks("nothing", TooLong, AfterRound("failed:"),
			Found(2, "", "the provider's message does not reach the caller", `an error with "This model's maximum context length is \"128\" tokens."`, `""`)),
	},
	"failure/cut-stream-reported": {
		Holds("failed", BrokenAnswer.By(wire.DeliverSSE), AfterRound("failed: the stream ended early")),
		Holds("failed after some attempts", BrokenAnswer.By(wire.DeliverSSE), AfterRound(`asks on
		asks on
		failed: the stream ended early`)),
		SeesNothing("whole", OneCity.By(wire.DeliverSSE), OneCityDone),
		SeesNothing("only the end mark is missing", noMark, AfterRound("completed: no")),
		SeesNothing("an error in it is for in-band-error-reported", InBand.By(wire.DeliverSSE), AfterRound("completed: no")),
		SeesNothing("it was asked for again, and came", BrokenThenGoodAnswer, AfterRound(`asks on
		completed`)),
		Breaks("before its call had come", cutCall, AfterRound("completed: no"),
			Found(2, "", "the run ended with a stream that was cut and was reported as completed", notCompleted, `status completed with the text "no"`)),
		Breaks("half the answer", BrokenAnswer.By(wire.DeliverSSE), AfterRound("completed: It is 4 C in Oslo, and"),
			Found(2, "", "the run ended with a stream that was cut and was reported as completed", notCompleted, `status completed with the text "It is 4 C in Oslo, and"`)),
	},
	"failure/in-band-error-reported": {
		Holds("failed", InBand, AfterRound("failed: The server had an error")),
		SeesNothing("whole", OneCity, OneCityDone),
		SeesNothing("a cut stream is for cut-stream-reported", BrokenAnswer.By(wire.DeliverSSE), AfterRound("completed: no")),
		SeesNothing("an error status is for http-error-reported", Refused, AfterRound("completed: no")),
		Breaks("half the answer", InBand, AfterRound("completed: It is 4 C"),
			Found(2, "", "the run ended with an error inside the answer and was reported as completed", notCompleted, `status completed with the text "It is 4 C"`)),
	},
	"failure/blank-completion-reported": {
		Holds("failed", EmptyAnswer, AfterRound("failed: the model answered with nothing")),
		Holds("failed after some attempts", EmptyAnswer, AfterRound(`asks on
		asks on
		failed: the model answered with nothing`)),
		SeesNothing("an answer", OneCity, OneCityDone),
		Breaks("completed with nothing", EmptyAnswer, AfterRound("completed:"),
			Found(2, "", "the run ended with a blank answer and was reported as completed", notCompleted, `status completed with the text ""`)),
		Breaks("completed with an old text", EmptyAnswer, AfterRound("completed: 4 C"),
			Found(2, "", "the run ended with a blank answer and was reported as completed", notCompleted, `status completed with the text "4 C"`)),
	},
	"failure/broken-turn-not-run": {
		Holds("not run", cutCall, AfterRound("failed: the stream ended early")),
		Holds("asked for again", cutCall, AfterRound(`asks on
		failed: the stream ended early`)),
		Holds("not even begun", resetCall, AfterRound("failed: connection reset")),
		SeesNothing("whole", OneCity.By(wire.DeliverSSE), OneCityDone),
		SeesNothing("only the end mark is missing", noMark, AfterRound(`runs pay
		asks on
			calls pay
			result pay
		completed`)),
		SeesNothing("a loop that ran nothing so far", cutCall, `
			asks
			asks on
				calls oslo
				result oslo
			failed: the stream ended early`),
		Breaks("run", cutCall, AfterRound(`runs pay
		failed: the stream ended early`),
			Found(2, "", "the call pay was run although its answer broke off", "no run", `get_weather run with "{\"city\":\"Lima\"}"`)),
		Breaks("run without an id while the stream was on", cutCall, AfterRound(`runs get_weather {"city":"Lima"}
		asks on
		failed: the stream ended early`),
			Found(2, "", "the call pay was run although its answer broke off", "no run", `get_weather run with "{\"city\":\"Lima\"}"`)),
	},
	"failure/broken-turn-not-kept": {
		Holds("the same request again", BrokenThenGoodAnswer, AfterRound(`asks on
		completed`)),
		Holds("what the model had said before stays", BrokenThenGoodAnswer, `
			asks
			asks on
				assistant: Tomorrow
				{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
				result oslo
			asks on
			completed`),
		Holds("a word to the model about it", BrokenThenGoodAnswer, AfterRound(`asks on
			system: The last answer broke off.
		completed`)),
		Holds("the text, when the user has gone on", ResumedBehindCut, BeforePrompt(`asks on
			assistant: I look it up.
			prompt 3
		completed`)),
		Breaks("the call, when the user has gone on", ResumedBehindCut, BeforePrompt(`asks on
			calls lima: I look it up.
			result lima: Error: interrupted
			prompt 3
		completed`),
			Found(4, "/messages/5", "an answer that broke off is in the history", "no message of it", `{"role":"assistant","content":"I look it up.","tool_calls":[{{lima call}}]}`)),
		SeesNothing("whole", OneCity.By(wire.DeliverSSE), OneCityDone),
		Holds("a loop that gives up keeps nothing", BrokenThenGoodAnswer, AfterRound("failed: broke off")),
		SeesNothing("no later request or outcome", BrokenThenGoodAnswer, AfterRound("crashed")),
		SeesNothing("an error status has nothing to keep", Payment, `
			asks
			runs pay
			asks on
				calls pay
				result pay
			asks on
			completed`),
		Breaks("half the answer", BrokenThenGoodAnswer, AfterRound(`asks on
			assistant: Tomorrow it will
		completed`),
			Found(3, "/messages/3", "an answer that broke off is in the history", "no message of it", `{"role":"assistant","content":"Tomorrow it will"}`)),
		Breaks("half the call, answered", brokenCallThenGood, `
			asks
			asks on
				calls lima
				result lima
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}"}]}
				{"role":"tool","tool_call_id":"{{oslo}}","content":"aborted"}
			completed`,
			Found(3, "/messages/3", "an answer that broke off is in the history", "no message of it", `{"role":"assistant","tool_calls":[{"id":"{{oslo}}"}]}`)),
	},
}
