package execution_test

import (
	"github.com/loopproof/loopproof/internal/trace"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// goneAtABadCall refuses every connection after a call of an unknown tool.
var goneAtABadCall = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: python, tool: python, arguments: '{"code":"1"}', not-offered: true}]
  - refused: true
`)

// asksADesk is a call of a sub-agent with one turn, up to what its model does then.
const asksADesk = `
needs: [sub-agents]
system: You plan trips.
prompt: Do I need a coat?
agents:
  weather_desk:
    description: Knows the weather.
    system: You measure.
    max-turns: 1
    tools:
      get_weather:
        parameters: {city: string}
        results: [{text: 4 C}]
model:
  - calls: [{as: oslo, tool: weather_desk, arguments: '{"prompt":"How cold is it?"}'}]
  - text: Take a coat.
threads:
  oslo:
    - `

const nothingFromTheDesk = `
	asks
	thread oslo
		asks
	thread
		asks
			prompt 1
			calls oslo
			result oslo:
		completed`

// badCallCases are about calls whose tool fails, returns nothing or cannot be run.
var badCallCases = Cases{
	"execution/empty-result-answered": {
		Holds("with an empty text", Silent, Answering("delete", "result delete:")),
		Holds("with a word", Silent, Answering("delete", "result delete: (no output)")),
		Holds("a result that is missing alongside its call is for the rules about pairing", Silent, `
			asks
			runs delete
			asks on
				calls delete
			completed`),
		SeesNothing("the turn was filtered, which is for the rules about that", silentFiltered, `
			asks
			runs delete
			stopped: content_filter`),
		SeesNothing("the tool returned something", OneCity, OneCityDone),
		SeesNothing("the tool was not run", Silent, `
			asks
			asks on
				calls delete
				result delete
			completed`),
		Holds("an error for the caller", silentLater, `
			asks
			runs list
			asks on
				calls list
				result list
			runs delete
			failed: the tool returned nothing`),
		Breaks("the end of the run", Silent, `
			asks
			runs delete
			completed: Deleted.`,
			Found(1, "", "the run ended at the call delete whose tool returned nothing", "a next request with a result for the call, or an error for the caller", "the loop reported completed")),
		Breaks("a crash", Silent, `
			asks
			runs delete
			crashed`,
			Found(1, "", "the run ended at the call delete whose tool returned nothing", "a next request with a result for the call, or an error for the caller", "the loop crashed")),
		Breaks("the call is dropped", Silent, `
			asks
			runs delete
			asks on
			completed`,
			Found(2, "/messages", "the call delete whose tool returned nothing was dropped", "the call and a result for it", "neither")),
	},
	"execution/unknown-tool-answered": {
		Holds("with an error", Unknown, `
			asks
			asks on
				calls python
				result python: Error: there is no tool python
			completed`),
		Holds("alongside a good call, under new ids", MadeUp, `
			asks
			runs oslo
			asks on
				{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"open_browser","arguments":"{}"}},{"id":"2","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"1","content":"no such tool"}
				{"role":"tool","tool_call_id":"2","content":"4 C"}
			completed`),
		SeesNothing("all tools exist", OneCity, OneCityDone),
		Holds("an error for the caller, of a loop that used tools", unknownLater, afterLima("failed: tool python not found")),
		SeesNothing("an error for the caller, of a loop that has done nothing", Unknown, `
			asks
			failed: tool python not found`),
		Breaks("an error that says nothing", Unknown, `
			asks
			failed:`,
			Found(1, "", "the run ended at the call python of the unknown tool python", "a next request with a result for the call, or an error for the caller", "the loop reported failed")),
		Breaks("the run is reported as completed", unknownLater, afterLima("completed: It is 19 C."),
			Found(2, "", "the run ended at the call python of the unknown tool python", "a next request with a result for the call, or an error for the caller", "the loop reported completed")),
		Breaks("a stop without a word", unknownLater, afterLima("stopped:"),
			Found(2, "", "the run ended at the call python of the unknown tool python", "a next request with a result for the call, or an error for the caller", "the loop reported stopped")),
		Breaks("an empty result", Unknown, `
			asks
			asks on
				calls python
				result python:
			completed`,
			Found(2, "/messages/2/content", "the call python of the unknown tool python was answered with nothing", "an error that the model can read", `""`)),
		Breaks("the call is dropped", MadeUp, OneCityDone,
			Found(2, "/messages", "the call browser of the unknown tool open_browser was dropped", "the call and a result for it", "neither")),
		Breaks("a crash", Unknown, `
			asks
			crashed`,
			Found(1, "", "the run ended at the call python of the unknown tool python", "a next request with a result for the call, or an error for the caller", "the loop crashed")),
		SeesNothing("a hang is for run-ends", Unknown, `
			asks
			hung`),
	},
	"execution/invalid-json-answered": {
		Holds("with an error", Mangled, BrokenAnswered),
		Holds("the user went on, as in other conversations behind a failure", ResumedBehindBrokenCall, GivesUpAtBrokenCall),
		Holds("with an error, and {} in the history", Mangled, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{broken}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				result broken: Error: no JSON
			completed`),
		Holds("with what the tool said to it", Mangled, `
			asks
			runs broken
			asks on
				calls broken
				result broken: the arguments are not JSON
			completed`),
		Holds("with an error, and each call of the turn in a message of its own", mangledBesideGood, `
			asks
			runs lima
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{}}]}
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error: no JSON","is_error":true}]}
				{"role":"assistant","content":[{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}]}
				result lima: 19 C
			completed`),
		Breaks("neither the call nor a result, alongside a sibling", mangledBesideGood, `
			asks
			runs lima
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}]}
				result lima: 19 C
			completed`,
			Found(2, "/messages", "the call broken whose arguments are not JSON was dropped", "the call and a result for it", "neither")),
		SeesNothing("all arguments are JSON", OneCity, OneCityDone),
		SeesNothing("blank arguments", BlankTime, `
			asks
			asks on
			completed`),
		SeesNothing("a call that the limit cut off", CutInCall, ListedThenStopped),
		Holds("an error for the caller", mangledLater, afterLima("failed: Unexpected end of JSON input")),
		Holds("a message of the user that says what was wrong", Mangled, `
			asks
			asks on
				user: Your call was not JSON. Make it again.
			completed`),
		Breaks("the end of the run, completed", Mangled, `
			asks
			completed: I do not know.`,
			Found(1, "", "the run ended at the call broken whose arguments are not JSON", "a next request with a result for the call, or an error for the caller", "the loop reported completed")),
		Breaks("the turn is dropped and asked for again", Mangled, `
			asks
			asks on
			completed`,
			Found(2, "/messages", "the call broken whose arguments are not JSON was dropped", "the call and a result for it", "neither")),
		Breaks("an empty list of parts", Mangled, `
			asks
			asks on
				calls broken
				{"role":"tool","tool_call_id":"{{broken}}","content":[]}
			completed`,
			Found(2, "/messages/2/content", "the call broken whose arguments are not JSON was answered with nothing", "an error that the model can read", "[]")),
	},
	"execution/schema-breach-answered": {
		Holds("a wrong type", Wrong, Answering("number", "result number: Error: city must be a string")),
		Holds("a wrong type that the loop made right", Wrong, `
			asks
			runs number with {"city":"42"}
			asks on
				calls number
				result number: 11 C
			completed`),
		Holds("a missing argument", missing, Answering("nothing", "result nothing: Error: city is required")),
		Holds("no object", listed, Answering("list", "result list: Error: not an object")),
		SeesNothing("all arguments fit", OneCity, OneCityDone),
		Holds("an end without words, at a tool of the same turn that has none", besideWordless, afterTime),
		Holds("an error for the caller", missingLater, afterLima("failed: KeyError: 'city'")),
		Breaks("the end of the run, completed", missing, `
			asks
			runs nothing
			completed: I do not know.`,
			Found(1, "", "the run ended at the call nothing whose arguments break the schema", "a next request with a result for the call, or an error for the caller", "the loop reported completed")),
		Breaks("null", listed, Answering("list", `{"role":"tool","tool_call_id":"{{list}}","content":null}`),
			Found(2, "/messages/2/content", "the call list whose arguments break the schema was answered with nothing", "an error that the model can read", "null")),
	},
	"execution/failure-answered": {
		Holds("with its error", Down, Answering("bonn", "result bonn: Error: the service is down")),
		Holds("with other words", Down, Answering("bonn", "result bonn: something went wrong")),
		SeesNothing("no tool failed", OneCity, OneCityDone),
		Holds("the user went on", ResumedBehindFailedTool, GivesUpAtFailedTool),
		SeesNothing("the tool was not run", Down, `
			asks
			failed: no idea`),
		Holds("an error for the caller", downLater, afterLima(`runs bonn
			failed: the service is down`)),
		SeesNothing("an error without words for the caller, of a tool that has none", wordless, `
			asks
			runs bonn
			failed:`),
		Breaks("the end of the run, completed, of a tool without words", wordless, `
			asks
			runs bonn
			completed: I do not know.`,
			Found(1, "", "the run ended at the call bonn whose tool failed without a word", "a next request with a result for the call, or an error for the caller", "the loop reported completed")),
		Breaks("the end of the run, completed", Down, `
			asks
			runs bonn
			completed: I do not know.`,
			Found(1, "", "the run ended at the call bonn whose tool failed", "a next request with a result for the call, or an error for the caller", "the loop reported completed")),
		Breaks("an empty result of a sub-agent that was stopped", Scene(asksADesk+`calls: [{as: measured, tool: get_weather, arguments: '{"city":"Oslo"}'}]`), nothingFromTheDesk,
			Found(3, "/messages/2/content", "the call oslo whose tool failed was answered with nothing", "an error that the model can read", `""`).Only(trace.Should)),
		Breaks("an empty result of a sub-agent whose model failed", Scene(asksADesk+"status: 400"), nothingFromTheDesk,
			Found(3, "/messages/2/content", "the call oslo whose tool failed was answered with nothing", "an error that the model can read", `""`)),
		Breaks("an empty result", Down, Answering("bonn", "result bonn:"),
			Found(2, "/messages/2/content", "the call bonn whose tool failed was answered with nothing", "an error that the model can read", `""`)),
		Breaks("the call is dropped", OneFails, `
			asks
			runs bonn
			runs lima
			asks on
				calls lima
				result lima
			completed`,
			Found(2, "/messages", "the call bonn whose tool failed was dropped", "the call and a result for it", "neither")),
	},
	"execution/bad-call-survived": {
		Holds("an error for the model", Unknown, `
			asks
			asks on
				calls python
				result python: Error: there is no tool python
			completed`),
		Holds("an empty result", Silent, Answering("delete", "result delete:")),
		SeesNothing("all calls are good", OneCity, OneCityDone),
		SeesNothing("what was lost in silence is for others", Unknown, `
			asks
			completed: no`),
		SeesNothing("the time of the run was over", Unknown, `
			asks
			waits 11s
			failed: deadline exceeded`),
		SeesNothing("nobody listens any more", goneAtABadCall, `
			asks
			failed: connection refused`),
		Breaks("an unknown tool", Unknown, `
			asks
			failed: tool python not found`,
			Found(1, "", "the run ended with an error at the call python of the unknown tool python", "a next request, with a result for the call", `the loop reported failed: "tool python not found"`)),
		Breaks("no JSON", Mangled, `
			asks
			failed: Unexpected end of JSON input`,
			Found(1, "", "the run ended with an error at the call broken whose arguments are not JSON", "a next request, with a result for the call", `the loop reported failed: "Unexpected end of JSON input"`)),
		Breaks("a missing argument", missing, `
			asks
			runs nothing
			failed: KeyError: 'city'`,
			Found(1, "", "the run ended with an error at the call nothing whose arguments break the schema", "a next request, with a result for the call", `the loop reported failed: "KeyError: 'city'"`)),
		Breaks("a tool that fails", Down, `
			asks
			runs bonn
			failed: the service is down`,
			Found(1, "", "the run ended with an error at the call bonn whose tool failed", "a next request, with a result for the call", `the loop reported failed: "the service is down"`)),
		Breaks("a tool that returns nothing", Silent, `
			asks
			runs delete
			failed: no result`,
			Found(1, "", "the run ended with an error at the call delete whose tool returned nothing", "a next request, with a result for the call", `the loop reported failed: "no result"`)),
	},
	"execution/failure-says-why": {
		Holds("with its error", Down, Answering("bonn", "result bonn: Error: the service is down")),
		Holds("in JSON", Down, Answering("bonn", `result bonn: {"error":{"message":"the service is down"},"isError":true}`)),
		Holds("beside other blocks, which are for every-block-reaches-the-model", failsLong, Answering("read", "result read: Error: no")),
		Breaks("with other words beside other blocks", failsLong, Answering("read", "result read: It is late."),
			Found(2, "/messages/2/content", "the result of the call read does not say why its tool failed", `a result with "no"`, `"It is late."`)),
		SeesNothing("no tool failed", OneCity, OneCityDone),
		SeesNothing("the tool refused the arguments before", downAndMistyped, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn: Error: the arguments do not fit
			completed`),
		SeesNothing("it would have failed with the arguments that the user did not approve", downUnlessEdited, `
			asks
			asked bonn
			runs bonn with {"city":"Oslo"}
			asks on
				calls bonn
				result bonn: 4 C
			completed`),
		SeesNothing("an empty result is for failure-answered", Down, Answering("bonn", "result bonn:")),
		Breaks("with other words", Down, Answering("bonn", "result bonn: something went wrong"),
			Found(2, "/messages/2/content", "the result of the call bonn does not say why its tool failed", `a result with "the service is down"`, `"something went wrong"`)),
		Breaks("only the status", Down, Answering("bonn", "result bonn: HTTP 500"),
			Found(2, "/messages/2/content", "the result of the call bonn does not say why its tool failed", `a result with "the service is down"`, `"HTTP 500"`)),
	},
}

// downUnlessEdited calls a tool that is down for these arguments, and which the user approves with
// others.
var downUnlessEdited = Scene(`
needs: [tool-approvals, approval-edits]
prompt: What is the weather in Bonn?
tools:
  get_weather:
    parameters: {city: string}
    needs-approval: true
    results: [{when: {city: Bonn}, fail: the service is down}, {text: 4 C}]
model:
  - calls: [{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}', approved-with: '{"city":"Oslo"}'}]
  - text: 4 C.
`)

// downAndMistyped calls a tool that is down with an argument of another type.
var downAndMistyped = Scene(`
prompt: What is the weather in Bonn?
tools:
  get_weather:
    parameters: {city: string}
    results: [{fail: the service is down}]
model:
  - calls: [{as: bonn, tool: get_weather, arguments: '{"city":8}'}]
  - text: Nobody knows.
`)
