package responsesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// explained is a run whose answer has a commentary before it.
var explained = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - commentary: I have it.
    text: It is 4 C in Oslo.
    phase: final_answer
`).Under("openai-responses")

var commentaryCases = Cases{
	"history/commentary-comes-back": {
		Holds("as it came", commented, backAs("{{message 1}}")),
		Holds("in a message with the text after it", commented, backAs(`{"role":"assistant","content":"Let me see.\n\nI look it up."}`+"\n"+theCall)),
		SeesNothing("the text did not come back either", commented, backAs(theCall)),
		SeesNothing("there is none", phased, backAs("{{message 1}}")),
		Breaks("left out", commented, backAs(`{"role":"assistant","content":"I look it up.","phase":"final_answer"}`+"\n"+theCall),
			Found(2, "/input", "what the model said before its answer did not come back", `"Let me see."`,
				`[{"role":"assistant","content":"I look it up.","phase":"final_answer"},`+theCall+`]`)),
	},
	"outcome/commentary-is-no-answer": {
		Holds("the answer", explained, AfterRound("completed")),
		SeesNothing("there is none", phased, AfterRound("completed")),
		SeesNothing("not completed is for outcome/completed", explained, AfterRound("stopped: done")),
		Holds("the commentary alone is for final-text", explained, AfterRound("completed: I have it.")),
		Breaks("both", explained, AfterRound(`completed: "I have it.\n\nIt is 4 C in Oslo."`),
			Found(2, "", "the reported answer has the commentary in it", `"It is 4 C in Oslo."`, `"I have it.\n\nIt is 4 C in Oslo."`)),
	},
}
