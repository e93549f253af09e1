package execution_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var callCases = Cases{
	"execution/wordless-failure-told": {
		Holds("a word of the loop's own", wordless, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn: Error
			completed`),
		SeesNothing("a tool that says why", Down, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn: Error: down
			completed`),
		SeesNothing("the run ended", wordless, `
			asks
			runs bonn
			failed: null`),
		Breaks("nothing", wordless, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn:
			completed`,
			Found(2, "/messages/2/content", "the call bonn, whose tool failed without a word, was answered with nothing", "words from which the model knows that the tool failed", `""`)),
	},
	"execution/own-arguments": {
		Holds("each its own", TwoCities, TwoCitiesDone),
		Holds("each its own, without ids, the second first", TwoCities, `
			asks
			runs get_weather {"city":"Lima"}
			runs get_weather {"city":"Oslo"}
			completed`),
		Holds("arguments of nobody are for reach-the-tool", TwoCities, `
			asks
			runs oslo with {"city":"Rome"}
			runs lima
			completed`),
		SeesNothing("one call", OneCity, OneCityDone),
		SeesNothing("equal calls", TwoDice, `
			asks
			runs first
			runs second
			completed`),
		Breaks("all calls with the arguments of the first", TwoCities, `
			asks
			runs oslo
			runs lima with {"city":"Oslo"}
			completed`,
			Found(1, "", "the call lima was run with the arguments of oslo", `"{\"city\":\"Lima\"}"`, `"{\"city\":\"Oslo\"}"`)),
		Breaks("all calls with the arguments of the last, without ids", TwoCities, `
			asks
			runs get_weather {"city":"Lima"}
			runs get_weather {"city":"Lima"}
			completed`,
			Found(1, "", "the call oslo was run with the arguments of lima", `"{\"city\":\"Oslo\"}"`, `"{\"city\":\"Lima\"}"`)),
	},
	"execution/invalid-json-not-run": {
		Holds("answered, not run", brokenThenGood, `
			asks
			runs lima
			asks on
				calls lima
				result lima
			asks on
				calls broken
				result broken: Error: no JSON
			completed`),
		Holds("the tool itself was given the broken text and refused it", brokenThenGood, `
			asks
			runs lima
			asks on
				calls lima
				result lima
			runs broken
			asks on
				calls broken
				result broken: the arguments are not JSON
			completed`),
		SeesNothing("no such call", TwoCities, TwoCitiesDone),
		SeesNothing("a loop that ran nothing so far", BrokenJSON, BrokenAnswered),
		SeesNothing("the call was cut off by the limit", CutInCall, ListedThenStopped),
		Breaks("repaired", brokenThenGood, `
			asks
			runs lima
			asks on
				calls lima
				result lima
			runs broken with {"city": "Oslo"}
			asks on
				calls broken
				result broken: 4 C
			completed`,
			Found(2, "", "the call broken was run although its arguments are not JSON", "no run", `run with "{\"city\": \"Oslo\"}" for "{\"city\": \"Oslo\""`)),
		Breaks("run with nothing", BrokenJSON, `
			asks
			runs broken with
			completed`,
			Found(1, "", "the call broken was run although its arguments are not JSON", "no run", `run with "" for "{\"city\": \"Oslo\""`)),
		Breaks("run without arguments", BrokenJSON, `
			asks
			runs broken with {}
			completed`,
			Found(1, "", "the call broken was run although its arguments are not JSON", "no run", `run with "{}" for "{\"city\": \"Oslo\""`)),
	},
}

var (
	// wordless calls a tool that fails without a message.
	wordless = Scene(`
prompt: What is the weather in Bonn?
tools:
  get_weather:
    parameters: {city: string}
    results: [{fail: ""}]
model:
  - calls: [{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}]
  - text: Nobody knows.
`)
	// silentFiltered is filtered at a call whose tool returns nothing.
	silentFiltered = Scene(strings.Replace(Silent.Scenario, "  - text: Deleted.", "    finish: content-filter", 1))
	// besideWordless makes a call without its arguments after one of a tool that fails without a
	// word.
	besideWordless = Scene(`
prompt: What is the weather in Bonn?
tools:
  get_time:
    results: [{text: "12:00"}]
  get_weather:
    parameters: {city: string}
    results: [{fail: ""}]
model:
  - calls: [{as: time, tool: get_time, arguments: '{}'}]
  - calls:
      - {as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}
      - {as: nothing, tool: get_weather, arguments: '{}'}
  - text: Nobody knows.
`)
	// equalBehindBroken makes a call beside one that cannot be run, and again after the next
	// prompt.
	equalBehindBroken = Scene(`
needs: [multi-prompt, resume-after-failure]
prompts: [What is the weather in Oslo?, What is the time?]
tools:
  get_time:
    results: [{text: "12:00"}]
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - calls:
      - {as: broken, tool: get_weather, arguments: '{city: Oslo}'}
      - {as: time, tool: get_time, arguments: '{}'}
  - calls: [{as: again, tool: get_time, arguments: '{}'}]
  - text: It is 12:00.
`)
	// equalBehindBlank makes a call without any arguments, not even {}, and then with them.
	equalBehindBlank = Scene(ClockTool + `
prompt: What is the time?
model:
  - calls: [{as: blank, tool: get_time}]
  - calls: [{as: again, tool: get_time, arguments: '{}'}]
  - text: It is 12:00.
`)
	// equalBesideBlank makes a call without any arguments before one with them.
	equalBesideBlank = Scene(ClockTool + `
prompt: What is the time?
model:
  - calls:
      - {as: blank, tool: get_time}
      - {as: time, tool: get_time, arguments: '{}'}
  - text: It is 12:00.
`)
	// besideBlank makes a call without any arguments before one of a tool that fails.
	besideBlank = Scene(`
prompt: What is the time, and the weather in Bonn?
tools:
  get_time:
    results: [{text: "12:00"}]
  get_weather:
    parameters: {city: string}
    results: [{fail: the service is down}]
model:
  - calls:
      - {as: time, tool: get_time}
      - {as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}
  - text: It is 12:00.
`)
)

// afterTime gives up at the first call of its second turn.
const afterTime = `
			asks
			runs time
			asks on
				calls time
				result time
			runs bonn
			failed:`

var (
	// brokenThenGood makes a call that cannot be run after one that can.
	brokenThenGood = Scene(WeatherTool + `
prompt: What is the weather in Oslo and in Lima?
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: broken, tool: get_weather, arguments: '{"city": "Oslo"'}]
  - text: It is 4 C in Oslo and 19 C in Lima.
`)
)
