package rules

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

var (
	// thinking reasons before it calls and before it answers.
	thinking = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: I need the weather in Oslo.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: The user will be cold.
    text: It is 4 C in Oslo.
`).under("deepseek")
	// obvious thinks what it says.
	obvious = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: I look it up.
    text: I look it up. One moment.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: It is 4 C in Oslo.
    text: It is 4 C in Oslo.
`).under("deepseek")
	// tidy has space around its answer.
	tidy = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: One moment.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: "\nIt is 4 C in Oslo.\n\n- wind: none\n"
`)
	// emptyAnswer, brokenAnswer and busy end badly after one round.
	emptyAnswer  = badEnd(`{text: "", times: 3}`)
	brokenAnswer = badEnd(`{text: "It is 4 C in Oslo, and tomorrow", cut: {before: finish}, times: 3}`)
	brokenCall   = badEnd(`{calls: [{as: pay, tool: get_weather, arguments: '{"city":"Lima"}'}], cut: {before: finish}}`)
	inBand       = badEnd(`{text: "It is 4 C in Oslo, and tomorrow", in-band-error: {after: 3 events}, times: 3}`)
	refused      = badEnd(`{status: 401, times: 3}`)
	// wrongKey and rounded say how they must come out.
	wrongKey  = badEnd("{status: 401, times: 3}\nexpect: {status: failed}")
	anyFailed = badEnd("{status: 401, times: 3}\nexpect: {status: not-completed}")
	goesOn    = badEnd("calls: [{as: lima, tool: get_weather, arguments: '{\"city\":\"Lima\"}'}]\n  - {text: Lima is warmer.}\nexpect: {status: completed}")
	plain     = badEnd("{text: 4 C}\nexpect: {status: completed}")
	refusing  = badEnd("{refusal: I cannot help with that.}")
	// lookingUp looks something up before it answers.
	lookingUp = scene(strings.Replace(weatherTool, "tools:", "prompt: Is 4 C normal?\ntools:", 1) + `
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: I look up what is normal.
    finish: pause
  - text: It is 4 C, as usual.
`).under("anthropic")
	rounded = badEnd("{text: 4.2 C}\nexpect: {text: 4 C, status: completed}")
)

// pausedThen sends the turn back that paused, and ends.
func pausedThen(end string) string {
	return afterRound("asks on\n\t\t\tassistant: I look up what is normal.\n\t\t" + end)
}

func badEnd(step string) setting {
	return scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - ` + step + `
`)
}

var outcomeCases = ruleCases{
	"outcome/final-text": {
		seesNothing("a refusal is for refusal-told", refusing, afterRound("completed: no")),
		holds("letter for letter", tidy, afterRound("completed")),
		holds("without the space around it", tidy, afterRound(`completed: "It is 4 C in Oslo.\n\n- wind: none"`)),
		holds("a leak is for kept-out-of-the-answer", thinking, afterRound("completed: The user will be cold.It is 4 C in Oslo.")),
		seesNothing("no tool was used", noTools, noToolsDone),
		seesNothing("not completed is for outcome/completed", oneCity, afterRound("stopped: done")),
		seesNothing("a request after the end is for no-request-after-the-end", oneCity, afterRound(`asks on
		completed: There is nothing more to say.`)),
		seesNothing("an answer in another form is for other-form-read-or-reported", plainText, afterRound("completed: no")),
		seesNothing("an odd delivery is for the rules about streams", oneCity.by(wire.DeliverBytes), afterRound("completed: no")),
		holds("with what was said before a pause, which is the same turn", lookingUp, pausedThen(`completed: "I look up what is normal.\n\nIt is 4 C, as usual."`)),
		holds("without it", lookingUp, pausedThen("completed: It is 4 C, as usual.")),
		breaks("what was said before the pause alone", lookingUp, pausedThen("completed: I look up what is normal."),
			finding{3, "", "the reported answer is not the model's", `"It is 4 C, as usual."`, `"I look up what is normal."`}),
		breaks("both in the wrong order", lookingUp, pausedThen("completed: It is 4 C, as usual. I look up what is normal."),
			finding{3, "", "the reported answer is not the model's", `"It is 4 C, as usual."`, `"It is 4 C, as usual. I look up what is normal."`}),
		breaks("the last word is missing", oneCity, afterRound("completed: It is 4 C in"),
			finding{2, "", "the reported answer is not the model's", `"It is 4 C in Oslo."`, `"It is 4 C in"`}),
		holds("behind what it said on the way", tidy, afterRound(`completed: "One moment.\nIt is 4 C in Oslo.\n\n- wind: none"`)),
		breaks("behind what it never said", tidy, afterRound(`completed: "Let me see.\nIt is 4 C in Oslo.\n\n- wind: none"`),
			finding{2, "", "the reported answer is not the model's", `"\nIt is 4 C in Oslo.\n\n- wind: none\n"`, `"Let me see.\nIt is 4 C in Oslo.\n\n- wind: none"`}),
		breaks("twice", tidy, afterRound(`completed: "It is 4 C in Oslo.\n\n- wind: none\nIt is 4 C in Oslo.\n\n- wind: none"`),
			finding{2, "", "the reported answer is not the model's", `"\nIt is 4 C in Oslo.\n\n- wind: none\n"`, `"It is 4 C in Oslo.\n\n- wind: none\nIt is 4 C in Oslo.\n\n- wind: none"`}),
		breaks("nothing", oneCity, afterRound("completed:"),
			finding{2, "", "the reported answer is not the model's", `"It is 4 C in Oslo."`, `""`}),
		breaks("the text of the turn before", tidy, afterRound("completed: One moment."),
			finding{2, "", "the reported answer is not the model's", `"\nIt is 4 C in Oslo.\n\n- wind: none\n"`, `"One moment."`}),
		breaks("more than the answer, which is what the model thought too", obvious, afterRound("completed: Well. It is 4 C in Oslo."),
			finding{2, "", "the reported answer is not the model's", `"It is 4 C in Oslo."`, `"Well. It is 4 C in Oslo."`}),
	},
	"outcome/completed": {
		seesNothing("a refusal may be a failure", refusing, afterRound("failed: refused")),
		holds("completed", oneCity, oneCityDone),
		holds("another text is for final-text", oneCity, afterRound("completed: no")),
		holds("in the last turn that the limit allows", justEnough, oneCityDone),
		seesNothing("no tool was used", noTools, noToolsDone),
		seesNothing("the model did not answer", half, afterRound("stopped: length")),
		seesNothing("a crash is for run-ends", oneCity, afterRound("crashed")),
		breaks("stopped", oneCity, afterRound("stopped: done"),
			finding{2, "", "the model answered, and the run was not reported as completed", "status completed", "the loop reported stopped (reason: done)"}),
		breaks("failed, long after a tool failed", down, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn
			failed: a tool failed`,
			finding{2, "", "the model answered, and the run was not reported as completed", "status completed", `the loop reported failed: "a tool failed"`}),
	},
	"outcome/no-made-up-answer": {
		holds("the model's", oneCity, oneCityDone),
		seesNothing("no tool was used", noTools, noToolsDone),
		seesNothing("a refused connection is for refused-connection-reported", gone, afterRound(`runs lima
		completed: no`)),
		seesNothing("a run that ended in the middle, and says so", twoRounds, afterRound("failed: tired")),
		seesNothing("the turn limit is for limit-is-told", limited, afterRound("completed: I looked everywhere.")),
		seesNothing("a truncated answer is for length-is-not-success", half, afterRound("completed: no")),
		seesNothing("a blank one is for blank-completion-reported", emptyAnswer, afterRound("completed: no")),
		seesNothing("an error is for http-error-reported", refused, afterRound("completed: no")),
		seesNothing("a cut answer is for cut-stream-reported", brokenAnswer.by(wire.DeliverSSE), afterRound("completed: no")),
		seesNothing("the word stop is for calls-decide", stopping, `
			asks
			completed: no`),
		seesNothing("text beside calls in a stream is for text-beside-calls", talking.by(wire.DeliverSSE), `
			asks
			completed: I look up both.`),
		breaks("in the middle", twoRounds, afterRound("completed: Done."),
			finding{0, "", "the run was reported as completed although the model had asked for tools", "an answer of the model, or status failed or stopped", `status completed with the text "Done."`}),
		breaks("without the model", oneCity, `
			completed: It is 4 C in Oslo.`,
			finding{0, "", "the run was reported as completed although the model was never asked", "an answer of the model, or status failed or stopped", `status completed with the text "It is 4 C in Oslo."`}),
		breaks("asked for something else", oneCity, `
			asks
				user: What is the weather?
			completed: It is 4 C in Oslo.`,
			finding{0, "", "the run was reported as completed although what the user asks was in none of 1 request", "an answer of the model, or status failed or stopped", `status completed with the text "It is 4 C in Oslo."`}),
		breaks("after a call in a cut stream", brokenCall.by(wire.DeliverSSE), afterRound("completed: no"),
			finding{0, "", "the run was reported as completed although the model had asked for tools", "an answer of the model, or status failed or stopped", `status completed with the text "no"`}),
	},
	"outcome/asks-the-model": {
		holds("an answer", oneCity, oneCityDone),
		holds("a run that fails later", oneCity, afterRound("failed: tired")),
		seesNothing("no tool was used", noTools, `
			asks
			failed: tired`),
		seesNothing("an answer without the model is for no-made-up-answer", oneCity, "completed: no"),
		seesNothing("a hang is for run-ends", oneCity, "hung"),
		seesNothing("a system prompt with braces is for system-prompt-is-no-template", braced, "failed: missing variable language"),
		breaks("a system prompt without braces", instructed, "failed: missing variable language",
			finding{0, "", "the model was never asked", `a request with "What is the weather in Oslo?"`, `the loop reported failed: "missing variable language"`}),
		breaks("it fails by itself", oneCity, "failed: missing variables",
			finding{0, "", "the model was never asked", `a request with "What is the weather in Oslo?"`, `the loop reported failed: "missing variables"`}),
		breaks("it stops by itself", oneCity, "stopped: nothing to do",
			finding{0, "", "the model was never asked", `a request with "What is the weather in Oslo?"`, "the loop reported stopped (reason: nothing to do)"}),
		breaks("it asks for something else", oneCity, `
			asks
				user: What is the weather?
			sends garbage
			failed: no answer`,
			finding{0, "", "the model was asked for something else", `a request with "What is the weather in Oslo?"`, `the loop reported failed: "no answer" after 2 requests`}),
	},
	"outcome/as-expected": {
		holds("failed as expected", wrongKey, afterRound("failed: the key is wrong")),
		holds("either way", anyFailed, afterRound("stopped: enough")),
		holds("another text than the model's", rounded, afterRound("completed: 4 C")),
		breaks("failed on its own", goesOn, afterRound("failed: tired"),
			finding{0, "", "the run is reported with another status than the scenario expects", "status completed", `the loop reported failed: "tired"`}),
		holds("an answer that is reported as a stop is for completed", plain, afterRound("stopped: enough")),
		seesNothing("the scenario expects nothing", oneCity, oneCityDone),
		seesNothing("the model was never asked", wrongKey, "failed: tired"),
		seesNothing("an error that is swallowed is for http-error-reported", anyFailed, afterRound("completed: no")),
		seesNothing("a crash is for run-ends", wrongKey, afterRound("crashed")),
		breaks("stopped", wrongKey, afterRound("stopped: enough"),
			finding{0, "", "the run is reported with another status than the scenario expects", "status failed", "the loop reported stopped (reason: enough)"}),
		breaks("the model's own text", rounded, afterRound("completed: 4.2 C"),
			finding{0, "", "the reported text is not the one that the scenario expects", `"4 C"`, `"4.2 C"`}),
	},
	"outcome/refusal-told": {
		holds("as the answer", refusing, afterRound("completed: I cannot help with that.")),
		holds("as a failure", refusing, afterRound("failed: refused: I cannot help with that.")),
		holds("as the reason of a stop", refusing, afterRound("stopped: I cannot help with that.")),
		seesNothing("an answer", oneCity, oneCityDone),
		breaks("another answer", refusing, afterRound("completed: no"),
			finding{2, "", "the model refused, and the outcome does not tell its words", `"I cannot help with that."`, `status completed with "no"`}),
		breaks("an obscure error", refusing, afterRound("failed: no content"),
			finding{2, "", "the model refused, and the outcome does not tell its words", `"I cannot help with that."`, `status failed with "no content"`}),
	},
	"outcome/run-ends": {
		holds("completed", oneCity, oneCityDone),
		holds("failed", oneCity, afterRound("failed: tired")),
		seesNothing("no tool was used", noTools, noToolsDone),
		seesNothing("a wait of a day is for absurd-wait-not-slept", tomorrow, afterRound("hung")),
		seesNothing("a wait before another attempt is for waits-in-time", closed, afterRound("asks on after 4s\nasks on after 1s\nhung")),
		breaks("a hang after errors that were met at once", closed, afterRound(again(2)+"hung"),
			finding{0, "", "the loop hung", "an outcome within 10000 ms", "exit code 1\nit had sent 4 requests\nthe last answer was an error: a loop that waits long before it asks again needs more time (--timeout) or shorter waits"}),
		breaks("a crash", oneCity, afterRound("crashed"),
			finding{0, "", "the loop crashed", "an outcome within 10000 ms", "exit code 1"}),
		breaks("a hang in the middle", oneCity, "asks\nhung",
			finding{0, "", "the loop hung", "an outcome within 10000 ms", "exit code 1\nit had sent 1 request"}),
		breaks("a hang that never stops asking", oneCity, round("calls oslo\nresult oslo")+"\nasks on\nasks on\nhung",
			finding{0, "", "the loop hung", "an outcome within 10000 ms", "exit code 1\nit had sent 4 requests, 2 of them after the last answer of the script"}),
		breaks("a hang before anything was sent", oneCity, "hung",
			finding{0, "", "the loop hung", "an outcome within 10000 ms", "exit code 1"}),
	},
}
