package rules

// oneFails calls two tools of which the first fails.
var oneFails = scene(weatherTool + `
prompt: Compare the weather in Bonn and Lima.
model:
  - calls:
      - {as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: It is 19 C in Lima.
`)

// oneBroken makes two calls of which the first cannot be run. Whoever asks the tool all the same gets 11 C.
var oneBroken = scene(weatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls:
      - {as: broken, tool: get_weather, arguments: '{city: Oslo}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: It is 19 C in Lima.
`)

// notes are two results with quotes and line ends, each holding a word of the other.
var notes = scene(`
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

var pairingIDCases = ruleCases{
	"pairing/result-carries-its-call-id": {
		breaks("a text under the id of a call that brought an image", seeing, looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":"4 C"}
			{"role":"tool","tool_call_id":"{{oslo}}","content":"See below."}
			{"role":"user","content":[`+harbourURL+`]}`),
			finding{2, "/messages/3", "the result under the id of oslo is that of harbour", `"4 C" for {{oslo}}`, `"See below."`}),
		holds("a text beside an image", seeing, looked(fromTheUser(harbourURL))),
		holds("each its own", twoCities, twoCitiesDone),
		seesNothing("one call has no sibling", oneCity, oneCityDone),
		breaks("two results are swapped", twoCities, `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				result oslo: 19 C
				result lima: 4 C
			completed`,
			finding{2, "/messages/2", "the result under the id of oslo is that of lima", `"4 C" for {{oslo}}`, `"19 C"`},
			finding{2, "/messages/3", "the result under the id of lima is that of oslo", `"19 C" for {{lima}}`, `"4 C"`}),
		breaks("both calls get the last result, in a loop whose tools nobody sees", twoCities, `
			asks
			asks on
				calls oslo, lima
				result oslo: {"ok":true,"result":"19 C"}
				result lima: {"ok":true,"result":"19 C"}
			completed`,
			finding{2, "/messages/2", "the result under the id of oslo is that of lima", `"4 C" for {{oslo}}`, `"{\"ok\":true,\"result\":\"19 C\"}"`}),
		breaks("the error of the one is sent as the result of the other", oneFails, `
			asks
			runs bonn
			runs lima
			asks on
				calls bonn, lima
				result bonn: 19 C
				result lima: Error: the service is down
			completed`,
			finding{2, "/messages/3", "the result under the id of lima is that of bonn", `"19 C" for {{lima}}`, `"Error: the service is down"`}),
		breaks("swapped, under new ids", twoCities, `
			asks
			runs oslo as -
			runs lima as -
			asks on
				{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"id":"2","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
				{"role":"tool","tool_call_id":"1","content":"19 C"}
				{"role":"tool","tool_call_id":"2","content":"19 C"}
			completed`,
			finding{2, "/messages/2", "the result under the id of oslo is that of lima", `"4 C" for {{oslo}}`, `"19 C"`}),
		holds("in the order of completion, each under its own id", twoCities, `
			asks
			runs lima
			runs oslo
			asks on
				calls oslo, lima
				result lima
				result oslo
			completed`),
		holds("the calls came back in another order, each with its own id", twoCities, `
			asks
			runs lima
			runs oslo
			asks on
				calls lima, oslo
				result lima
				result oslo
			completed`),
		holds("results in JSON, as other languages escape it", notes, `
			asks
			runs first
			runs second
			asks on
				calls first, second
				{"role":"tool","tool_call_id":"{{first}}","content":"{\"result\": \"\\\"first\\\"\\n\\u00dcber 14 C\"}"}
				{"role":"tool","tool_call_id":"{{second}}","content":"{\"result\": \"4 C\"}"}
			completed`),
		seesNothing("a result that was not run names the sibling that failed", oneFails, `
			asks
			runs bonn
			asks on
				calls bonn, lima
				result bonn: Error: the service is down
				result lima: cancelled, since the call for Bonn failed: the service is down
			completed`),
		seesNothing("an error text that happens to hold the sibling's result", oneBroken, `
			asks
			runs lima
			asks on
				calls broken, lima
				result broken: Error 19 C: the arguments are not JSON
				result lima
			completed`),
		seesNothing("equal calls with equal results", twoDice, `
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
		holds("ids as the model gave them", twoCities, twoCitiesDone),
		seesNothing("there was no call", noTools, noToolsDone),
		breaks("a result without an id", oneCity, `
			asks
			asks on
				calls oslo
				{"role":"tool","content":"4 C"}
			completed`,
			finding{2, "/messages/2", "there is no tool_call_id", "an id that is not blank", "nothing"}),
		breaks("a call without an id, and a blank one", twoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":" ","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":null,"content":"4 C"}
				{"role":"tool","tool_call_id":7,"content":"19 C"}
			completed`,
			finding{2, "/messages/1/tool_calls/0", "there is no id", "an id that is not blank", "nothing"},
			finding{2, "/messages/1/tool_calls/1", "there is no id", "an id that is not blank", `" "`},
			finding{2, "/messages/2", "there is no tool_call_id", "an id that is not blank", "null"},
			finding{2, "/messages/3", "there is no tool_call_id", "an id that is not blank", "7"}),
		holds("ids of the loop's own", oneCity, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"0","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"0","content":"4 C"}
			completed`),
	},
	"pairing/ids-echoed": {
		holds("ids as the model gave them", twoCities, twoCitiesDone),
		seesNothing("the loop gave up before it asked again", oneCity, `
			asks
			failed: no idea`),
		breaks("an id of the loop's own", oneCity, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"my_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"my_1","content":"4 C"}
			completed`,
			finding{2, "/messages/1/tool_calls/0/id", "the call oslo came back under another id", "{{oslo}}", "my_1"}),
		holds("in another order", twoCities, `
			asks
			asks on
				calls lima, oslo
				result lima
				result oslo
			completed`),
		seesNothing("a second call of one id may be given another", repeatedIDs, `
			asks
			asks on
				calls author
				result author
			asks on
				{"role":"assistant","tool_calls":[{"id":"my_2","type":"function","function":{"name":"search","arguments":"{\"query\":\"Faust year\"}"}}]}
				{"role":"tool","tool_call_id":"my_2","content":"1808"}
			completed`),
		seesNothing("a lost call is for calls-come-back", twoCities, `
			asks
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("a shared id is for ids-distinct", twoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"x","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"x","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"x","content":"4 C"}
				{"role":"tool","tool_call_id":"x","content":"19 C"}
			completed`),
	},
	"pairing/ids-distinct": {
		holds("two calls, two ids", twoCities, twoCitiesDone),
		seesNothing("one call", oneCity, oneCityDone),
		breaks("the tool's name as the id", twoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"get_weather","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"get_weather","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"get_weather","content":"4 C"}
				{"role":"tool","tool_call_id":"get_weather","content":"19 C"}
			completed`,
			finding{2, "/messages/1/tool_calls/1/id", `two calls of one turn share the id "get_weather"`, "an id of its own", "the id of call 0"}),
		holds("blank ids are for ids-present", twoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"","content":"4 C"}
				{"role":"tool","tool_call_id":"","content":"19 C"}
			completed`),
		seesNothing("the same id in two turns", repeatedIDs, repeatedIDsDone),
	},
	"pairing/repeated-ids-kept-apart": {
		holds("each turn with its own call and result", repeatedIDs, repeatedIDsDone),
		holds("under new ids, in JSON", repeatedIDs, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"my_1","type":"function","function":{"name":"search","arguments":"{\"query\":\"Faust author\"}"}}]}
				{"role":"tool","tool_call_id":"my_1","content":"\"Goethe\""}
			asks on
				{"role":"assistant","tool_calls":[{"id":"my_2","type":"function","function":{"name":"search","arguments":"{\"query\":\"Faust year\"}"}}]}
				{"role":"tool","tool_call_id":"my_2","content":"\"1808\""}
			completed`),
		holds("a message between is for results-directly-follow", repeatedIDs, `
			asks
			asks on
				calls author
				result author
			asks on
				calls year
				system: Hurry.
				result year
			completed`),
		seesNothing("ids that differ", twoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
			completed`),
		seesNothing("the id has not come again yet", repeatedIDs, `
			asks
			asks on
				calls author
				result author
			failed: no idea`),
		holds("a program with tools of its own, of which nobody knows what they return", repeatedIDs, `
			asks
			asks on
				calls author
				result author: Error: there is no tool search
			asks on
				calls year
				result year: Error: there is no tool search
			completed`),
		breaks("the result of the first call is sent for the second", repeatedIDs, `
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
			finding{3, "/messages", "the call year has the id of an earlier turn, and its result is \"Goethe\"", `the call and its own result "1808" behind it`, "5 messages"}),
		breaks("the second result replaced the first, in its place", repeatedIDs, `
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
			finding{3, "/messages", "the call year has the id of an earlier turn, and its result is missing", `the call and its own result "1808" behind it`, "4 messages"}),
		breaks("the second call is taken for the first", repeatedIDs, `
			asks
			asks on
				calls author
				result author
			asks on
			completed`,
			finding{3, "/messages", "the call year has the id of an earlier turn, and its turn did not come back", `the call and its own result "1808" behind it`, "3 messages"}),
	},
}
