package responsesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	// searching is a turn in which the provider searched and asked a server before it called a
	// tool.
	searching = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - provider-items:
      - {type: web_search_call, query: Oslo}
      - {type: mcp_call, server: climate, tool: average, arguments: '{"city":"Oslo"}', output: "3.9"}
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("openai-responses")

	// phased is a turn with a text that says that it is not an answer.
	phased = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: I look it up.
    phase: commentary
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
    phase: final_answer
`).Under("openai-responses")

	// commented is a turn with a text on the way in a message of its own, before another text.
	commented = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - commentary: Let me see.
    text: I look it up.
    phase: final_answer
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("openai-responses")
)

const (
	theSearch = `{"type":"web_search_call","status":"completed","action":{"type":"search","query":"Oslo"}}`
	theAsking = `{"type":"mcp_call","server_label":"climate","name":"average","arguments":"{\"city\":\"Oslo\"}","output":"3.9"}`
	theCall   = `{"type":"function_call","call_id":"{{oslo}}","name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}`
)

func backAs(items string) string { return SecondRequest(items + "\n\t\tresult oslo") }

var historyItemsCases = Cases{
	"history/provider-items-come-back": {
		Holds("as they came", searching, backAs("{{message 1}}")),
		Holds("without their ids", searching, backAs(theSearch+"\n"+theAsking+"\n"+theCall)),
		SeesNothing("there are none", itemCity, OneCityDone),
		Breaks("one left out", searching, backAs(theSearch+"\n"+theCall),
			Found(2, "/input", `an item of the type "mcp_call" did not come back`, "{{provided 1 2}}", "["+theSearch+","+theCall+"]")),
	},
	"history/provider-items-unchanged": {
		Holds("as they came", searching, backAs("{{message 1}}")),
		Holds("by reference", searching, backAs(`{"type":"item_reference","id":"{{provided 1 1}}"}`+"\n"+theAsking+"\n"+theCall)),
		SeesNothing("there are none", itemCity, OneCityDone),
		Breaks("without the query", searching, backAs(`{"type":"web_search_call","id":"{{provided 1 1}}","status":"completed","action":{"type":"search"}}`+"\n"+theAsking+"\n"+theCall),
			Found(2, "/input/1", `the key "action" of an item of the type "web_search_call" is not what it was`, `"Oslo"`,
				`{"type":"web_search_call","id":"{{provided 1 1}}","status":"completed","action":{"type":"search"}}`)),
	},
	"history/provider-items-in-their-order": {
		Holds("as they came", searching, backAs("{{message 1}}")),
		SeesNothing("there are none", itemCity, OneCityDone),
		Breaks("after the call", searching, backAs(theSearch+"\n"+theCall+"\n"+theAsking),
			Found(2, "/input/2", "an item of the turn is before one that came earlier", "after "+theAsking, theCall)),
	},
	"history/items-in-their-order": {
		Holds("as they came", phased, backAs("{{message 1}}")),
		Holds("reasoning before the call", thoughtfulItems, OneCityDone),
		SeesNothing("a call alone", itemCity, OneCityDone),
		SeesNothing("without the message, which is for text-comes-back", phased, backAs(theCall)),
		SeesNothing("nothing of the model's own before the call", searching, backAs("{{message 1}}")),
		Breaks("the call before the message", phased, backAs(theCall+"\n"+`{"role":"assistant","content":"I look it up.","phase":"commentary"}`),
			Found(2, "/input/1", "the items of a turn came back in another order", "message, function_call", "function_call, message")),
		Breaks("the call before its reasoning", thoughtfulItems, backAs(theCall+"\n"+`{"type":"reasoning","summary":[]}`),
			Found(2, "/input/1", "the items of a turn came back in another order", "reasoning, function_call", "function_call, reasoning")),
	},
	"history/phases-come-back": {
		Holds("as it came", phased, backAs("{{message 1}}")),
		SeesNothing("there is none", itemCity, OneCityDone),
		SeesNothing("the text did not come back", phased, backAs(theCall)),
		Holds("two as they came", commented, backAs("{{message 1}}")),
		Breaks("that of the commentary left out", commented, backAs(`{"role":"assistant","content":"Let me see."}`+"\n"+theCall),
			Found(2, "/input/1", "a message of the model came back without its phase", "commentary", "nothing")),
		Breaks("two as one", commented, backAs(`{"role":"assistant","content":"Let me see.\n\nI look it up.","phase":"final_answer"}`+"\n"+theCall),
			Found(2, "/input/1", "a commentary and the message after it came back as one message", "two messages, each with its phase",
				`{"role":"assistant","content":"Let me see.\n\nI look it up.","phase":"final_answer"}`)),
		Breaks("left out", phased, backAs(`{"role":"assistant","content":"I look it up."}`+"\n"+theCall),
			Found(2, "/input/1", "a message of the model came back without its phase", "commentary", "nothing")),
		Breaks("another one", phased, backAs(`{"role":"assistant","content":"I look it up.","phase":"final_answer"}`+"\n"+theCall),
			Found(2, "/input/1", "a message of the model came back without its phase", "commentary", `"final_answer"`)),
	},
}
