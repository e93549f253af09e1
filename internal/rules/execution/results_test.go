package execution_test

import (
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var (
	// note is a result with quotes, line ends and letters beyond ASCII.
	note = Scene(`
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
	jsonResult = Scene(`
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
	logbook = Scene(`
prompt: Read the log.
tools:
  read_log:
    parameters: {name: string}
    results: [{text: "all is well\n", repeat: 2500}]
model:
  - calls: [{as: read, tool: read_log, arguments: '{"name":"today"}'}]
  - text: Nothing happened.
`)
)

var (
	listed  = Mistake(`{as: list, tool: get_weather, arguments: '["Oslo"]'}`)
	missing = Mistake(`{as: nothing, tool: get_weather, arguments: '{}'}`)
	// mangledBesideGood is a turn of two calls, the first of which is not JSON.
	mangledBesideGood = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls:
      - {as: broken, tool: get_weather, arguments: '{"city"'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: It is 19 C in Lima.
`).Under("anthropic").By(wire.DeliverSSE)
)

var (
	// The same after a good round, and other troubles.
	unknownLater = mistakeLater(`{as: python, tool: python, arguments: '{"code":"1"}', not-offered: true}`)
	missingLater = mistakeLater(`{as: nothing, tool: get_weather, arguments: '{}'}`)
	mangledLater = mistakeLater(`{as: broken, tool: get_weather, arguments: '{"city"'}`)
	downLater    = mistakeLater(`{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}`)
	silentLater  = Scene(`
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

func mistakeLater(call string) Setting {
	return Scene(WeatherTool + `
prompt: What is the weather in Lima and in Oslo?
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [` + call + `]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
}

// afterLima is a round in Lima, and what comes after it.
func afterLima(end string) string {
	return `
			asks
			runs lima
			asks on
				calls lima
				result lima
			` + end
}

var resultCases = Cases{
	"execution/result-reaches-the-model": {
		Breaks("invisible letters and colours are removed", unseenLetters, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"a\nb é red"}`),
			Found(2, "/messages", "the result of the call read is not what the tool returned", rules.Quote("a\r\n\u200bb e\u0301 \x1b[31mred\x1b[0m"), `"a\nb é red"`).Only(trace.Should)),
		Breaks("and letters that are seen", unseenLetters, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"a b é red"}`),
			Found(2, "/messages", "the result of the call read is not what the tool returned", rules.Quote("a\r\n\u200bb e\u0301 \x1b[31mred\x1b[0m"), `"a b é red"`)),
		Breaks("special tokens are removed", specialTokens, Answering("read", `result read: ends at  or at  (so they say)`),
			Found(2, "/messages", "the result of the call read is not what the tool returned", rules.Quote("ends at <|im_end|> or at <|end|> (so they say)"), rules.Quote("ends at  or at  (so they say)")).Only(trace.Should)),
		Breaks("special tokens are replaced", specialTokens, Answering("read", `result read: ends at [REMOVED] or at [REMOVED] (so they say)`),
			Found(2, "/messages", "the result of the call read is not what the tool returned", rules.Quote("ends at <|im_end|> or at <|end|> (so they say)"), rules.Quote("ends at [REMOVED] or at [REMOVED] (so they say)")).Only(trace.Should)),
		Breaks("special tokens are removed with what is behind them", specialTokens, Answering("read", `result read: ends at  or at`),
			Found(2, "/messages", "the result of the call read is not what the tool returned", rules.Quote("ends at <|im_end|> or at <|end|> (so they say)"), rules.Quote("ends at  or at"))),
		Breaks("cut with a note", longLine, Answering("read", `result read: `+strings.Repeat("0123456789", 100)+` [the rest was left out]`),
			Found(2, "/messages", "the result of the call read is not what the tool returned", rules.Quote(strings.Repeat("0123456789", 300)), rules.Quote(strings.Repeat("0123456789", 100)+" [the rest was left out]")).Only(trace.Should)),
		Breaks("cut without a note", longLine, Answering("read", `result read: `+strings.Repeat("0123456789", 100)),
			Found(2, "/messages", "the result of the call read is not what the tool returned", rules.Quote(strings.Repeat("0123456789", 300)), rules.Quote(strings.Repeat("0123456789", 100)))),
		Holds("of two calls that mean the same, one is run and the other refused", nullBesideNone, `
			asks
			runs get_time {}
			asks on
				calls null, none
				result null: Error: the arguments are malformed
				result none
			completed`),
		Holds("within a document, in messages", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"4 C"}}]}]}`)),
		SeesNothing("the tool was given up", OneCity, `
			asks
			runs oslo for 1s given up
			asks on
				calls oslo
				result oslo: Error: the tool is too slow
			completed`),
		SeesNothing("the loop waited no longer, and did not let go of the tool", OneCity, `
			asks
			runs oslo for 1s
			asks on
				calls oslo
				result oslo: Error: the tool is too slow
			completed`),
		Holds("as the tool wrote it", note, `
			asks
			runs read
			asks on
				calls read
				result read
			completed`),
		Holds("without the space around it", jsonResult, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"{ \"id\": 7, \"tags\": [\"ü\"] }"}`)),
		Holds("in parts", note, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":[{"type":"text","text":"Über \"uns\"\n"},{"type":"text","text":"a\tb 😀"}]}`)),
		Holds("after a word and in JSON with all escapes of Python", note, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"Result: {\"output\": \"\\u00dcber \\\"uns\\\"\\na\\tb \\ud83d\\ude00\"}"}`)),
		Holds("JSON in JSON", note, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"{\"a\": \"{\\\"b\\\": \\\"\\\\u00dcber \\\\\\\"uns\\\\\\\"\\\\na\\\\tb \\\\ud83d\\\\ude00\\\"}\"}"}`)),
		Holds("JSON that was parsed and written again", jsonResult, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"{\"result\":{\"tags\":[\"\\u00fc\"],\"id\":7.0}}"}`)),
		Holds("of a tool that was run with half of its arguments before, which other rules find", OneCity, `
			asks
			runs get_weather {"city":"Os"}
			runs get_weather {"city":"Oslo"}
			asks on
				calls oslo
				result oslo
			completed`),
		Holds("with a note after it", OneCity, Answering("oslo", "result oslo: 4 C (took 12 ms)")),
		Holds("the calls in another order", TwoCities, Reordered),
		SeesNothing("the loop did not ask again", OneCity, `
			asks
			runs oslo
			failed: no idea`),
		Breaks("not what the cache has", SamePrice.Of(protocol.CachedResults), `
			asks
			runs first
			asks on
				calls first
				result first
			asks on
				calls again
				result again: Error: not run
			completed`,
			Found(3, "/messages", "the result of the call again is not what the tool returned", `"101 EUR"`, `"Error: not run"`)),
		SeesNothing("nobody saw the tool run", OneCity, `
			asks
			asks on
				calls oslo
				result oslo: made up
			completed`),
		SeesNothing("a very long one is for long-result-whole", logbook, Answering("read", "result read: all is well")),
		SeesNothing("an empty one is for empty-result-answered", Silent, Answering("delete", "result delete: done")),
		SeesNothing("that of a tool that failed is for failure-says-why", Down, Answering("bonn", "result bonn: Error: something went wrong")),
		SeesNothing("that of a tool that refused its arguments is the loop's to word", Wrong, Answering("number", "result number: Error: invalid arguments")),
		SeesNothing("a missing one is for the rules about pairing", OneCity, `
			asks
			runs oslo
			asks on
				calls oslo
			completed`),
		SeesNothing("swapped ones are for result-carries-its-call-id", TwoCities, `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				result oslo: 19 C
				result lima: 4 C
			completed`),
		Breaks("only the first line", note, Answering("read", `result read: Über "uns"`),
			Found(2, "/messages", "the result of the call read is not what the tool returned", `"Über \"uns\"\na\tb 😀"`, `"Über \"uns\""`)),
		Breaks("as an object that nobody printed", jsonResult, Answering("read", `result read: [object Object]`),
			Found(2, "/messages", "the result of the call read is not what the tool returned", `"{ \"id\": 7, \"tags\": [\"ü\"] }\n"`, `"[object Object]"`)),
		Breaks("a promise", OneCity, Answering("oslo", `result oslo: {}`),
			Found(2, "/messages", "the result of the call oslo is not what the tool returned", `"4 C"`, `"{}"`)),
		Breaks("nothing", OneCity, Answering("oslo", `result oslo:`),
			Found(2, "/messages", "the result of the call oslo is not what the tool returned", `"4 C"`, `""`)),
		Breaks("broken letters", note, Answering("read", `result read: Ãber "uns"`),
			Found(2, "/messages", "the result of the call read is not what the tool returned", `"Über \"uns\"\na\tb 😀"`, `"Ãber \"uns\""`)),
	},
	"execution/result-keeps-its-indentation": {
		Holds("as the tool wrote it", indented, Answering("read", "result read")),
		Holds("the line end is cut", indented, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"\t  b();\n  }"}`)),
		Holds("with words before it", indented, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"Output:\n\t  b();\n  }\n"}`)),
		Holds("in JSON", indented, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"{\"result\": \"\\t  b();\\n  }\\n\"}"}`)),
		SeesNothing("other words are for result-reaches-the-model", indented, Answering("read", "result read: no")),
		SeesNothing("a text that is not indented", OneCity, Answering("oslo", "result oslo")),
		Breaks("trimmed", indented, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"b();\n  }"}`),
			Found(2, "/messages", "the result of the call read has lost the white space that it begins with", rules.Quote("\t  b();\n  }\n"), rules.Quote("b();\n  }"))),
		Breaks("trimmed, in JSON", indented, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"{\"result\": \"b();\\n  }\"}"}`),
			Found(2, "/messages", "the result of the call read has lost the white space that it begins with", rules.Quote("\t  b();\n  }\n"), rules.Quote(`{"result": "b();\n  }"}`))),
	},
	"execution/result-not-encoded-again": {
		Holds("as the tool wrote it", note, Answering("read", "result read")),
		Holds("other words are for result-reaches-the-model", note, Answering("read", "result read: no")),
		Holds("JSON that was parsed and written again is not quoted", jsonResult, Answering("read", `result read: {"id":7,"tags":["ü"]}`)),
		SeesNothing("a text that looks the same in JSON", OneCity, Answering("oslo", `result oslo: "4 C"`)),
		SeesNothing("the loop did not ask again", note, `
			asks
			runs read
			failed: no idea`),
		Breaks("quoted", note, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"\"Über \\\"uns\\\"\\na\\tb 😀\""}`),
			Found(2, "/messages", "the result of the call read was quoted as JSON once more", `"Über \"uns\"\na\tb 😀"`, `"\"Über \\\"uns\\\"\\na\\tb 😀\""`)),
		Breaks("quoted by Python, in an object", note, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"{\"output\": \"\\u00dcber \\\"uns\\\"\\na\\tb \\ud83d\\ude00\"}"}`),
			Found(2, "/messages", "the result of the call read was quoted as JSON once more", `"Über \"uns\"\na\tb 😀"`, `"{\"output\": \"\\u00dcber \\\"uns\\\"\\na\\tb \\ud83d\\ude00\"}"`)),
	},
	"execution/long-result-whole": {
		Holds("whole", logbook, Answering("read", "result read")),
		SeesNothing("a short one", OneCity, OneCityDone),
		SeesNothing("the loop did not ask again", logbook, `
			asks
			runs read
			failed: no idea`),
		Holds("cut, with a note at the end", logbook, Answering("read", "result read: all is well [29 988 characters left out]")),
		Holds("cut in the middle, with a note there", logbook, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"all is well\n... 2498 lines left out ...\nall is well\n"}`)),
		Breaks("cut, and nothing says so", logbook, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":"all is well\nall is"}`),
			Found(2, "/messages", "the long result of the call read is not whole, and nothing says so", "30000 bytes", "18 bytes")),
		Breaks("cut, with dots that may be the tool's", logbook, Answering("read", "result read: all is well..."),
			Found(2, "/messages", "the long result of the call read is not whole, and nothing says so", "30000 bytes", "14 bytes")),
	},
}

// nullBesideNone calls a tool twice, with the arguments null and without any.
var nullBesideNone = Scene(ClockTool + `
prompt: What time is it?
model:
  - calls: [{as: "null", tool: get_time, arguments: 'null'}, {as: none, tool: get_time}]
  - text: It is noon.
`)

// indented has a result that begins with white space.
var indented = Scene(`
prompt: Read it.
tools:
  read_it:
    parameters: {what: string}
    results: [{text: "\t  b();\n  }\n"}]
model:
  - calls: [{as: read, tool: read_it, arguments: '{"what":"it"}'}]
  - text: I have read it.
`)

// specialTokens has special tokens of models in a result.
var specialTokens = Scene(`
prompt: Read it.
tools:
  read_it:
    parameters: {what: string}
    results: [{text: "ends at <|im_end|> or at <|end|> (so they say)"}]
model:
  - calls: [{as: read, tool: read_it, arguments: '{"what":"it"}'}]
  - text: I have read it.
`)

// unseenLetters has letters in a result that nobody sees.
var unseenLetters = Scene(`
prompt: Read it.
tools:
  read_it:
    parameters: {what: string}
    results: [{text: "a\r\n\u200bb e\u0301 \u001b[31mred\u001b[0m"}]
model:
  - calls: [{as: read, tool: read_it, arguments: '{"what":"it"}'}]
  - text: I have read it.
`)

// longLine has a long result that is not very long.
var longLine = Scene(`
prompt: Read it.
tools:
  read_it:
    parameters: {what: string}
    results: [{text: "0123456789", repeat: 300}]
model:
  - calls: [{as: read, tool: read_it, arguments: '{"what":"it"}'}]
  - text: I have read it.
`)
