package rules

import "github.com/loopproof/loopproof/internal/wire"

var (
	// order has arguments with spaces, spellings of numbers and escapes of the model's own.
	order = scene(`
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
	bigID = scene(`
prompt: Delete the post.
tools:
  delete_post:
    parameters: {id: integer}
    results: [{text: deleted}]
model:
  - calls: [{as: delete, tool: delete_post, arguments: '{"id":2512292042121000001}'}]
  - text: Deleted.
`)
	// blankTime and nullTime call a tool without parameters in the ways in which some providers do.
	blankTime = clock(`""`)
	nullTime  = clock(`"null"`)
	// blankCity leaves out what a tool needs.
	blankCity = scene(weatherTool + `
prompt: What is the weather?
model:
  - calls: [{as: nowhere, tool: get_weather, arguments: ""}]
  - text: Where?
`)
)

func clock(arguments string) setting {
	return scene(`
prompt: What time is it?
tools:
  get_time:
    results: [{text: "08:15"}]
model:
  - calls: [{as: time, tool: get_time, arguments: ` + arguments + `}]
  - text: It is 08:15.
`).under("vllm")
}

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

	// one call for each city, come back in another order
	reordered = `
		asks
		runs lima
		runs oslo
		asks on
			calls lima, oslo
			result lima
			result oslo
		completed`
)

var argumentsCases = ruleCases{
	"arguments/same-value": {
		holds("byte for byte", order, filing(verbatim)),
		holds("written anew", order, filing(anew)),
		holds("the calls in another order", twoCities, reordered),
		holds("one message for each call", twoCities, turnInTwo),
		holds("a rounded integer is for big-integers-echoed", bigID, deleting(`{"id":2512292042121000000}`)),
		seesNothing("the loop did not ask again", order, `
			asks
			failed: no idea`),
		seesNothing("{} for no arguments", blankTime, `
			asks
			runs time
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{time}}","type":"function","function":{"name":"get_time","arguments":"{}"}}]}
				result time
			completed`),
		seesNothing("broken JSON that was mended in the history", brokenJSON, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{broken}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				result broken: Error: no JSON
			completed`),
		seesNothing("an object is for arguments-are-text", order, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{file}}","type":"function","function":{"name":"file_order","arguments":{}}}]}
				result file
			completed`),
		seesNothing("a stream with oddities is for the rules about streams", talking.by(wire.DeliverSSE), `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				result oslo
				result lima
			completed`),
		breaks("nothing is kept", order, filing(`{}`),
			finding{2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call file came back with another value", quote(verbatim), `"{}"`}),
		breaks("one value is another", order, filing(another),
			finding{2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call file came back with another value", quote(verbatim), quote(another)}),
		breaks("cut off", order, filing(`{ "total": 10.0,`),
			finding{2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call file came back with another value", quote(verbatim), `"{ \"total\": 10.0,"`}),
		breaks("quoted once more", order, filing(string(wire.Quote(verbatim))),
			finding{2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call file came back with another value", quote(verbatim), quote(string(wire.Quote(verbatim)))}),
		breaks("swapped between two calls", twoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}},{{lima call}}]}
				result oslo
				result lima
			completed`,
			finding{2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call oslo came back with another value", `"{\"city\":\"Oslo\"}"`, `"{\"city\":\"Lima\"}"`}),
	},
	"arguments/echoed-verbatim": {
		holds("byte for byte", order, filing(verbatim)),
		holds("another value is for same-value", order, filing(another)),
		holds("lost digits are for big-integers-echoed", bigID, deleting(`{"id": 2512292042121000000}`)),
		seesNothing("the loop did not ask again", order, `
			asks
			failed: no idea`),
		breaks("written anew", order, filing(anew),
			finding{2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call file came back in other bytes", quote(verbatim), quote(anew)}),
		breaks("only a space is gone", bigID, deleting(`{ "id":2512292042121000001}`),
			finding{2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call delete came back in other bytes", `"{\"id\":2512292042121000001}"`, `"{ \"id\":2512292042121000001}"`}),
	},
	"arguments/big-integers-echoed": {
		holds("all digits", bigID, deleting(`{"id":2512292042121000001}`)),
		holds("all digits, with a space", bigID, deleting(`{"id": 2512292042121000001}`)),
		holds("another number is for same-value", bigID, deleting(`{"id":12}`)),
		seesNothing("no such integer", oneCity, oneCityDone),
		breaks("rounded as in JavaScript", bigID, deleting(`{"id":2512292042121000000}`),
			finding{2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call delete came back with an integer that lost digits", `"{\"id\":2512292042121000001}"`, `"{\"id\":2512292042121000000}"`}),
		breaks("as a power of ten", bigID, deleting(`{"id":2.512292042121e+18}`),
			finding{2, "/messages/1/tool_calls/0/function/arguments", "the arguments of the call delete came back with an integer that lost digits", `"{\"id\":2512292042121000001}"`, `"{\"id\":2.512292042121e+18}"`}),
	},
	"arguments/reach-the-tool": {
		holds("half of them is for broken-turn-not-run", brokenCall.by(wire.DeliverSSE), afterRound(`runs pay with {"city":""}
			failed: cut`)),
		holds("byte for byte", order, filing(verbatim)),
		holds("written anew, with null for what the model left out", dials, `
			asks
			runs set with {"level":1.0,"name":"a","gain":null,"tags":null}
			completed`),
		holds("{} and nothing are the same", blankTime, `
			asks
			runs time with {}
			completed`),
		holds("nothing is posted at all", clock(`"{}"`), `
			asks
			runs get_time
			completed`),
		holds("two tools in the order of completion, without ids", twoCities, `
			asks
			runs get_weather {"city":"Lima"}
			runs get_weather {"city":"Oslo"}
			completed`),
		holds("a sibling's arguments are for own-arguments", twoCities, `
			asks
			runs oslo with {"city":"Lima"}
			runs lima
			completed`),
		holds("rounded integers are for big-integers-reach-the-tool", bigID, `
			asks
			runs delete with {"id":2512292042121000000}
			completed`),
		seesNothing("no tool was run", oneCity, `
			asks
			failed: no idea`),
		seesNothing("arguments that cannot be handed to anybody", brokenJSON, `
			asks
			runs broken with {}
			completed`),
		breaks("empty arguments", oneCity, `
			asks
			runs oslo with {}
			completed`,
			finding{1, "", "the tool get_weather was not handed the arguments of the call oslo", `"{\"city\":\"Oslo\"}"`, `"{}"`}),
		breaks("quotes are lost", order, `
			asks
			runs file with {"total":10,"lines":[{"sku":"A","n":1000}],"note":"é 'x' /"}
			completed`,
			finding{1, "", "the tool file_order was not handed the arguments of the call file", quote(verbatim), `"{\"total\":10,\"lines\":[{\"sku\":\"A\",\"n\":1000}],\"note\":\"é 'x' /\"}"`}),
		breaks("one argument too many", oneCity, `
			asks
			runs oslo with {"city":"Oslo","unit":"C"}
			completed`,
			finding{1, "", "the tool get_weather was not handed the arguments of the call oslo", `"{\"city\":\"Oslo\"}"`, `"{\"city\":\"Oslo\",\"unit\":\"C\"}"`}),
		breaks("null for what the model wrote", oneCity, `
			asks
			runs oslo with {"city":null}
			completed`,
			finding{1, "", "the tool get_weather was not handed the arguments of the call oslo", `"{\"city\":\"Oslo\"}"`, `"{\"city\":null}"`}),
	},
	"arguments/big-integers-reach-the-tool": {
		holds("all digits", bigID, `
			asks
			runs delete with {"id": 2512292042121000001}
			completed`),
		holds("another number is for reach-the-tool", bigID, `
			asks
			runs delete with {"id":12}
			completed`),
		seesNothing("no such integer", oneCity, oneCityDone),
		seesNothing("no tool was run", bigID, `
			asks
			failed: no idea`),
		breaks("rounded", bigID, `
			asks
			runs delete with {"id":2512292042121000000}
			completed`,
			finding{1, "", "the tool delete_post was handed an integer that lost digits", `"{\"id\":2512292042121000001}"`, `"{\"id\":2512292042121000000}"`}),
	},
	"arguments/blank-means-none": {
		holds("run with nothing", blankTime, `
			asks
			runs time
			asks on
				calls time
				result time
			completed`),
		holds("run with {}", blankTime, `
			asks
			runs time with {}
			completed`),
		seesNothing("no such call", oneCity, oneCityDone),
		seesNothing("the tool needs arguments", blankCity, `
			asks
			asks on
				calls nowhere
				result nowhere: Error: no city
			completed`),
		seesNothing("nobody knows what became of it", blankTime, `
			asks
			crashed`),
		breaks("taken for broken JSON", blankTime, `
			asks
			asks on
				calls time
				result time: Error: Unexpected end of JSON input
			completed`,
			finding{1, "", "the tool get_time takes no arguments and was not run", `one run for the arguments ""`, "no run"}),
		breaks("the end of the run", blankTime, `
			asks
			failed: Unexpected end of JSON input`,
			finding{1, "", "the tool get_time takes no arguments and was not run", `one run for the arguments ""`, "no run"}),
	},
	"arguments/null-means-none": {
		holds("run with null", nullTime, `
			asks
			runs time
			asks on
				calls time
				result time
			completed`),
		holds("run with {}", nullTime, `
			asks
			runs time with {}
			completed`),
		seesNothing("no such call", blankTime, `
			asks
			runs time
			completed`),
		breaks("taken for a mistake", nullTime, `
			asks
			asks on
				calls time
				result time: Error: not an object
			completed`,
			finding{1, "", "the tool get_time takes no arguments and was not run", `one run for the arguments "null"`, "no run"}),
	},
}

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

// brokenJSON makes one call that cannot be run as it stands.
var brokenJSON = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: broken, tool: get_weather, arguments: '{"city": "Oslo"'}]
  - text: It is 4 C in Oslo.
`)
