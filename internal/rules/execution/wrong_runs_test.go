package execution_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

var wrongRunCases = Cases{
	"execution/no-call-run-twice": {
		Holds("one run each", TwoCities, TwoCitiesDone),
		Holds("the same call in two turns, without ids", SamePrice, `
			asks
			runs get_price {"share":"ACME"}
			asks on
				calls first
				result first
			runs get_price {"share":"ACME"}
			completed`),
		Holds("equal calls without ids", TwoDice, `
			asks
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			completed`),
		Holds("a tool that failed is tried again", Down, `
			asks
			runs bonn
			runs bonn
			completed`),
		Holds("again with a retry is for no-tool-run-twice", Payment, `
			asks
			runs pay
			asks on
				calls pay
				result pay
			runs pay
			asks on
			completed`),
		SeesNothing("no tool was run", NoTools, NoToolsDone),
		Breaks("twice at once", OneCity, `
			asks
			runs oslo
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "", "the call oslo was run 2 times", "one run of get_weather", "2 runs")),
		Breaks("three times, without ids", OneCity, `
			asks
			runs get_weather {"city":"Oslo"}
			runs get_weather { "city": "Oslo" }
			runs get_weather {"city":"Oslo"}
			completed`,
			Found(1, "", "the call oslo was run 3 times", "one run of get_weather", "3 runs")),
		Breaks("the first call again in the second turn", TwoRounds, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			runs oslo
			runs lima
			completed`,
			Found(1, "", "the call oslo was run 2 times", "one run of get_weather", "2 runs")),
	},
	"execution/no-tool-run-uncalled": {
		Holds("one run each", TwoCities, TwoCitiesDone),
		Holds("under ids of the loop's own", TwoCities, `
			asks
			runs oslo as 1
			runs lima as 2
			completed`),
		Holds("twice is for no-call-run-twice", OneCity, `
			asks
			runs oslo
			runs oslo
			completed`),
		SeesNothing("no tool was run", NoTools, NoToolsDone),
		Breaks("before the model was asked", OneCity, `
			runs get_weather {}
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			Found(0, "", "the tool get_weather was run without a call of it", "no run", `get_weather run with "{}"`)),
		Breaks("another tool than was called", TwoTools, `
			asks
			runs get_time {"city":"Lima"}
			completed`,
			Found(0, "", "the tool get_time was run without a call of it", "no run", `get_time run with "{\"city\":\"Lima\"}"`)),
	},
	"execution/siblings-unaffected": {
		Holds("an equal one without any arguments is refused", equalBesideBlank, `
			asks
			runs get_time {}
			asks on
				calls blank, time
				result blank: Error: no JSON
				result time
			completed`),
		Holds("the other one fails", OneFails, `
			asks
			runs bonn
			runs lima
			asks on
				calls bonn, lima
				result bonn: Error: the service is down
				result lima
			completed`),
		Holds("the other one is broken", OneBroken, `
			asks
			runs lima
			asks on
				calls broken, lima
				result broken: Error: no JSON
				result lima
			completed`),
		Breaks("the other one fails, and this one is cancelled", OneFails, `
			asks
			runs bonn
			runs lima for 1s given up
			asks on
				calls bonn, lima
				result bonn: Error: the service is down
				result lima: Error: cancelled
			completed`,
			Found(2, "", "the call lima was given up while its tool ran; a sibling of it is bad", "a next request when get_weather has returned", "a next request without waiting for it").Only(trace.Should)),
		Breaks("the other one fails, and nobody waits for this one", OneFails, `
			asks
			runs bonn
			runs lima for 1h
			asks on
				calls bonn, lima
				result bonn: Error: the service is down
				result lima: Error: cancelled
			completed`,
			Found(2, "", "the call lima was given up while its tool ran; a sibling of it is bad", "a next request when get_weather has returned", "a next request without waiting for it").Only(trace.Should)),
		SeesNothing("all is well", TwoCities, TwoCitiesDone),
		SeesNothing("the user went on", ResumedBehindFailedTool, GivesUpAtFailedTool),
		SeesNothing("the other one has no arguments at all", besideBlank, `
			asks
			runs bonn
			asks on
				calls time, bonn
				result time: Error: no JSON
				result bonn: Error: the service is down
			completed`),
		SeesNothing("no later request or outcome", OneBroken, `
			asks
			hung`),
		Breaks("nothing is run alongside a broken call", OneBroken, `
			asks
			asks on
				calls broken, lima
				result broken: Error: no JSON
				result lima: skipped
			completed`,
			Found(1, "", "the call lima was not run; a sibling of it is bad", `get_weather is run with "{\"city\":\"Lima\"}"`, "no run")),
		Holds("the run ends with an error, which is for bad-call-survived", mistakeLater(`{as: browser, tool: open_browser, arguments: '{"url":"x"}', not-offered: true}, {as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}`),
			afterLima("failed: there is no tool open_browser")),
		SeesNothing("an error of a loop that has done nothing", MadeUp, `
			asks
			failed: there is no tool open_browser`),
		Breaks("an unknown tool ends the run without an error", MadeUp, `
			asks
			stopped: done`,
			Found(1, "", "the call oslo was not run; a sibling of it is bad", `get_weather is run with "{\"city\":\"Oslo\"}"`, "no run")),
		Breaks("the first failure ends the run, completed", OneFails, `
			asks
			runs bonn
			completed: the service is down`,
			Found(1, "", "the call lima was not run; a sibling of it is bad", `get_weather is run with "{\"city\":\"Lima\"}"`, "no run")),
	},
}
