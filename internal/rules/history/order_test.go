package history_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// thinkingBetween thinks before each of two calls.
var thinkingBetween = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - mixed: true
    reasoning-details: [{type: text, text: First Oslo.}, {type: text, text: Then Lima.}]
    text: I look it up.
    calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: Lima is warmer.
`).Under("anthropic")

// lineEnding ends its text alongside a call with a line break.
var lineEnding = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: "I look it up:\n"
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("anthropic")

// afterBoth is a run whose second request returns a turn of two calls so.
func afterBoth(turn string) string {
	return `
		asks
		runs oslo
		runs lima
		asks on
			` + turn + `
			results oslo, lima
		completed`
}

const limaUse = `{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}`

var orderCases = Cases{
	"history/blocks-in-their-order": {
		Holds("as they came", thinkingBetween, afterBoth("{{message 1}}")),
		SeesNothing("without some of them, which is for other rules", thinkingBetween, afterBoth(`{"role":"assistant","content":[`+limaUse+`,`+OsloUse+`]}`)),
		SeesNothing("one block", BlockCity, OneCityDone),
		SeesNothing("the provider kept the turn", Kept, BeginsThread+ThreadGoesOn),
		Breaks("the calls before the text", Searching, SecondRequest(`{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}},`+OsloUse+`,{"type":"text","text":"I look it up."}]}
			`+GotOslo),
			Found(2, "/messages/1/content", "the blocks of a turn came back in another order", "server_tool_use, text, tool_use", "server_tool_use, tool_use, text")),
		Breaks("the calls swapped", BlockCities, afterBoth(`{"role":"assistant","content":[`+limaUse+`,`+OsloUse+`]}`),
			Found(2, "/messages/1/content", "the blocks of a turn came back in another order", "tool_use, tool_use", "tool_use, tool_use")),
	},
	"history/text-verbatim": {
		Holds("as it came", lineEnding, SecondRequest(`{"role":"assistant","content":[{"type":"text","text":"I look it up:\n"},`+OsloUse+`]}
			`+GotOslo)),
		SeesNothing("no white space", Searching, OneCityDone),
		SeesNothing("no text at all", lineEnding, SecondRequest(CalledOslo+"\n"+GotOslo)),
		Breaks("trimmed", lineEnding, SecondRequest(`{"role":"assistant","content":[{"type":"text","text":"I look it up:"},`+OsloUse+`]}
			`+GotOslo),
			Found(2, "/messages/1/content", "the text alongside calls came back without the white space at its ends", `"I look it up:\n"`, `"I look it up:"`)),
	},
}
