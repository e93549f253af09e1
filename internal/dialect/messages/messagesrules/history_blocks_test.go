package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var historyBlockCases = Cases{
	"history/unknown-blocks-come-back": {
		Holds("as they came", Searching, `
			asks
			runs oslo
			asks on
				{{message 1}}
				results oslo
			completed`),
		Holds("without a key that was null", nullable, SecondRequest(`{"role":"assistant","content":[{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","title":"Oslo"}]},`+OsloUse+`]}
			`+GotOslo)),
		Breaks("without a key that was not null", nullable, SecondRequest(`{"role":"assistant","content":[{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","page_age":null}]},`+OsloUse+`]}
			`+GotOslo),
			Found(2, "/messages", `a block of the type "web_search_tool_result" did not come back as it was`, foundPage,
				`{"role":"assistant","content":[{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","page_age":null}]},`+OsloUse+`]}`)),
		Breaks("without what was null in an input of the model's", nullInput, SecondRequest(`{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},`+OsloUse+`]}
			`+GotOslo),
			Found(2, "/messages", `a block of the type "server_tool_use" did not come back as it was`, `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":null}}`,
				`{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},`+OsloUse+`]}`)),
		SeesNothing("there are none", BlockCity, OneCityDone),
		Breaks("left out", Searching, OneCityDone,
			Found(2, "/messages", `a block of the type "server_tool_use" did not come back as it was`, `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}}`,
				`{"role":"assistant","content":[{"type":"text","text":"I look it up."},{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}]}`)),
		Holds("marked for the cache", Searching, SecondRequest(`{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"},"cache_control":{"type":"ephemeral"}},{"type":"text","text":"I look it up."},`+OsloUse+`]}
			`+GotOslo)),
		Breaks("twice", Searching, SecondRequest(`{"role":"assistant","content":[`+searchUse+`,`+searchUse+`,{"type":"text","text":"I look it up."},`+OsloUse+`]}
			`+GotOslo),
			Found(2, "/messages", `a block of the type "server_tool_use" came back 2 times`, searchUse,
				`{"role":"assistant","content":[`+searchUse+`,`+searchUse+`,{"type":"text","text":"I look it up."},`+OsloUse+`]}`)),
	},
}

const searchUse = `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}}`

const foundPage = `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","title":"Oslo","page_age":null}]}`

// Turns with one block of the provider's and a call.
var (
	nullable  = besideCall(foundPage)
	nullInput = besideCall(`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":null}}`)
)

func besideCall(block string) Setting {
	return Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - blocks: ['` + block + `']
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("anthropic")
}
