package arguments_test

import (
	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

var (
	// order has arguments with spaces, spellings of numbers and escapes of the model's own.
	order = Scene(`
prompt: File the order.
tools:
  file_order:
    parameters: {lines: array, total: number, note: string?}
    results: [{text: filed}]
model:
  - calls: [{as: file, tool: file_order, arguments: '{ "total": 10.0,  "lines":[{"sku":"A","n":1e3}],"note":"\u00e9 \"x\" \/" }'}]
  - text: Filed.
`)
	// bigID has an integer that no double can hold.
	bigID = Scene(`
prompt: Delete the post.
tools:
  delete_post:
    parameters: {id: integer}
    results: [{text: deleted}]
model:
  - calls: [{as: delete, tool: delete_post, arguments: '{"id":2512292042121000001}'}]
  - text: Deleted.
`)
)

var (
	nullTime = Clock(`"null"`)
	// blankCity leaves out what a tool needs.
	blankCity = Scene(WeatherTool + `
prompt: What is the weather?
model:
  - calls: [{as: nowhere, tool: get_weather, arguments: ""}]
  - text: Where?
`)
)

// filing returns order with these arguments, as JSON text.
func filing(arguments string) string {
	return `
		asks
		runs file
		asks on
			{"role":"assistant","tool_calls":[{"id":"{{file}}","type":"function","function":{"name":"file_order","arguments":` + string(wire.Quote(arguments)) + `}}]}
			result file
		completed`
}

const (
	verbatim = `{ "total": 10.0,  "lines":[{"sku":"A","n":1e3}],"note":"\u00e9 \"x\" \/" }`
	anew     = `{"lines":[{"n":1000,"sku":"A"}],"note":"é \"x\" /","total":10}`
	another  = `{"lines":[{"n":1000,"sku":"B"}],"note":"é \"x\" /","total":10}`
)

var coreCases = Cases{
	"arguments/same-value": {
		Breaks("with null for an argument that is not there", OneCity, `
			asks
			runs oslo
			asks on
				{"role":"assistant","content":null,"tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\",\"unit\":null}"}}]}
				result oslo
			completed`,
			Found(2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call oslo came back with another value", `"{\"city\":\"Oslo\"}"`, `"{\"city\":\"Oslo\",\"unit\":null}"`).Only(trace.Should)),
		Holds("byte for byte", order, filing(verbatim)),
		Holds("written again", order, filing(anew)),
		Holds("the calls in another order", TwoCities, Reordered),
		Holds("one message for each call", TwoCities, TurnInTwo),
		Holds("a rounded integer is for big-integers-echoed", bigID, deleting(`{"id":2512292042121000000}`)),
		SeesNothing("the loop did not ask again", order, `
			asks
			failed: no idea`),
		SeesNothing("{} for no arguments", BlankTime, `
			asks
			runs time
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{time}}","type":"function","function":{"name":"get_time","arguments":"{}"}}]}
				result time
			completed`),
		SeesNothing("broken JSON that was repaired in the history", BrokenJSON, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{broken}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				result broken: Error: no JSON
			completed`),
		SeesNothing("an object is for arguments-are-text", order, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{file}}","type":"function","function":{"name":"file_order","arguments":{}}}]}
				result file
			completed`),
		SeesNothing("a stream with oddities is for the rules about streams", Talking.By(wire.DeliverSSE), `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				result oslo
				result lima
			completed`),
		Breaks("nothing is kept", order, filing(`{}`),
			Found(2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call file came back with another value", rules.Quote(verbatim), `"{}"`)),
		Breaks("one value is another", order, filing(another),
			Found(2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call file came back with another value", rules.Quote(verbatim), rules.Quote(another))),
		Breaks("cut off", order, filing(`{ "total": 10.0,`),
			Found(2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call file came back with another value", rules.Quote(verbatim), `"{ \"total\": 10.0,"`)),
		Breaks("quoted once more", order, filing(string(wire.Quote(verbatim))),
			Found(2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call file came back with another value", rules.Quote(verbatim), rules.Quote(string(wire.Quote(verbatim))))),
		Breaks("swapped between two calls", TwoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}},{{lima call}}]}
				result oslo
				result lima
			completed`,
			Found(2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call oslo came back with another value", `"{\"city\":\"Oslo\"}"`, `"{\"city\":\"Lima\"}"`)),
	},
	"arguments/echoed-verbatim": {
		Holds("byte for byte", order, filing(verbatim)),
		Holds("another value is for same-value", order, filing(another)),
		Holds("lost digits are for big-integers-echoed", bigID, deleting(`{"id": 2512292042121000000}`)),
		SeesNothing("the loop did not ask again", order, `
			asks
			failed: no idea`),
		Breaks("written again", order, filing(anew),
			Found(2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call file came back in other bytes", rules.Quote(verbatim), rules.Quote(anew))),
		Breaks("only a space is gone", bigID, deleting(`{ "id":2512292042121000001}`),
			Found(2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call delete came back in other bytes", `"{\"id\":2512292042121000001}"`, `"{ \"id\":2512292042121000001}"`)),
	},
	"arguments/big-integers-echoed": {
		Holds("all digits", bigID, deleting(`{"id":2512292042121000001}`)),
		Holds("all digits, with a space", bigID, deleting(`{"id": 2512292042121000001}`)),
		Holds("another number is for same-value", bigID, deleting(`{"id":12}`)),
		SeesNothing("no such integer", OneCity, OneCityDone),
		Breaks("rounded as in JavaScript", bigID, deleting(`{"id":2512292042121000000}`),
			Found(2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call delete came back with an integer that lost digits", `"{\"id\":2512292042121000001}"`, `"{\"id\":2512292042121000000}"`)),
		Breaks("as a power of ten", bigID, deleting(`{"id":2.512292042121e+18}`),
			Found(2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call delete came back with an integer that lost digits", `"{\"id\":2512292042121000001}"`, `"{\"id\":2.512292042121e+18}"`)),
	},
	"arguments/reach-the-tool": {
		Holds("with the default of an argument that is not there", declared(``), lookedUp(`{"city":"Oslo","days":1,"why":"asked"}`)),
		Breaks("with another value than the default", declared(``), lookedUp(`{"city":"Oslo","days":2,"why":"asked"}`),
			Found(1, "", "the tool get_weather was not handed the arguments of the call oslo", `"{\"city\":\"Oslo\",\"why\":\"asked\"}"`, `"{\"city\":\"Oslo\",\"days\":2,\"why\":\"asked\"}"`)),
		Breaks("without an argument that is not declared", declared(``), lookedUp(`{"city":"Oslo"}`),
			Found(1, "", "the tool get_weather was not handed the arguments of the call oslo", `"{\"city\":\"Oslo\",\"why\":\"asked\"}"`, `"{\"city\":\"Oslo\"}"`).Only(trace.Should)),
		Breaks("without one that is allowed", declared(`, additionalProperties: true`), lookedUp(`{"city":"Oslo"}`),
			Found(1, "", "the tool get_weather was not handed the arguments of the call oslo", `"{\"city\":\"Oslo\",\"why\":\"asked\"}"`, `"{\"city\":\"Oslo\"}"`)),
		Breaks("encoded twice", OneCity, `
			asks
			runs oslo with "{\"city\":\"Oslo\"}"
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "", "the tool get_weather was not handed the arguments of the call oslo, but these as a JSON text: they were encoded twice, by the loop or by its adapter", `"{\"city\":\"Oslo\"}"`, `"\"{\\\"city\\\":\\\"Oslo\\\"}\""`)),
		Holds("half of them is for broken-turn-not-run", BrokenCall.By(wire.DeliverSSE), AfterRound(`runs pay with {"city":""}
			failed: cut`)),
		Holds("byte for byte", order, filing(verbatim)),
		Holds("written again, with null for what the model left out", Dials, `
			asks
			runs set with {"level":1.0,"name":"a","gain":null,"tags":null}
			completed`),
		Breaks("with null inside of an argument, for what the model left out", order, `
			asks
			runs file with {"total":10,"lines":[{"sku":"A","n":1000,"unit":null}],"note":"é \"x\" /"}
			completed`,
			Found(1, "", "the tool file_order was not handed the arguments of the call file", rules.Quote(verbatim), rules.Quote(`{"total":10,"lines":[{"sku":"A","n":1000,"unit":null}],"note":"é \"x\" /"}`)).Only(trace.Should)),
		Breaks("with null for another value inside of an argument", order, `
			asks
			runs file with {"total":10,"lines":[{"sku":null,"n":1000}],"note":"é \"x\" /"}
			completed`,
			Found(1, "", "the tool file_order was not handed the arguments of the call file", rules.Quote(verbatim), rules.Quote(`{"total":10,"lines":[{"sku":null,"n":1000}],"note":"é \"x\" /"}`))),
		Holds("under an id that came again, and a second time after a failure", againDown, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			runs bonn
			runs bonn
			asks on
				calls bonn
				result bonn: Error: the service is down
			completed`),
		Holds("{} and nothing are the same", BlankTime, `
			asks
			runs time with {}
			completed`),
		Holds("nothing is posted at all", Clock(`"{}"`), `
			asks
			runs get_time
			completed`),
		Holds("two tools in the order of completion, without ids", TwoCities, `
			asks
			runs get_weather {"city":"Lima"}
			runs get_weather {"city":"Oslo"}
			completed`),
		Holds("a sibling's arguments are for own-arguments", TwoCities, `
			asks
			runs oslo with {"city":"Lima"}
			runs lima
			completed`),
		Holds("rounded integers are for big-integers-reach-the-tool", bigID, `
			asks
			runs delete with {"id":2512292042121000000}
			completed`),
		SeesNothing("no tool was run", OneCity, `
			asks
			failed: no idea`),
		SeesNothing("arguments that cannot be handed to anybody", BrokenJSON, `
			asks
			runs broken with {}
			completed`),
		Breaks("empty arguments", OneCity, `
			asks
			runs oslo with {}
			completed`,
			Found(1, "", "the tool get_weather was not handed the arguments of the call oslo", `"{\"city\":\"Oslo\"}"`, `"{}"`)),
		Breaks("quotes are lost", order, `
			asks
			runs file with {"total":10,"lines":[{"sku":"A","n":1000}],"note":"é 'x' /"}
			completed`,
			Found(1, "", "the tool file_order was not handed the arguments of the call file", rules.Quote(verbatim), `"{\"total\":10,\"lines\":[{\"sku\":\"A\",\"n\":1000}],\"note\":\"é 'x' /\"}"`)),
		Breaks("one argument too many", OneCity, `
			asks
			runs oslo with {"city":"Oslo","unit":"C"}
			completed`,
			Found(1, "", "the tool get_weather was not handed the arguments of the call oslo", `"{\"city\":\"Oslo\"}"`, `"{\"city\":\"Oslo\",\"unit\":\"C\"}"`)),
		Breaks("null for what the model wrote", OneCity, `
			asks
			runs oslo with {"city":null}
			completed`,
			Found(1, "", "the tool get_weather was not handed the arguments of the call oslo", `"{\"city\":\"Oslo\"}"`, `"{\"city\":null}"`)),
	},
	"arguments/big-integers-reach-the-tool": {
		Holds("all digits", bigID, `
			asks
			runs delete with {"id": 2512292042121000001}
			completed`),
		Holds("another number is for reach-the-tool", bigID, `
			asks
			runs delete with {"id":12}
			completed`),
		SeesNothing("no such integer", OneCity, OneCityDone),
		SeesNothing("no tool was run", bigID, `
			asks
			failed: no idea`),
		Breaks("rounded", bigID, `
			asks
			runs delete with {"id":2512292042121000000}
			completed`,
			Found(1, "", "the tool delete_post was handed an integer that lost digits", `"{\"id\":2512292042121000001}"`, `"{\"id\":2512292042121000000}"`)),
	},
	"arguments/blank-means-none": {
		Holds("run with nothing", BlankTime, `
			asks
			runs time
			asks on
				calls time
				result time
			completed`),
		Holds("run with {}", BlankTime, `
			asks
			runs time with {}
			completed`),
		SeesNothing("no such call", OneCity, OneCityDone),
		SeesNothing("the tool needs arguments", blankCity, `
			asks
			asks on
				calls nowhere
				result nowhere: Error: no city
			completed`),
		SeesNothing("the user denied it", deniedTime, `
			asks
			asked time
			asks on
				calls time
				result time: The user denied it.
			completed`),
		SeesNothing("no later request or outcome", BlankTime, `
			asks
			crashed`),
		Breaks("treated as broken JSON", BlankTime, `
			asks
			asks on
				calls time
				result time: Error: Unexpected end of JSON input
			completed`,
			Found(1, "", "the tool get_time takes no arguments and was not run", `one run for the arguments ""`, "no run")),
		Breaks("the end of the run", BlankTime, `
			asks
			failed: Unexpected end of JSON input`,
			Found(1, "", "the tool get_time takes no arguments and was not run", `one run for the arguments ""`, "no run")),
	},
	"arguments/null-means-none": {
		Holds("run with null", nullTime, `
			asks
			runs time
			asks on
				calls time
				result time
			completed`),
		Holds("run with {}", nullTime, `
			asks
			runs time with {}
			completed`),
		SeesNothing("no such call", BlankTime, `
			asks
			runs time
			completed`),
		Breaks("treated as a mistake", nullTime, `
			asks
			asks on
				calls time
				result time: Error: not an object
			completed`,
			Found(1, "", "the tool get_time takes no arguments and was not run", `one run for the arguments "null"`, "no run")),
	},
}

// deniedTime has a call without arguments that the user denies.
var deniedTime = Scene(`
needs: [tool-approvals]
prompt: How late is it?
tools: {get_time: {needs-approval: true, results: [{text: noon}]}}
model:
  - calls: [{as: time, tool: get_time, arguments: '', denied: Not now.}]
  - text: I do not know.
`)

// deleting returns bigID with these arguments.
func deleting(arguments string) string {
	return `
		asks
		runs delete
		asks on
			{"role":"assistant","tool_calls":[{"id":"{{delete}}","type":"function","function":{"name":"delete_post","arguments":` + string(wire.Quote(arguments)) + `}}]}
			result delete
		completed`
}

// againDown repeats an id, for a call of a tool that fails.
var againDown = Scene(WeatherTool + `
prompt: What is the weather in Oslo and in Bonn?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}', same-id-as: oslo}]
  - text: It is 4 C in Oslo.
`)

// declared has a tool with a default, and a call with an argument of which the schema says nothing.
func declared(more string) Setting {
	return Scene(`
prompt: What is the weather in Oslo?
tools:
  get_weather:
    schema: {type: object, properties: {city: {type: string}, days: {type: integer, default: 1}}, required: [city]` + more + `}
    results: [{text: 4 C}]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo","why":"asked"}'}]
  - text: It is 4 C in Oslo.
`)
}

// lookedUp is the conversation of declared with these arguments for the tool.
func lookedUp(arguments string) string {
	return `
		asks
		runs oslo with ` + arguments + `
		asks on
			calls oslo
			result oslo
		completed`
}
