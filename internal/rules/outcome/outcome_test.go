package outcome_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

var (
	// tidy has space around its answer.
	tidy = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: One moment.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: "\nIt is 4 C in Oslo.\n\n- wind: none\n"
`)
)

var (
	// wrongKey and rounded say how they must come out.
	wrongKey  = BadEnd("{status: 401, times: 3}\nexpect: {status: failed}")
	anyFailed = BadEnd("{status: 401, times: 3}\nexpect: {status: not-completed}")
	goesOn    = BadEnd("calls: [{as: lima, tool: get_weather, arguments: '{\"city\":\"Lima\"}'}]\n  - {text: Lima is warmer.}\nexpect: {status: completed}")
	plain     = BadEnd("{text: 4 C}\nexpect: {status: completed}")
)

var (
	// lookingUp looks something up before it answers.
	lookingUp = Scene(strings.Replace(WeatherTool, "tools:", "prompt: Is 4 C normal?\ntools:", 1) + `
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: I look up what is normal.
    finish: pause
  - text: It is 4 C, as usual.
`).Under("anthropic")
	rounded = BadEnd("{text: 4.2 C}\nexpect: {text: 4 C, status: completed}")
)

// pausedThen sends the turn back that paused, and ends.
func pausedThen(end string) string {
	return AfterRound("asks on\n\t\t\tassistant: I look up what is normal.\n\t\t" + end)
}

// commented says something on the way in a message of its own, in a turn with a call and in its
// answer.
var commented = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - commentary: Wait.
    text: I look it up.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - commentary: I have it.
    text: It is 4 C in Oslo.
`)

// thinkingAloud has thinking between tags in its texts.
var thinkingAloud = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: "<think>I need the tool.</think>\nLet me look."
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: "<think>Cold.</think>\nIt is 4 C in Oslo."
`)

var coreCases = Cases{
	"outcome/final-text": {
		SeesNothing("a refusal is for refusal-told", Refusing, AfterRound("completed: no")),
		Holds("letter for letter", tidy, AfterRound("completed")),
		Holds("without the thinking that is in it", thinkingAloud, Answering("oslo", "result oslo")+": It is 4 C in Oslo."),
		Holds("after an earlier text, without the thinking in both", thinkingAloud, Answering("oslo", "result oslo")+": Let me look. It is 4 C in Oslo."),
		Breaks("with the thinking alone", thinkingAloud, Answering("oslo", "result oslo")+": <think>Cold.</think>",
			Found(2, "", "the reported answer is not the model's", `"<think>Cold.</think>\nIt is 4 C in Oslo."`, `"<think>Cold.</think>"`)),
		Holds("without the space around it", tidy, AfterRound(`completed: "It is 4 C in Oslo.\n\n- wind: none"`)),
		Holds("a leak is for kept-out-of-the-answer", Thinking, AfterRound("completed: The user will be cold.It is 4 C in Oslo.")),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		SeesNothing("not completed is for outcome/completed", OneCity, AfterRound("stopped: done")),
		SeesNothing("a request after the end is for no-request-after-the-end", OneCity, AfterRound(`asks on
		completed: There is nothing more to say.`)),
		SeesNothing("an answer in another form is for other-form-read-or-reported", PlainText, AfterRound("completed: no")),
		SeesNothing("an odd delivery is for the rules about streams", OneCity.By(wire.DeliverBytes), AfterRound("completed: no")),
		Holds("with what was said before a pause, which is the same turn", lookingUp, pausedThen(`completed: "I look up what is normal.\n\nIt is 4 C, as usual."`)),
		Holds("without it", lookingUp, pausedThen("completed: It is 4 C, as usual.")),
		Holds("after its commentary", commented, AfterRound(`completed: "I have it.\n\nIt is 4 C in Oslo."`)),
		Holds("after all that it said on the way", commented, AfterRound(`completed: "Wait. I look it up.\nI have it.\n\nIt is 4 C in Oslo."`)),
		Holds("after its texts on the way, without its commentaries", commented, AfterRound(`completed: "I look it up.\nIt is 4 C in Oslo."`)),
		Holds("after all on the way, without the commentary of the answer", commented, AfterRound(`completed: "Wait. I look it up.\nIt is 4 C in Oslo."`)),
		Holds("without its commentary", commented, AfterRound("completed: It is 4 C in Oslo.")),
		Breaks("the commentary alone", commented, AfterRound("completed: I have it."),
			Found(2, "", "the reported answer is not the model's", `"It is 4 C in Oslo."`, `"I have it."`)),
		Breaks("what was said before the pause alone", lookingUp, pausedThen("completed: I look up what is normal."),
			Found(3, "", "the reported answer is not the model's", `"It is 4 C, as usual."`, `"I look up what is normal."`)),
		Breaks("both in the wrong order", lookingUp, pausedThen("completed: It is 4 C, as usual. I look up what is normal."),
			Found(3, "", "the reported answer is not the model's", `"It is 4 C, as usual."`, `"It is 4 C, as usual. I look up what is normal."`)),
		Breaks("the last word is missing", OneCity, AfterRound("completed: It is 4 C in"),
			Found(2, "", "the reported answer is not the model's", `"It is 4 C in Oslo."`, `"It is 4 C in"`)),
		Holds("after what it said on the way", tidy, AfterRound(`completed: "One moment.\nIt is 4 C in Oslo.\n\n- wind: none"`)),
		Breaks("after what it never said", tidy, AfterRound(`completed: "Let me see.\nIt is 4 C in Oslo.\n\n- wind: none"`),
			Found(2, "", "the reported answer is not the model's", `"\nIt is 4 C in Oslo.\n\n- wind: none\n"`, `"Let me see.\nIt is 4 C in Oslo.\n\n- wind: none"`)),
		Breaks("twice", tidy, AfterRound(`completed: "It is 4 C in Oslo.\n\n- wind: none\nIt is 4 C in Oslo.\n\n- wind: none"`),
			Found(2, "", "the reported answer is not the model's", `"\nIt is 4 C in Oslo.\n\n- wind: none\n"`, `"It is 4 C in Oslo.\n\n- wind: none\nIt is 4 C in Oslo.\n\n- wind: none"`)),
		Breaks("nothing", OneCity, AfterRound("completed:"),
			Found(2, "", "the reported answer is not the model's", `"It is 4 C in Oslo."`, `""`)),
		Breaks("the text of the turn before", tidy, AfterRound("completed: One moment."),
			Found(2, "", "the reported answer is not the model's", `"\nIt is 4 C in Oslo.\n\n- wind: none\n"`, `"One moment."`)),
		Breaks("more than the answer, which is what the model thought too", Obvious, AfterRound("completed: Well. It is 4 C in Oslo."),
			Found(2, "", "the reported answer is not the model's", `"It is 4 C in Oslo."`, `"Well. It is 4 C in Oslo."`)),
	},
	"outcome/completed": {
		SeesNothing("the answer to a prompt, and nobody listens at the next one", GoneAtTheSecond, AfterRound("failed: connection refused")),
		SeesNothing("a refusal may be a failure", Refusing, AfterRound("failed: refused")),
		Holds("completed", OneCity, OneCityDone),
		Holds("another text is for final-text", OneCity, AfterRound("completed: no")),
		Holds("in the last turn that the limit allows", JustEnough, OneCityDone),
		SeesNothing("a last word behind the limit, of a run that is said to be stopped", oneTurn, lastWord("stopped: turn limit")),
		SeesNothing("the same, said to have failed", oneTurn, lastWord("failed: turn limit")),
		Holds("a last word behind the limit, of a run that is said to be completed", oneTurn, lastWord("completed")),
		Breaks("stopped, and the model could have called a tool", JustEnough, AfterRound("stopped: turn limit"),
			Found(2, "", "the model answered, and the run was not reported as completed", "status completed", "the loop reported stopped (reason: turn limit)")),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		SeesNothing("the model did not answer", Half, AfterRound("stopped: length")),
		SeesNothing("a crash is for run-ends", OneCity, AfterRound("crashed")),
		Breaks("stopped", OneCity, AfterRound("stopped: done"),
			Found(2, "", "the model answered, and the run was not reported as completed", "status completed", "the loop reported stopped (reason: done)")),
		Breaks("failed, long after a tool failed", Down, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn
			failed: a tool failed`,
			Found(2, "", "the model answered, and the run was not reported as completed", "status completed", `the loop reported failed: "a tool failed"`)),
	},
	"outcome/no-made-up-answer": {
		Holds("the model's", OneCity, OneCityDone),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		SeesNothing("a refused connection is for refused-connection-reported", Gone, AfterRound(`runs lima
		completed: no`)),
		SeesNothing("a run that ended in the middle, and says so", TwoRounds, AfterRound("failed: tired")),
		SeesNothing("the turn limit is for limit-is-told", Limited, AfterRound("completed: I looked everywhere.")),
		SeesNothing("a truncated answer is for length-is-not-success", Half, AfterRound("completed: no")),
		SeesNothing("a blank one is for blank-completion-reported", EmptyAnswer, AfterRound("completed: no")),
		SeesNothing("an error is for http-error-reported", Refused, AfterRound("completed: no")),
		SeesNothing("a cut answer is for cut-stream-reported", BrokenAnswer.By(wire.DeliverSSE), AfterRound("completed: no")),
		SeesNothing("the word stop is for calls-decide", Stopping, `
			asks
			completed: no`),
		SeesNothing("text alongside calls in a stream is for text-beside-calls", Talking.By(wire.DeliverSSE), `
			asks
			completed: I look up both.`),
		Breaks("in the middle", TwoRounds, AfterRound("completed: Done."),
			Found(0, "", "the run was reported as completed although the model had asked for tools", "an answer of the model, or status failed or stopped", `status completed with the text "Done."`)),
		Breaks("without the model", OneCity, `
			completed: It is 4 C in Oslo.`,
			Found(0, "", "the run was reported as completed although the model was never asked", "an answer of the model, or status failed or stopped", `status completed with the text "It is 4 C in Oslo."`)),
		Breaks("asked for something else", OneCity, `
			asks
				user: What is the weather?
			completed: It is 4 C in Oslo.`,
			Found(0, "", "the run was reported as completed although what the user asks was in none of 1 request", "an answer of the model, or status failed or stopped", `status completed with the text "It is 4 C in Oslo."`)),
		Breaks("after a call in a cut stream", BrokenCall.By(wire.DeliverSSE), AfterRound("completed: no"),
			Found(0, "", "the run was reported as completed although the last answer broke off", "an answer of the model, or status failed or stopped", `status completed with the text "no"`)),
	},
	"outcome/asks-the-model": {
		Holds("an answer", OneCity, OneCityDone),
		Holds("a run that fails later", OneCity, AfterRound("failed: tired")),
		SeesNothing("no tool was used", NoTools, `
			asks
			failed: tired`),
		SeesNothing("an answer without the model is for no-made-up-answer", OneCity, "completed: no"),
		SeesNothing("a hang is for run-ends", OneCity, "hung"),
		SeesNothing("the time was over before the first request", Hanging, `
			waits 2s
			stopped: out of time`),
		Breaks("the time was not over", Hanging, "stopped: nothing to do",
			Found(0, "", "the model was never asked", `a request with "What is the weather in Oslo?"`, "the loop reported stopped (reason: nothing to do)")),
		SeesNothing("a system prompt with braces is for system-prompt-is-no-template", Braced, "failed: missing variable language"),
		Breaks("a system prompt without braces", Instructed, "failed: missing variable language",
			Found(0, "", "the model was never asked", `a request with "What is the weather in Oslo?"`, `the loop reported failed: "missing variable language"`)),
		Breaks("it fails by itself", OneCity, "failed: missing variables",
			Found(0, "", "the model was never asked", `a request with "What is the weather in Oslo?"`, `the loop reported failed: "missing variables"`)),
		Breaks("it stops by itself", OneCity, "stopped: nothing to do",
			Found(0, "", "the model was never asked", `a request with "What is the weather in Oslo?"`, "the loop reported stopped (reason: nothing to do)")),
		Breaks("it asks for something else", OneCity, `
			asks
				user: What is the weather?
			sends garbage
			failed: no answer`,
			Found(0, "", "the model was asked for something else", `a request with "What is the weather in Oslo?"`, `the loop reported failed: "no answer" after 2 requests`)),
	},
	"outcome/as-expected": {
		Holds("failed as expected", wrongKey, AfterRound("failed: the key is wrong")),
		Holds("either way", anyFailed, AfterRound("stopped: enough")),
		Holds("another text than the model's", rounded, AfterRound("completed: 4 C")),
		Breaks("failed on its own", goesOn, AfterRound("failed: tired"),
			Found(0, "", "the run is reported with another status than the scenario expects", "status completed", `the loop reported failed: "tired"`)),
		Holds("an answer that is reported as a stop is for completed", plain, AfterRound("stopped: enough")),
		SeesNothing("the scenario expects nothing", OneCity, OneCityDone),
		SeesNothing("the model was never asked", wrongKey, "failed: tired"),
		SeesNothing("an error that is swallowed is for http-error-reported", anyFailed, AfterRound("completed: no")),
		SeesNothing("a crash is for run-ends", wrongKey, AfterRound("crashed")),
		Breaks("stopped", wrongKey, AfterRound("stopped: enough"),
			Found(0, "", "the run is reported with another status than the scenario expects", "status failed", "the loop reported stopped (reason: enough)")),
		Breaks("the model's own text", rounded, AfterRound("completed: 4.2 C"),
			Found(0, "", "the reported text is not the one that the scenario expects", `"4 C"`, `"4.2 C"`)),
	},
	"outcome/refusal-told": {
		Holds("as the answer", Refusing, AfterRound("completed: I cannot help with that.")),
		Holds("as a failure", Refusing, AfterRound("failed: refused: I cannot help with that.")),
		Holds("as the reason of a stop", Refusing, AfterRound("stopped: I cannot help with that.")),
		SeesNothing("an answer", OneCity, OneCityDone),
		Breaks("another answer", Refusing, AfterRound("completed: no"),
			Found(2, "", "the model refused, and the outcome does not tell its words", `"I cannot help with that."`, `status completed with "no"`)),
		Breaks("an obscure error", Refusing, AfterRound("failed: no content"),
			Found(2, "", "the model refused, and the outcome does not tell its words", `"I cannot help with that."`, `status failed with "no content"`)),
	},
	"outcome/run-ends": {
		Holds("completed", OneCity, OneCityDone),
		Holds("failed", OneCity, AfterRound("failed: tired")),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		SeesNothing("a wait of a day is for absurd-wait-not-slept", Tomorrow, AfterRound("hung")),
		SeesNothing("an end after many waits is for waits-in-time", Busy, AfterRound("asks on after 4s\nasks on after 4s\nhung")),
		SeesNothing("a wait behind an answer that broke off is for waits-in-time", BrokenAnswer, AfterRound("asks on after 4s\nhung")),
		SeesNothing("a wait before another attempt is for waits-in-time", Closed, AfterRound("asks on after 4s\nasks on after 1s\nhung")),
		Breaks("a hang after errors that were met at once", Closed, AfterRound(Again(2)+"hung"),
			Found(0, "", "the loop hung", "an outcome within 10000 ms", "exit code 1\nit had sent 4 requests\nthe last answer was an error: a loop that waits long before it asks again needs more time (--timeout) or shorter waits")),
		Breaks("a silence after the first 429 may be a wait", Busy, AfterRound("hung"),
			Found(0, "", "the time of the task was over in silence after an error: the loop still waited for its retry, or hung", "an outcome within 10000 ms", "no request for 10s\nthe last answer was an error: a loop that waits long before it asks again needs more time (--timeout) or shorter waits").Only(trace.Should)),
		Breaks("a hang after an error that is for good", Refused, AfterRound("hung"),
			Found(0, "", "the loop hung", "an outcome within 10000 ms", "exit code 1\nit had sent 2 requests\nthe last answer was an error: a loop that waits long before it asks again needs more time (--timeout) or shorter waits")),
		Breaks("a crash", OneCity, AfterRound("crashed"),
			Found(0, "", "the loop crashed", "an outcome within 10000 ms", "exit code 1")),
		Breaks("a hang in the middle", OneCity, "asks\nhung",
			Found(0, "", "the loop hung", "an outcome within 10000 ms", "exit code 1\nit had sent 1 request")),
		Breaks("a hang that never stops asking", OneCity, Round("calls oslo\nresult oslo")+"\nasks on\nasks on\nhung",
			Found(0, "", "the loop hung", "an outcome within 10000 ms", "exit code 1\nit had sent 4 requests, 2 of them after the last answer of the script")),
		Breaks("a hang before anything was sent", OneCity, "hung",
			Found(0, "", "the loop hung", "an outcome within 10000 ms", "exit code 1")),
	},
}

// oneTurn may ask the model once, and it calls a tool.
var oneTurn = Scene("max-turns: 1\n" + OneCity.Scenario)

// lastWord asks the model once more for a last word, behind the limit of one turn.
func lastWord(end string) string {
	return `
		asks
		runs oslo
		asks on without tools
			calls oslo
			result oslo
		` + end
}
