package rules

// thinkingBetween thinks before each of two calls.
var thinkingBetween = scene(weatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - mixed: true
    reasoning-details: [{type: text, text: First Oslo.}, {type: text, text: Then Lima.}]
    text: I look it up.
    calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: Lima is warmer.
`).under("anthropic")

// lineEnding ends its text beside a call with a line break.
var lineEnding = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: "I look it up:\n"
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).under("anthropic")

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

var historyOrderCases = ruleCases{
	"history/blocks-in-their-order": {
		holds("as they came", thinkingBetween, afterBoth("{{message 1}}")),
		seesNothing("without some of them, which is for other rules", thinkingBetween, afterBoth(`{"role":"assistant","content":[`+limaUse+`,`+osloUse+`]}`)),
		seesNothing("one block", blockCity, oneCityDone),
		seesNothing("the provider kept the turn", kept, beginsThread+threadGoesOn),
		breaks("the calls before the text", searching, secondRequest(`{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}},`+osloUse+`,{"type":"text","text":"I look it up."}]}
			`+gotOslo),
			finding{2, "/messages/1/content", "the blocks of a turn came back in another order", "server_tool_use, text, tool_use", "server_tool_use, tool_use, text"}),
		breaks("the calls swapped", blockCities, afterBoth(`{"role":"assistant","content":[`+limaUse+`,`+osloUse+`]}`),
			finding{2, "/messages/1/content", "the blocks of a turn came back in another order", "tool_use, tool_use", "tool_use, tool_use"}),
	},
	"history/text-verbatim": {
		holds("as it came", lineEnding, secondRequest(`{"role":"assistant","content":[{"type":"text","text":"I look it up:\n"},`+osloUse+`]}
			`+gotOslo)),
		seesNothing("no white space", searching, oneCityDone),
		seesNothing("no text at all", lineEnding, secondRequest(calledOslo+"\n"+gotOslo)),
		breaks("trimmed", lineEnding, secondRequest(`{"role":"assistant","content":[{"type":"text","text":"I look it up:"},`+osloUse+`]}
			`+gotOslo),
			finding{2, "/messages/1/content", "the text beside calls came back without the white space at its ends", `"I look it up:\n"`, `"I look it up:"`}),
	},
}
