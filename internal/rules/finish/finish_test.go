package finish_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	filtered = Ending("content-filter")
	// halfAtOnce is cut off in the first answer.
	halfAtOnce = Scene(`
prompt: Tell me a story.
model: [{text: Once upon, finish: length}]
`)
	// filteredCall is filtered after a whole call.
	filteredCall = Scene(WeatherTool + `
prompt: What is the weather?
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    finish: content-filter
`)
)

var coreCases = Cases{
	"finish/cut-call-not-run": {
		Holds("the run stops", CutInCall, AfterList("stopped: length")),
		Holds("the model is told and asked again", CutInCall, AfterList(`asks on
			calls delete
			result delete: Error: the call was cut off by the token limit; repeat it
		completed`)),
		Holds("whole calls alongside it are for truncated-turn-not-run", CutAfterCall, AfterList(`runs first
		asks on
			calls first
			result first
		completed`)),
		SeesNothing("a loop that ran nothing so far", CutInCall, `
			asks
			asks on
				calls list
				result list
			stopped: length`),
		SeesNothing("nothing was cut off", OneCity, OneCityDone),
		Breaks("completed and run", CutInCall, AfterList(`runs delete with {"name":"a.o"}
		completed`),
			Found(2, "", `the call delete was run although its turn ended with finish_reason: "length"`, "no run", `delete_file run with "{\"name\":\"a.o\"}"`)),
		Breaks("run with nothing", CutInCall, AfterList(`runs delete with {}
		completed`),
			Found(2, "", `the call delete was run although its turn ended with finish_reason: "length"`, "no run", `delete_file run with "{}"`)),
		Breaks("handed to the tool as it is", CutInCall, AfterList(`runs delete
		completed`),
			Found(2, "", `the call delete was run although its turn ended with finish_reason: "length"`, "no run", `delete_file run with "{\"name\":\"a.o"`)),
	},
	"finish/truncated-turn-not-run": {
		Holds("nothing is run", CutAfterCall, AfterList("stopped: length")),
		Holds("the cut one is for cut-call-not-run", CutAfterCall, AfterList(`runs second with {}
		stopped: length`)),
		SeesNothing("nothing was cut off", OneCity, OneCityDone),
		SeesNothing("only the cut call", CutInCall, AfterList("stopped: length")),
		Breaks("the whole call is run", CutAfterCall, AfterList(`runs first
		stopped: length`),
			Found(2, "", `the call first was run although its turn ended with finish_reason: "length"`, "no run", `delete_file run with "{\"name\":\"a.old\"}"`)),
		Breaks("a filtered turn is run", filteredCall, `
			asks
			runs lima
			asks on
				calls lima
				result lima
			runs oslo
			stopped: content_filter`,
			Found(2, "", `the call oslo was run although its turn ended with finish_reason: "content_filter"`, "no run", `get_weather run with "{\"city\":\"Oslo\"}"`)),
	},
	"finish/length-is-not-success": {
		Holds("stopped", Half, AfterRound("stopped: length")),
		Holds("failed", Half, AfterRound("failed: the answer was cut off")),
		Holds("completed, with the reason", Half, AfterRound("completed (length): The weather in Oslo is not")),
		Holds("completed, with the reason in other words", Half, AfterRound("completed (MAX_TOKENS): The weather in Oslo is not")),
		Holds("the rest was asked for", Half, AfterRound(`asks on
			assistant: The weather in Oslo is not
			user: Go on.
		completed: The weather in Oslo is not bad.`)),
		SeesNothing("whole", OneCity, OneCityDone),
		SeesNothing("no tool was used", halfAtOnce, `
			asks
			stopped: length`),
		SeesNothing("filtered", filtered, AfterRound("stopped: content_filter")),
		Breaks("completed", Half, AfterRound("completed: The weather in Oslo is not"),
			Found(2, "", `an answer that ended with finish_reason: "length" was reported as completed`, `an outcome with the status stopped or failed, or with "length" as its finish reason`, `status completed with the text "The weather in Oslo is not"`)),
		Breaks("completed, with another reason", Half, AfterRound("completed (stop): The weather in Oslo is not"),
			Found(2, "", `an answer that ended with finish_reason: "length" was reported as completed`, `an outcome with the status stopped or failed, or with "length" as its finish reason`, `status completed with the text "The weather in Oslo is not"`)),
		Breaks("completed, cut inside a call", CutInCall, AfterList("completed: Done."),
			Found(2, "", `an answer that ended with finish_reason: "length" was reported as completed`, `an outcome with the status stopped or failed, or with "length" as its finish reason`, `status completed with the text "Done."`)),
	},
	"finish/cut-is-told": {
		Holds("as the reason", Half, AfterRound("stopped: length")),
		Holds("in an error", Half, AfterRound("failed: the answer was cut off")),
		Holds("as the finish reason", Half, AfterRound("failed (max_tokens): no answer")),
		SeesNothing("completed is for length-is-not-success", Half, AfterRound("completed: The weather in Oslo is not")),
		SeesNothing("whole", OneCity, OneCityDone),
		SeesNothing("filtered", filtered, AfterRound("stopped: content_filter")),
		Breaks("a parser's error", CutInCall, AfterList("failed: EOF while parsing a string"),
			Found(2, "", "the token limit ended the run, and the outcome does not say so", "an outcome whose reason, error or finish reason tells of the limit", `the loop reported failed: "EOF while parsing a string"`)),
	},
	"finish/content-filter-is-not-success": {
		Holds("stopped", filtered, AfterRound("stopped: content_filter")),
		Holds("completed, with the reason", filtered, AfterRound("completed (content_filter): The weather in Oslo is not")),
		Holds("completed, with the reason in other words", filtered, AfterRound("completed (contentFilter): The weather in Oslo is not")),
		SeesNothing("whole", OneCity, OneCityDone),
		SeesNothing("cut off", Half, AfterRound("stopped: length")),
		Breaks("completed", filtered, AfterRound("completed:"),
			Found(2, "", `an answer that ended with finish_reason: "content_filter" was reported as completed`, `an outcome with the status stopped or failed, or with "content_filter" as its finish reason`, `status completed with the text ""`)),
	},
	"finish/calls-decide": {
		Holds("run and answered", Stopping, OneCityDone),
		SeesNothing("the word is tool_calls", OneCity, OneCityDone),
		SeesNothing("the word is length", CutInCall, AfterList("stopped: length")),
		SeesNothing("no later request or outcome", Stopping, `
			asks
			crashed`),
		SeesNothing("the turn limit is reached", stoppingLimited, `
			asks
			stopped: the limit of 1 turn is reached`),
		SeesNothing("a call without any arguments ends it", stoppingBlank, `
			asks
			failed: unexpected end of JSON input`),
		SeesNothing("a call that cannot be run ends it", stoppingBadly, `
			asks
			failed: there is no such tool`),
		Breaks("the end of the run", Stopping, `
			asks
			completed:`,
			Found(1, "", `a turn with tool calls and finish_reason: "stop" ended the run`, `the calls are run and answered: get_weather "{\"city\":\"Oslo\"}"`, "the loop reported completed")),
		Breaks("the end of the run, though the tool was run", Stopping, `
			asks
			runs oslo
			completed:`,
			Found(1, "", `a turn with tool calls and finish_reason: "stop" ended the run`, `the calls are run and answered: get_weather "{\"city\":\"Oslo\"}"`, "the loop reported completed")),
	},
}

// stoppingBadly calls a tool that does not exist.
var stoppingBadly = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: open_browser, arguments: '{}', not-offered: true}]
    finish: stop
  - text: It is 4 C in Oslo.
`)

// stoppingBlank makes a call without arguments, not even {}.
var stoppingBlank = Scene(ClockTool + `
prompt: What is the time?
model:
  - calls: [{as: time, tool: get_time}]
    finish: stop
  - text: It is 12:00.
`)

// stoppingLimited may ask the model once.
var stoppingLimited = Scene("max-turns: 1\n" + Stopping.Scenario)
