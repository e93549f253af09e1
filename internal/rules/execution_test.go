package rules

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

var (
	// payment fails once at the provider after a tool has run.
	payment = scene(`
prompt: Pay the bill.
tools:
  pay:
    parameters: {bill: integer}
    results: [{text: paid}]
model:
  - calls: [{as: pay, tool: pay, arguments: '{"bill":12}'}]
  - status: 500
  - text: Paid.
`)
	// down calls a tool that fails.
	down = scene(weatherTool + `
prompt: What is the weather in Bonn?
model:
  - calls: [{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}]
  - text: Nobody knows.
`)
	// wordless calls a tool that fails without a word.
	wordless = scene(`
prompt: What is the weather in Bonn?
tools:
  get_weather:
    parameters: {city: string}
    results: [{fail: ""}]
model:
  - calls: [{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}]
  - text: Nobody knows.
`)
	// stopping ends a turn with calls with the word stop.
	stopping = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    finish: stop
  - text: It is 4 C in Oslo.
`)
	// madeUp calls a tool that does not exist beside one that does.
	madeUp = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls:
      - {as: browser, tool: open_browser, arguments: '{"url":"https://example.com"}', not-offered: true}
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
  - text: It is 4 C in Oslo.
`)
)

const (
	// the limit of two turns is reached, and the tool of the last one was not run
	limitReached = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		stopped: the limit of 2 turns is reached`
)

// bigNumber has an argument that no double holds.
var bigNumber = scene(`
prompt: Delete the post.
tools:
  delete_post:
    parameters: {id: integer}
    results: [{text: deleted}]
model:
  - calls: [{as: delete, tool: delete_post, arguments: '{"id":2512292042121000001}'}]
  - text: Deleted.
`)

// offeringDoubles offers the tool with the bounds that a double has.
const offeringDoubles = `
	asks with {"tools":[{"type":"function","function":{"name":"delete_post","parameters":{"type":"object","properties":{"id":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}},"required":["id"]}}}]}`

var executionCases = ruleCases{
	"execution/wordless-failure-told": {
		holds("a word of the loop's own", wordless, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn: Error
			completed`),
		seesNothing("a tool that says why", down, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn: Error: down
			completed`),
		seesNothing("the run ended", wordless, `
			asks
			runs bonn
			failed: null`),
		breaks("nothing", wordless, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn:
			completed`,
			finding{2, "/messages/2/content", "the call bonn, whose tool failed without a word, was answered with nothing", "words from which the model knows that the tool failed", `""`}),
	},
	"execution/every-call-run": {
		seesNothing("arguments that the offered schema refuses", bigNumber, offeringDoubles+`
			asks on
				calls delete
				result delete: Error: too big
			completed`),
		holds("they are run all the same", bigNumber, offeringDoubles+`
			runs delete
			asks on
				calls delete
				result delete
			completed`),
		breaks("arguments that it takes", scene(strings.ReplaceAll(bigNumber.scenario, "2512292042121000001", "9007199254740991")), offeringDoubles+`
			asks on
				calls delete
				result delete: Error: too big
			completed`,
			finding{1, "", "the call delete was not run", `delete_post is run with "{\"id\":9007199254740991}"`, "no run"}),
		holds("one call", oneCity, oneCityDone),
		holds("two calls, without ids, the second first", twoCities, `
			asks
			runs get_weather {"city":"Lima"}
			runs get_weather {"city":"Oslo"}
			asks on
				calls oslo, lima
				result oslo
				result lima
			completed`),
		holds("equal calls, each once, without ids", twoDice, `
			asks
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			completed`),
		holds("the same call in two turns", samePrice, `
			asks
			runs get_price {"share":"ACME"}
			asks on
				calls first
				result first
			runs get_price {"share":"ACME"}
			asks on
				calls again
				result again
			completed`),
		holds("wrong arguments are for reach-the-tool", oneCity, `
			asks
			runs oslo with {"city":"Rome"}
			completed`),
		seesNothing("the time of the task was over", oneCity, `
			asks held 10s
			failed: deadline exceeded`),
		breaks("given up before the time was over", oneCity, `
			asks held 9s
			failed: deadline exceeded`,
			finding{1, "", "the call oslo was not run", `get_weather is run with "{\"city\":\"Oslo\"}"`, "no run"}),
		breaks("said to be done when the time was over", oneCity, `
			asks held 10s
			completed: Cold.`,
			finding{1, "", "the call oslo was not run", `get_weather is run with "{\"city\":\"Oslo\"}"`, "no run"}),
		holds("what would be run after the last turn that the limit allows may be left", limited, limitReached),
		seesNothing("there was no call", noTools, noToolsDone),
		seesNothing("nobody knows what became of it", oneCity, `
			asks
			crashed`),
		seesNothing("a call that cannot be run", brokenJSON, brokenAnswered),
		seesNothing("blank arguments are for blank-means-none", blankTime, `
			asks
			failed: no JSON`),
		holds("a bad sibling is for siblings-unaffected", oneFails, `
			asks
			runs bonn
			failed: the service is down`),
		seesNothing("the word stop is for calls-decide", stopping, `
			asks
			completed: nothing`),
		holds("calls of a truncated turn may be left", cutAfterCall, listedThenStopped),
		seesNothing("text beside calls in a stream is for text-beside-calls", talking.by(wire.DeliverSSE), `
			asks
			completed: I look up both.`),
		breaks("neither of two", twoCities, `
			asks
			completed: 4 C and 19 C`,
			finding{1, "", "the call oslo was not run", `get_weather is run with "{\"city\":\"Oslo\"}"`, "no run"},
			finding{1, "", "the call lima was not run", `get_weather is run with "{\"city\":\"Lima\"}"`, "no run"}),
		breaks("one of two equal calls", twoDice, `
			asks
			runs first
			asks on
				calls first, second
				result first
				result second
			completed`,
			finding{1, "", "the call second was not run", `throw_die is run with "{\"sides\":6}"`, "no run"}),
		breaks("the second time is taken from memory", samePrice, `
			asks
			runs first
			asks on
				calls first
				result first
			asks on
				calls again
				result again
			completed`,
			finding{2, "", "the call again was not run", `get_price is run with "{\"share\":\"ACME\"}"`, "no run"}),
		breaks("before the last turn that the limit allows", limited, `
			asks
			asks on
				calls oslo
				result oslo: not now
			stopped: the limit of 2 turns is reached`,
			finding{1, "", "the call oslo was not run", `get_weather is run with "{\"city\":\"Oslo\"}"`, "no run"}),
	},
	"execution/no-call-run-twice": {
		holds("one run each", twoCities, twoCitiesDone),
		holds("the same call in two turns, without ids", samePrice, `
			asks
			runs get_price {"share":"ACME"}
			asks on
				calls first
				result first
			runs get_price {"share":"ACME"}
			completed`),
		holds("equal calls without ids", twoDice, `
			asks
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			completed`),
		holds("a tool that failed is tried again", down, `
			asks
			runs bonn
			runs bonn
			completed`),
		holds("again with a retry is for no-tool-run-twice", payment, `
			asks
			runs pay
			asks on
				calls pay
				result pay
			runs pay
			asks on
			completed`),
		seesNothing("no tool was run", noTools, noToolsDone),
		breaks("twice at once", oneCity, `
			asks
			runs oslo
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "", "the call oslo was run 2 times", "one run of get_weather", "2 runs"}),
		breaks("three times, without ids", oneCity, `
			asks
			runs get_weather {"city":"Oslo"}
			runs get_weather { "city": "Oslo" }
			runs get_weather {"city":"Oslo"}
			completed`,
			finding{1, "", "the call oslo was run 3 times", "one run of get_weather", "3 runs"}),
		breaks("the first call again in the second turn", twoRounds, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			runs oslo
			runs lima
			completed`,
			finding{1, "", "the call oslo was run 2 times", "one run of get_weather", "2 runs"}),
	},
	"execution/no-tool-run-uncalled": {
		holds("one run each", twoCities, twoCitiesDone),
		holds("under ids of the loop's own", twoCities, `
			asks
			runs oslo as 1
			runs lima as 2
			completed`),
		holds("twice is for no-call-run-twice", oneCity, `
			asks
			runs oslo
			runs oslo
			completed`),
		seesNothing("no tool was run", noTools, noToolsDone),
		breaks("before the model was asked", oneCity, `
			runs get_weather {}
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			finding{0, "", "the tool get_weather was run without a call of it", "no run", `get_weather run with "{}"`}),
		breaks("another tool than was called", twoTools, `
			asks
			runs get_time {"city":"Lima"}
			completed`,
			finding{0, "", "the tool get_time was run without a call of it", "no run", `get_time run with "{\"city\":\"Lima\"}"`}),
	},
	"execution/own-arguments": {
		holds("each its own", twoCities, twoCitiesDone),
		holds("each its own, without ids, the second first", twoCities, `
			asks
			runs get_weather {"city":"Lima"}
			runs get_weather {"city":"Oslo"}
			completed`),
		holds("arguments of nobody are for reach-the-tool", twoCities, `
			asks
			runs oslo with {"city":"Rome"}
			runs lima
			completed`),
		seesNothing("one call", oneCity, oneCityDone),
		seesNothing("equal calls", twoDice, `
			asks
			runs first
			runs second
			completed`),
		breaks("all calls with the arguments of the first", twoCities, `
			asks
			runs oslo
			runs lima with {"city":"Oslo"}
			completed`,
			finding{1, "", "the call lima was run with the arguments of oslo", `"{\"city\":\"Lima\"}"`, `"{\"city\":\"Oslo\"}"`}),
		breaks("all calls with the arguments of the last, without ids", twoCities, `
			asks
			runs get_weather {"city":"Lima"}
			runs get_weather {"city":"Lima"}
			completed`,
			finding{1, "", "the call oslo was run with the arguments of lima", `"{\"city\":\"Oslo\"}"`, `"{\"city\":\"Lima\"}"`}),
	},
	"execution/invalid-json-not-run": {
		holds("answered, not run", brokenThenGood, `
			asks
			runs lima
			asks on
				calls lima
				result lima
			asks on
				calls broken
				result broken: Error: no JSON
			completed`),
		holds("the tool itself was given the broken text and refused it", brokenThenGood, `
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
		seesNothing("no such call", twoCities, twoCitiesDone),
		seesNothing("a loop that ran nothing so far", brokenJSON, brokenAnswered),
		seesNothing("the call was cut off by the limit", cutInCall, listedThenStopped),
		breaks("repaired", brokenThenGood, `
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
			finding{2, "", "the call broken was run although its arguments are not JSON", "no run", `run with "{\"city\": \"Oslo\"}" for "{\"city\": \"Oslo\""`}),
		breaks("run with nothing", brokenJSON, `
			asks
			runs broken with
			completed`,
			finding{1, "", "the call broken was run although its arguments are not JSON", "no run", `run with "" for "{\"city\": \"Oslo\""`}),
		breaks("run without arguments", brokenJSON, `
			asks
			runs broken with {}
			completed`,
			finding{1, "", "the call broken was run although its arguments are not JSON", "no run", `run with "{}" for "{\"city\": \"Oslo\""`}),
	},
	"execution/siblings-unaffected": {
		holds("the other one fails", oneFails, `
			asks
			runs bonn
			runs lima
			asks on
				calls bonn, lima
				result bonn: Error: the service is down
				result lima
			completed`),
		holds("the other one is broken", oneBroken, `
			asks
			runs lima
			asks on
				calls broken, lima
				result broken: Error: no JSON
				result lima
			completed`),
		seesNothing("all is well", twoCities, twoCitiesDone),
		seesNothing("nobody knows what became of it", oneBroken, `
			asks
			hung`),
		breaks("nothing is run beside a broken call", oneBroken, `
			asks
			asks on
				calls broken, lima
				result broken: Error: no JSON
				result lima: skipped
			completed`,
			finding{1, "", "the call lima was not run; a sibling of it is bad", `get_weather is run with "{\"city\":\"Lima\"}"`, "no run"}),
		holds("the run ends with an error, which is for bad-call-survived", mistakeLater(`{as: browser, tool: open_browser, arguments: '{"url":"x"}', not-offered: true}, {as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}`),
			afterLima("failed: there is no tool open_browser")),
		seesNothing("an error of a loop that has done nothing", madeUp, `
			asks
			failed: there is no tool open_browser`),
		breaks("an unknown tool ends the run without an error", madeUp, `
			asks
			stopped: done`,
			finding{1, "", "the call oslo was not run; a sibling of it is bad", `get_weather is run with "{\"city\":\"Oslo\"}"`, "no run"}),
		breaks("the first failure ends the run, completed", oneFails, `
			asks
			runs bonn
			completed: the service is down`,
			finding{1, "", "the call lima was not run; a sibling of it is bad", `get_weather is run with "{\"city\":\"Lima\"}"`, "no run"}),
	},
}

var (
	// brokenThenGood makes a call that cannot be run after one that can.
	brokenThenGood = scene(weatherTool + `
prompt: What is the weather in Oslo and in Lima?
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: broken, tool: get_weather, arguments: '{"city": "Oslo"'}]
  - text: It is 4 C in Oslo and 19 C in Lima.
`)
	// twoTools has a tool that the model does not call.
	twoTools = scene(`
prompt: How warm is it in Lima?
tools:
  get_time:
    parameters: {city: string}
    results: [{text: "08:15"}]
  get_weather:
    parameters: {city: string}
    results: [{text: 19 C}]
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: 19 C.
`)
	// cutInCall ends inside a call, cutAfterCall inside the second of two.
	cutInCall    = cleaning(`{as: delete, tool: delete_file, arguments: '{"name":"a.o'}`)
	cutAfterCall = cleaning(`{as: first, tool: delete_file, arguments: '{"name":"a.old"}'}, {as: second, tool: delete_file, arguments: '{"na'}`)
)

func cleaning(calls string) setting {
	return scene(`
prompt: Clean up the old files.
tools:
  list_files:
    parameters: {folder: string}
    results: [{text: "a.old, b.old, c.new"}]
  delete_file:
    parameters: {name: string?}
    results: [{text: deleted}]
model:
  - calls: [{as: list, tool: list_files, arguments: '{"folder":"/data"}'}]
  - calls: [` + calls + `]
    finish: length
  - text: Done.
`)
}
