package pairing_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// longRepeatedID gives an id again, to a call whose result is very long.
var longRepeatedID = Scene(`
prompt: What is in the logs?
tools:
  read_log:
    parameters: {day: string}
    results: [{text: "all is well\n", repeat: 2500}]
model:
  - calls: [{as: first, tool: read_log, arguments: '{"day":"1"}'}]
  - calls: [{as: second, tool: read_log, arguments: '{"day":"2"}', same-id-as: first}]
  - text: All is well.
`).Under("vllm")

// repeatedIDOfBlocks gives an id again, to a call whose result has two texts.
var repeatedIDOfBlocks = Scene(`
prompt: What is in the logs?
tools:
  read_log:
    parameters: {day: string}
    results: [{text: all is well, more: [{text: nobody called}]}]
model:
  - calls: [{as: first, tool: read_log, arguments: '{"day":"1"}'}]
  - calls: [{as: second, tool: read_log, arguments: '{"day":"2"}', same-id-as: first}]
  - text: All is well.
`).Under("vllm")

// notes are two results with quotes and line ends, each holding a word of the other.
var notes = Scene(`
prompt: Show me both notes.
tools:
  read_note:
    parameters: {name: string}
    results:
      - {when: {name: a}, text: "\"first\"\nÜber 14 C"}
      - {when: {name: b}, text: "4 C"}
model:
  - calls:
      - {as: first, tool: read_note, arguments: '{"name":"a"}'}
      - {as: second, tool: read_note, arguments: '{"name":"b"}'}
  - text: Done.
`)

var idCases = Cases{
	"pairing/result-carries-its-call-id": {
		SeesNothing("each image in its own result", twoShots, `
			asks
			runs one
			runs two
			asks
				prompt 1
				calls one, two
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{one}}","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"{{picture one}}"}}]},{"type":"tool_result","tool_use_id":"{{two}}","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"{{picture two}}"}}]}]}
			completed`),
		Breaks("images in each other's results", twoShots, `
			asks
			runs one
			runs two
			asks
				prompt 1
				calls one, two
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{one}}","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"{{picture two}}"}}]},{"type":"tool_result","tool_use_id":"{{two}}","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"{{picture one}}"}}]}]}
			completed`,
			Found(2, "/messages/2/content/0", "the image in the result under the id of one is that of two", "the image that the tool returned for {{one}}", "the one that it returned for {{two}}"),
			Found(2, "/messages/2/content/1", "the image in the result under the id of two is that of one", "the image that the tool returned for {{two}}", "the one that it returned for {{one}}")),
		Breaks("one image in both results", twoShots, `
			asks
			runs one
			runs two
			asks
				prompt 1
				calls one, two
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{one}}","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"{{picture two}}"}}]},{"type":"tool_result","tool_use_id":"{{two}}","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"{{picture two}}"}}]}]}
			completed`,
			Found(2, "/messages/2/content/0", "the image in the result under the id of one is that of two", "the image that the tool returned for {{one}}", "the one that it returned for {{two}}")),
		Breaks("a text under the id of a call that brought an image", Seeing, Looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":"4 C"}
			{"role":"tool","tool_call_id":"{{oslo}}","content":"See below."}
			{"role":"user","content":[`+HarbourURL+`]}`),
			Found(2, "/messages/3", "the result under the id of oslo is that of harbour", `"4 C" for {{oslo}}`, `"See below."`)),
		Holds("a text alongside an image", Seeing, Looked(FromTheUser(HarbourURL))),
		Holds("each its own", TwoCities, TwoCitiesDone),
		SeesNothing("one call has no sibling", OneCity, OneCityDone),
		Breaks("two results are swapped", TwoCities, `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				result oslo: 19 C
				result lima: 4 C
			completed`,
			Found(2, "/messages/2", "the result under the id of oslo is that of lima", `"4 C" for {{oslo}}`, `"19 C"`),
			Found(2, "/messages/3", "the result under the id of lima is that of oslo", `"19 C" for {{lima}}`, `"4 C"`)),
		Holds("calls without ids, answered in their order", TwoCities.Under("gemini-2.5"), `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				results oslo, lima
			completed`),
		Breaks("calls without ids, answered as the tools were done", TwoCities.Under("gemini-2.5"), `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				results lima, oslo
			completed`,
			Found(2, "/contents/2/parts/0", "the result in the place of oslo is that of lima", `"4 C" for oslo`, `"19 C"`),
			Found(2, "/contents/2/parts/1", "the result in the place of lima is that of oslo", `"19 C" for lima`, `"4 C"`)),
		SeesNothing("no call was run, and the error says what the tool would have returned to a sibling", Scene(`
prompt: Compare the weather in Oslo and Lima.
tools:
  get_weather: {description: The weather in a city., parameters: {city: string}, results: [{when: {city: Oslo}, text: "{}"}, {when: {city: Lima}, text: 19 C}]}
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}, {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`), `
			asks
			asks on
				calls oslo, lima
				result oslo: The tool get_weather does not take {}
				result lima: The tool get_weather does not take {}
			completed`),
		Breaks("the error of the one is sent as the result of the other", OneFails, `
			asks
			runs bonn
			runs lima
			asks on
				calls bonn, lima
				result bonn: 19 C
				result lima: Error: the service is down
			completed`,
			Found(2, "/messages/3", "the result under the id of lima is that of bonn", `"19 C" for {{lima}}`, `"Error: the service is down"`)),
		Breaks("swapped, under new ids", TwoCities, `
			asks
			runs oslo as -
			runs lima as -
			asks on
				{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"id":"2","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
				{"role":"tool","tool_call_id":"1","content":"19 C"}
				{"role":"tool","tool_call_id":"2","content":"19 C"}
			completed`,
			Found(2, "/messages/2", "the result under the id of oslo is that of lima", `"4 C" for {{oslo}}`, `"19 C"`)),
		Holds("in the order of completion, each under its own id", TwoCities, `
			asks
			runs lima
			runs oslo
			asks on
				calls oslo, lima
				result lima
				result oslo
			completed`),
		Holds("the calls came back in another order, each with its own id", TwoCities, `
			asks
			runs lima
			runs oslo
			asks on
				calls lima, oslo
				result lima
				result oslo
			completed`),
		Holds("results in JSON, as other languages escape it", notes, `
			asks
			runs first
			runs second
			asks on
				calls first, second
				{"role":"tool","tool_call_id":"{{first}}","content":"{\"result\": \"\\\"first\\\"\\n\\u00dcber 14 C\"}"}
				{"role":"tool","tool_call_id":"{{second}}","content":"{\"result\": \"4 C\"}"}
			completed`),
		SeesNothing("a result that was not run names the sibling that failed", OneFails, `
			asks
			runs bonn
			asks on
				calls bonn, lima
				result bonn: Error: the service is down
				result lima: cancelled, since the call for Bonn failed: the service is down
			completed`),
		SeesNothing("an error text that happens to hold the sibling's result", OneBroken, `
			asks
			runs lima
			asks on
				calls broken, lima
				result broken: Error 19 C: the arguments are not JSON
				result lima
			completed`),
		SeesNothing("equal calls with equal results", TwoDice, `
			asks
			runs first
			runs second
			asks on
				calls first, second
				result first
				result second
			completed`),
	},
	"pairing/ids-present": {
		Holds("ids as the model gave them", TwoCities, TwoCitiesDone),
		SeesNothing("there was no call", NoTools, NoToolsDone),
		Breaks("a result without an id", OneCity, `
			asks
			asks on
				calls oslo
				{"role":"tool","content":"4 C"}
			completed`,
			Found(2, "/messages/2", "there is no tool_call_id", "an id that is not blank", "nothing")),
		Breaks("a call without an id, and a blank one", TwoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":" ","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":null,"content":"4 C"}
				{"role":"tool","tool_call_id":7,"content":"19 C"}
			completed`,
			Found(2, "/messages/1/tool_calls/0", "there is no id", "an id that is not blank", "nothing"),
			Found(2, "/messages/1/tool_calls/1", "there is no id", "an id that is not blank", `" "`),
			Found(2, "/messages/2", "there is no tool_call_id", "an id that is not blank", "null"),
			Found(2, "/messages/3", "there is no tool_call_id", "an id that is not blank", "7")),
		Holds("ids of the loop's own", OneCity, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"0","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"0","content":"4 C"}
			completed`),
	},
	"pairing/ids-echoed": {
		Breaks("left out, where a call may have none", OneCity.Under("gemini-3"), `
			asks
			runs oslo
			asks on
				{"role":"model","parts":[{"functionCall":{"name":"get_weather","args":{"city":"Oslo"}}}]}
				result oslo
			completed`,
			Found(2, "/contents/1/parts/0", "the call oslo came back without its id", "{{oslo}}", "nothing")),
		Holds("ids as the model gave them", TwoCities, TwoCitiesDone),
		SeesNothing("the loop gave up before it asked again", OneCity, `
			asks
			failed: no idea`),
		Breaks("an id of the loop's own", OneCity, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"my_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"my_1","content":"4 C"}
			completed`,
			Found(2, "/messages/1/tool_calls/0/id", "the call oslo came back under another id", "{{oslo}}", "my_1")),
		Holds("in another order", TwoCities, `
			asks
			asks on
				calls lima, oslo
				result lima
				result oslo
			completed`),
		SeesNothing("a second call of one id may be given another", RepeatedIDs, `
			asks
			asks on
				calls author
				result author
			asks on
				{"role":"assistant","tool_calls":[{"id":"my_2","type":"function","function":{"name":"search","arguments":"{\"query\":\"Faust year\"}"}}]}
				{"role":"tool","tool_call_id":"my_2","content":"1808"}
			completed`),
		SeesNothing("a lost call is for calls-come-back", TwoCities, `
			asks
			asks on
				calls oslo
				result oslo
			completed`),
		SeesNothing("a shared id is for ids-distinct", TwoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"x","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"x","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"x","content":"4 C"}
				{"role":"tool","tool_call_id":"x","content":"19 C"}
			completed`),
	},
	"pairing/ids-distinct": {
		Holds("two calls, two ids", TwoCities, TwoCitiesDone),
		SeesNothing("one call", OneCity, OneCityDone),
		Breaks("the tool's name as the id", TwoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"get_weather","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"get_weather","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"get_weather","content":"4 C"}
				{"role":"tool","tool_call_id":"get_weather","content":"19 C"}
			completed`,
			Found(2, "/messages/1/tool_calls/1/id", `two calls of one turn share the id "get_weather"`, "an id of its own", "the id of call 0")),
		Holds("blank ids are for ids-present", TwoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"","content":"4 C"}
				{"role":"tool","tool_call_id":"","content":"19 C"}
			completed`),
		SeesNothing("the same id in two turns", RepeatedIDs, RepeatedIDsDone),
	},
	"pairing/repeated-ids-kept-apart": {
		Holds("each turn with its own call and result", RepeatedIDs, RepeatedIDsDone),
		Holds("under new ids, in JSON", RepeatedIDs, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"my_1","type":"function","function":{"name":"search","arguments":"{\"query\":\"Faust author\"}"}}]}
				{"role":"tool","tool_call_id":"my_1","content":"\"Goethe\""}
			asks on
				{"role":"assistant","tool_calls":[{"id":"my_2","type":"function","function":{"name":"search","arguments":"{\"query\":\"Faust year\"}"}}]}
				{"role":"tool","tool_call_id":"my_2","content":"\"1808\""}
			completed`),
		Holds("a very long result that was cut", longRepeatedID, `
			asks
			runs first
			asks on
				calls first
				result first: line 1
			runs second
			asks on
				calls second
				result second: line 1
			completed`),
		Holds("several blocks with something between them", repeatedIDOfBlocks, `
			asks
			runs first
			asks on
				calls first
				result first: all is well / nobody called
			runs second
			asks on
				calls second
				result second: all is well / nobody called
			completed`),
		Holds("a message between is for results-directly-follow", RepeatedIDs, `
			asks
			asks on
				calls author
				result author
			asks on
				calls year
				system: Hurry.
				result year
			completed`),
		SeesNothing("ids that differ", TwoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
			completed`),
		SeesNothing("the id has not come again yet", RepeatedIDs, `
			asks
			asks on
				calls author
				result author
			failed: no idea`),
		Holds("a program with tools of its own, of which nobody knows what they return", RepeatedIDs, `
			asks
			asks on
				calls author
				result author: Error: there is no tool search
			asks on
				calls year
				result year: Error: there is no tool search
			completed`),
		Breaks("the result of the first call is sent for the second", RepeatedIDs, `
			asks
			runs author
			asks on
				calls author
				result author
			runs year
			asks on
				calls year
				result year: Goethe
			completed`,
			Found(3, "/messages", "the call year has the id of an earlier turn, and its result is \"Goethe\"", `the call and its own result "1808" after it`, "5 messages")),
		Breaks("the second result replaced the first, in its place", RepeatedIDs, `
			asks
			asks on
				calls author
				result author
			asks
				prompt 1
				calls author
				result author: 1808
				calls year
			completed`,
			Found(3, "/messages", "the call year has the id of an earlier turn, and its result is missing", `the call and its own result "1808" after it`, "4 messages")),
		Breaks("the second call is treated as the first", RepeatedIDs, `
			asks
			asks on
				calls author
				result author
			asks on
			completed`,
			Found(3, "/messages", "the call year has the id of an earlier turn, and its turn did not come back", `the call and its own result "1808" after it`, "3 messages")),
	},
}

// twoShots takes two pictures at once.
var twoShots = Scene(`
needs: [images, parallel-calls]
prompt: Show both.
tools:
  shot:
    parameters: {n: integer}
    results: [{image: png}]
model:
  - calls: [{as: one, tool: shot, arguments: '{"n":1}'}, {as: two, tool: shot, arguments: '{"n":2}'}]
  - text: Done.
`).Under("anthropic")
