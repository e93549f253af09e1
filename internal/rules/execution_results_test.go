package rules

import "github.com/loopproof/loopproof/internal/wire"

var (
	// note is a result with quotes, line ends and letters beyond ASCII.
	note = scene(`
prompt: Show me the note.
tools:
  read_note:
    parameters: {name: string}
    results: [{text: "Über \"uns\"\na\tb 😀"}]
model:
  - calls: [{as: read, tool: read_note, arguments: '{"name":"about"}'}]
  - text: Here it is.
`)
	// jsonResult is a result that is JSON.
	jsonResult = scene(`
prompt: Show me the record.
tools:
  read_record:
    parameters: {id: integer}
    results: [{text: "{ \"id\": 7, \"tags\": [\"ü\"] }\n"}]
model:
  - calls: [{as: read, tool: read_record, arguments: '{"id":7}'}]
  - text: Here it is.
`)
	// logbook is a result of 30 000 characters.
	logbook = scene(`
prompt: Read the log.
tools:
  read_log:
    parameters: {name: string}
    results: [{text: "all is well\n", repeat: 2500}]
model:
  - calls: [{as: read, tool: read_log, arguments: '{"name":"today"}'}]
  - text: Nothing happened.
`)
	// silent is a tool that returns nothing.
	silent = scene(`
prompt: Delete the file.
tools:
  delete_file:
    parameters: {name: string}
    results: [{text: ""}]
model:
  - calls: [{as: delete, tool: delete_file, arguments: '{"name":"a.txt"}'}]
  - text: Deleted.
`)
	// unknown calls a tool that does not exist, wrong one with arguments of the wrong type.
	unknown = mistake(`{as: python, tool: python, arguments: '{"code":"1"}', not-offered: true}`)
	wrong   = mistake(`{as: number, tool: get_weather, arguments: '{"city":42}'}`)
	listed  = mistake(`{as: list, tool: get_weather, arguments: '["Oslo"]'}`)
	missing = mistake(`{as: nothing, tool: get_weather, arguments: '{}'}`)
	// mangledBesideGood is a turn of two calls, the first of which is no JSON.
	mangledBesideGood = scene(weatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls:
      - {as: broken, tool: get_weather, arguments: '{"city"'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: It is 19 C in Lima.
`).under("anthropic").by(wire.DeliverSSE)
	mangled = mistake(`{as: broken, tool: get_weather, arguments: '{"city"'}`)
	// The same behind a good round, and other troubles.
	unknownLater = mistakeLater(`{as: python, tool: python, arguments: '{"code":"1"}', not-offered: true}`)
	missingLater = mistakeLater(`{as: nothing, tool: get_weather, arguments: '{}'}`)
	mangledLater = mistakeLater(`{as: broken, tool: get_weather, arguments: '{"city"'}`)
	downLater    = mistakeLater(`{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}`)
	silentLater  = scene(`
prompt: Delete the file.
tools:
  list_files:
    parameters: {}
    results: [{text: a.txt}]
  delete_file:
    parameters: {name: string}
    results: [{text: ""}]
model:
  - calls: [{as: list, tool: list_files, arguments: '{}'}]
  - calls: [{as: delete, tool: delete_file, arguments: '{"name":"a.txt"}'}]
  - text: Deleted.
`)
)

func mistakeLater(call string) setting {
	return scene(weatherTool + `
prompt: What is the weather in Lima and in Oslo?
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [` + call + `]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
}

// afterLima is a round in Lima, and what comes behind it.
func afterLima(end string) string {
	return `
			asks
			runs lima
			asks on
				calls lima
				result lima
			` + end
}

func mistake(call string) setting {
	return scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [` + call + `]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
}

// answering is a dialogue about one call, which gets this result.
func answering(call, result string) string {
	return `
		asks
		runs ` + call + `
		asks on
			calls ` + call + `
			` + result + `
		completed`
}

var executionResultsCases = ruleCases{
	"execution/result-reaches-the-model": {
		seesNothing("the tool was given up", oneCity, `
			asks
			runs oslo for 1s given up
			asks on
				calls oslo
				result oslo: Error: the tool is too slow
			completed`),
		seesNothing("the loop waited no longer, and did not let go of the tool", oneCity, `
			asks
			runs oslo for 1s
			asks on
				calls oslo
				result oslo: Error: the tool is too slow
			completed`),
		holds("as the tool wrote it", note, `
			asks
			runs read
			asks on
				calls read
				result read
			completed`),
		holds("without the space around it", jsonResult, answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"{ \"id\": 7, \"tags\": [\"ü\"] }"}`)),
		holds("in parts", note, answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":[{"type":"text","text":"Über \"uns\"\n"},{"type":"text","text":"a\tb 😀"}]}`)),
		holds("behind a word and in JSON with all escapes of Python", note, answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"Result: {\"output\": \"\\u00dcber \\\"uns\\\"\\na\\tb \\ud83d\\ude00\"}"}`)),
		holds("JSON in JSON", note, answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"{\"a\": \"{\\\"b\\\": \\\"\\\\u00dcber \\\\\\\"uns\\\\\\\"\\\\na\\\\tb \\\\ud83d\\\\ude00\\\"}\"}"}`)),
		holds("JSON that was parsed and written anew", jsonResult, answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"{\"result\":{\"tags\":[\"\\u00fc\"],\"id\":7.0}}"}`)),
		holds("with a note behind it", oneCity, answering("oslo", "result oslo: 4 C (took 12 ms)")),
		holds("the calls in another order", twoCities, reordered),
		seesNothing("the loop did not ask again", oneCity, `
			asks
			runs oslo
			failed: no idea`),
		seesNothing("nobody saw the tool run", oneCity, `
			asks
			asks on
				calls oslo
				result oslo: made up
			completed`),
		seesNothing("a very long one is for long-result-whole", logbook, answering("read", "result read: all is well")),
		seesNothing("an empty one is for empty-result-answered", silent, answering("delete", "result delete: done")),
		seesNothing("that of a tool that failed is for failure-says-why", down, answering("bonn", "result bonn: Error: something went wrong")),
		seesNothing("that of a tool that refused its arguments is the loop's to word", wrong, answering("number", "result number: Error: invalid arguments")),
		seesNothing("a missing one is for the rules about pairing", oneCity, `
			asks
			runs oslo
			asks on
				calls oslo
			completed`),
		seesNothing("swapped ones are for result-carries-its-call-id", twoCities, `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				result oslo: 19 C
				result lima: 4 C
			completed`),
		breaks("only the first line", note, answering("read", `result read: Über "uns"`),
			finding{2, "/messages", "the result of the call read is not what the tool returned", `"Über \"uns\"\na\tb 😀"`, `"Über \"uns\""`}),
		breaks("as an object that nobody printed", jsonResult, answering("read", `result read: [object Object]`),
			finding{2, "/messages", "the result of the call read is not what the tool returned", `"{ \"id\": 7, \"tags\": [\"ü\"] }\n"`, `"[object Object]"`}),
		breaks("a promise", oneCity, answering("oslo", `result oslo: {}`),
			finding{2, "/messages", "the result of the call oslo is not what the tool returned", `"4 C"`, `"{}"`}),
		breaks("nothing", oneCity, answering("oslo", `result oslo:`),
			finding{2, "/messages", "the result of the call oslo is not what the tool returned", `"4 C"`, `""`}),
		breaks("broken letters", note, answering("read", `result read: Ãber "uns"`),
			finding{2, "/messages", "the result of the call read is not what the tool returned", `"Über \"uns\"\na\tb 😀"`, `"Ãber \"uns\""`}),
	},
	"execution/result-not-encoded-again": {
		holds("as the tool wrote it", note, answering("read", "result read")),
		holds("other words are for result-reaches-the-model", note, answering("read", "result read: no")),
		holds("JSON that was parsed and written anew is not quoted", jsonResult, answering("read", `result read: {"id":7,"tags":["ü"]}`)),
		seesNothing("a text that looks the same in JSON", oneCity, answering("oslo", `result oslo: "4 C"`)),
		seesNothing("the loop did not ask again", note, `
			asks
			runs read
			failed: no idea`),
		breaks("quoted", note, answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"\"Über \\\"uns\\\"\\na\\tb 😀\""}`),
			finding{2, "/messages", "the result of the call read was quoted as JSON once more", `"Über \"uns\"\na\tb 😀"`, `"\"Über \\\"uns\\\"\\na\\tb 😀\""`}),
		breaks("quoted by Python, in an object", note, answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"{\"output\": \"\\u00dcber \\\"uns\\\"\\na\\tb \\ud83d\\ude00\"}"}`),
			finding{2, "/messages", "the result of the call read was quoted as JSON once more", `"Über \"uns\"\na\tb 😀"`, `"{\"output\": \"\\u00dcber \\\"uns\\\"\\na\\tb \\ud83d\\ude00\"}"`}),
	},
	"execution/long-result-whole": {
		holds("whole", logbook, answering("read", "result read")),
		seesNothing("a short one", oneCity, oneCityDone),
		seesNothing("the loop did not ask again", logbook, `
			asks
			runs read
			failed: no idea`),
		holds("cut, with a note at the end", logbook, answering("read", "result read: all is well [29 988 characters left out]")),
		holds("cut in the middle, with a note there", logbook, answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"all is well\n... 2498 lines left out ...\nall is well\n"}`)),
		breaks("cut, and nothing says so", logbook, answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"all is well\nall is"}`),
			finding{2, "/messages", "the long result of the call read is not whole, and nothing says so", "30000 bytes", "18 bytes"}),
		breaks("cut, with dots that may be the tool's", logbook, answering("read", "result read: all is well..."),
			finding{2, "/messages", "the long result of the call read is not whole, and nothing says so", "30000 bytes", "14 bytes"}),
	},
	"execution/empty-result-answered": {
		holds("with an empty text", silent, answering("delete", "result delete:")),
		holds("with a word", silent, answering("delete", "result delete: (no output)")),
		holds("a result that is missing beside its call is for the rules about pairing", silent, `
			asks
			runs delete
			asks on
				calls delete
			completed`),
		seesNothing("the tool returned something", oneCity, oneCityDone),
		seesNothing("the tool was not run", silent, `
			asks
			asks on
				calls delete
				result delete
			completed`),
		holds("an error for the caller", silentLater, `
			asks
			runs list
			asks on
				calls list
				result list
			runs delete
			failed: the tool returned nothing`),
		breaks("the end of the run", silent, `
			asks
			runs delete
			completed: Deleted.`,
			finding{1, "", "the run ended at the call delete whose tool returned nothing", "a next request with a result for the call, or an error for the caller", "the loop reported completed"}),
		breaks("a crash", silent, `
			asks
			runs delete
			crashed`,
			finding{1, "", "the run ended at the call delete whose tool returned nothing", "a next request with a result for the call, or an error for the caller", "the loop crashed"}),
		breaks("the call is dropped", silent, `
			asks
			runs delete
			asks on
			completed`,
			finding{2, "/messages", "the call delete whose tool returned nothing was dropped", "the call and a result for it", "neither"}),
	},
	"execution/unknown-tool-answered": {
		holds("with an error", unknown, `
			asks
			asks on
				calls python
				result python: Error: there is no tool python
			completed`),
		holds("beside a good call, under new ids", madeUp, `
			asks
			runs oslo
			asks on
				{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"open_browser","arguments":"{}"}},{"id":"2","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"1","content":"no such tool"}
				{"role":"tool","tool_call_id":"2","content":"4 C"}
			completed`),
		seesNothing("all tools exist", oneCity, oneCityDone),
		holds("an error for the caller, of a loop that used tools", unknownLater, afterLima("failed: tool python not found")),
		seesNothing("an error for the caller, of a loop that has done nothing", unknown, `
			asks
			failed: tool python not found`),
		breaks("an error that says nothing", unknown, `
			asks
			failed:`,
			finding{1, "", "the run ended at the call python of the unknown tool python", "a next request with a result for the call, or an error for the caller", "the loop reported failed"}),
		breaks("the run is reported as completed", unknownLater, afterLima("completed: It is 19 C."),
			finding{2, "", "the run ended at the call python of the unknown tool python", "a next request with a result for the call, or an error for the caller", "the loop reported completed"}),
		breaks("a stop without a word", unknownLater, afterLima("stopped:"),
			finding{2, "", "the run ended at the call python of the unknown tool python", "a next request with a result for the call, or an error for the caller", "the loop reported stopped"}),
		breaks("an empty result", unknown, `
			asks
			asks on
				calls python
				result python:
			completed`,
			finding{2, "/messages/2/content", "the call python of the unknown tool python was answered with nothing", "an error that the model can read", `""`}),
		breaks("the call is dropped", madeUp, oneCityDone,
			finding{2, "/messages", "the call browser of the unknown tool open_browser was dropped", "the call and a result for it", "neither"}),
		breaks("a crash", unknown, `
			asks
			crashed`,
			finding{1, "", "the run ended at the call python of the unknown tool python", "a next request with a result for the call, or an error for the caller", "the loop crashed"}),
		seesNothing("a hang is for run-ends", unknown, `
			asks
			hung`),
	},
	"execution/invalid-json-answered": {
		holds("with an error", mangled, brokenAnswered),
		holds("with an error, and {} in the history", mangled, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{broken}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				result broken: Error: no JSON
			completed`),
		holds("with what the tool said to it", mangled, `
			asks
			runs broken
			asks on
				calls broken
				result broken: the arguments are not JSON
			completed`),
		holds("with an error, and each call of the turn in a message of its own", mangledBesideGood, `
			asks
			runs lima
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{}}]}
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error: no JSON","is_error":true}]}
				{"role":"assistant","content":[{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}]}
				result lima: 19 C
			completed`),
		breaks("neither the call nor a result, beside a sibling", mangledBesideGood, `
			asks
			runs lima
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}]}
				result lima: 19 C
			completed`,
			finding{2, "/messages", "the call broken whose arguments are not JSON was dropped", "the call and a result for it", "neither"}),
		seesNothing("all arguments are JSON", oneCity, oneCityDone),
		seesNothing("blank arguments", blankTime, `
			asks
			asks on
			completed`),
		seesNothing("a call that the limit cut off", cutInCall, listedThenStopped),
		holds("an error for the caller", mangledLater, afterLima("failed: Unexpected end of JSON input")),
		holds("a message of the user that says what was wrong", mangled, `
			asks
			asks on
				user: Your call was no JSON. Make it again.
			completed`),
		breaks("the end of the run, completed", mangled, `
			asks
			completed: I do not know.`,
			finding{1, "", "the run ended at the call broken whose arguments are not JSON", "a next request with a result for the call, or an error for the caller", "the loop reported completed"}),
		breaks("the turn is dropped and asked for again", mangled, `
			asks
			asks on
			completed`,
			finding{2, "/messages", "the call broken whose arguments are not JSON was dropped", "the call and a result for it", "neither"}),
		breaks("an empty list of parts", mangled, `
			asks
			asks on
				calls broken
				{"role":"tool","tool_call_id":"{{broken}}","content":[]}
			completed`,
			finding{2, "/messages/2/content", "the call broken whose arguments are not JSON was answered with nothing", "an error that the model can read", "[]"}),
	},
	"execution/schema-breach-answered": {
		holds("a wrong type", wrong, answering("number", "result number: Error: city must be a string")),
		holds("a wrong type that the loop made right", wrong, `
			asks
			runs number with {"city":"42"}
			asks on
				calls number
				result number: 11 C
			completed`),
		holds("a missing argument", missing, answering("nothing", "result nothing: Error: city is required")),
		holds("no object", listed, answering("list", "result list: Error: not an object")),
		seesNothing("all arguments fit", oneCity, oneCityDone),
		holds("an error for the caller", missingLater, afterLima("failed: KeyError: 'city'")),
		breaks("the end of the run, completed", missing, `
			asks
			runs nothing
			completed: I do not know.`,
			finding{1, "", "the run ended at the call nothing whose arguments break the schema", "a next request with a result for the call, or an error for the caller", "the loop reported completed"}),
		breaks("null", listed, answering("list", `{"role":"tool","tool_call_id":"{{list}}","content":null}`),
			finding{2, "/messages/2/content", "the call list whose arguments break the schema was answered with nothing", "an error that the model can read", "null"}),
	},
	"execution/failure-answered": {
		holds("with its error", down, answering("bonn", "result bonn: Error: the service is down")),
		holds("with other words", down, answering("bonn", "result bonn: something went wrong")),
		seesNothing("no tool failed", oneCity, oneCityDone),
		seesNothing("the tool was not run", down, `
			asks
			failed: no idea`),
		holds("an error for the caller", downLater, afterLima(`runs bonn
			failed: the service is down`)),
		seesNothing("an error without words for the caller, of a tool that has none", wordless, `
			asks
			runs bonn
			failed:`),
		breaks("the end of the run, completed, of a tool without words", wordless, `
			asks
			runs bonn
			completed: I do not know.`,
			finding{1, "", "the run ended at the call bonn whose tool failed without a word", "a next request with a result for the call, or an error for the caller", "the loop reported completed"}),
		breaks("the end of the run, completed", down, `
			asks
			runs bonn
			completed: I do not know.`,
			finding{1, "", "the run ended at the call bonn whose tool failed", "a next request with a result for the call, or an error for the caller", "the loop reported completed"}),
		breaks("an empty result", down, answering("bonn", "result bonn:"),
			finding{2, "/messages/2/content", "the call bonn whose tool failed was answered with nothing", "an error that the model can read", `""`}),
		breaks("the call is dropped", oneFails, `
			asks
			runs bonn
			runs lima
			asks on
				calls lima
				result lima
			completed`,
			finding{2, "/messages", "the call bonn whose tool failed was dropped", "the call and a result for it", "neither"}),
	},
	"execution/bad-call-survived": {
		holds("an error for the model", unknown, `
			asks
			asks on
				calls python
				result python: Error: there is no tool python
			completed`),
		holds("an empty result", silent, answering("delete", "result delete:")),
		seesNothing("all calls are good", oneCity, oneCityDone),
		seesNothing("what was lost in silence is for others", unknown, `
			asks
			completed: no`),
		seesNothing("the run failed for want of time", unknown, `
			asks
			waits 11s
			failed: deadline exceeded`),
		breaks("an unknown tool", unknown, `
			asks
			failed: tool python not found`,
			finding{1, "", "the run ended with an error at the call python of the unknown tool python", "a next request, with a result for the call", `the loop reported failed: "tool python not found"`}),
		breaks("no JSON", mangled, `
			asks
			failed: Unexpected end of JSON input`,
			finding{1, "", "the run ended with an error at the call broken whose arguments are not JSON", "a next request, with a result for the call", `the loop reported failed: "Unexpected end of JSON input"`}),
		breaks("a missing argument", missing, `
			asks
			runs nothing
			failed: KeyError: 'city'`,
			finding{1, "", "the run ended with an error at the call nothing whose arguments break the schema", "a next request, with a result for the call", `the loop reported failed: "KeyError: 'city'"`}),
		breaks("a tool that fails", down, `
			asks
			runs bonn
			failed: the service is down`,
			finding{1, "", "the run ended with an error at the call bonn whose tool failed", "a next request, with a result for the call", `the loop reported failed: "the service is down"`}),
		breaks("a tool that returns nothing", silent, `
			asks
			runs delete
			failed: no result`,
			finding{1, "", "the run ended with an error at the call delete whose tool returned nothing", "a next request, with a result for the call", `the loop reported failed: "no result"`}),
	},
	"execution/failure-says-why": {
		holds("with its error", down, answering("bonn", "result bonn: Error: the service is down")),
		holds("in JSON", down, answering("bonn", `result bonn: {"error":{"message":"the service is down"},"isError":true}`)),
		seesNothing("no tool failed", oneCity, oneCityDone),
		seesNothing("an empty result is for failure-answered", down, answering("bonn", "result bonn:")),
		breaks("with other words", down, answering("bonn", "result bonn: something went wrong"),
			finding{2, "/messages/2/content", "the result of the call bonn does not say why its tool failed", `a result with "the service is down"`, `"something went wrong"`}),
		breaks("only the status", down, answering("bonn", "result bonn: HTTP 500"),
			finding{2, "/messages/2/content", "the result of the call bonn does not say why its tool failed", `a result with "the service is down"`, `"HTTP 500"`}),
	},
}
