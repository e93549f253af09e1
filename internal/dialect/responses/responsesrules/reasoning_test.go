package responsesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// inParts is a turn with a summary of two parts.
var inParts = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: First this, then that.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    quirks: [summary-in-parts]
  - text: It is 4 C in Oslo.
`).Under("openai-responses")

var reasoningPartsCases = Cases{
	"reasoning/summary-in-parts": {
		Holds("as they came", inParts, backAs("{{message 1}}")),
		Holds("joined to one", inParts, backAs(`{"type":"reasoning","summary":[{"type":"summary_text","text":"First this, then that."}]}`+"\n"+theCall)),
		SeesNothing("left out", inParts, backAs(theCall)),
		SeesNothing("in one part", thoughtfulItems, backAs("{{message 1}}")),
		Breaks("the last one alone", inParts, backAs(`{"type":"reasoning","summary":[{"type":"summary_text","text":" then that."}]}`+"\n"+theCall),
			Found(2, "/input/1", "the summary of the reasoning came back in part", `"First this, then that."`,
				`{"type":"reasoning","summary":[{"type":"summary_text","text":" then that."}]}`)),
	},
}
