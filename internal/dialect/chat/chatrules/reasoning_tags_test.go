package chatrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// tagged thinks in its text.
var tagged = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: "<think>\nOslo.\n</think>\n\nLet me look."
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("minimax")

var thinkTagsCases = []Case{
	Holds("with the text", tagged, Round(`
		{"role":"assistant","content":"<think>\nOslo.\n</think>\n\nLet me look.","tool_calls":[{{oslo call}}]}
		result oslo`)),
	Holds("with other line ends between the tags and what they hold", tagged, Round(`
		{"role":"assistant","content":"<think>\n\nOslo.\n\n</think>\n\n\n\nLet me look.","tool_calls":[{{oslo call}}]}
		result oslo`)),
	Holds("without any line ends", tagged, Round(`
		{"role":"assistant","content":"<think>Oslo.</think>Let me look.","tool_calls":[{{oslo call}}]}
		result oslo`)),
	Breaks("without its tags", tagged, Round(`
		{"role":"assistant","content":"Oslo.\n\nLet me look.","tool_calls":[{{oslo call}}]}
		result oslo`),
		Found(2, "/messages/1/content", "the thinking in the text of a turn did not go back", `"<think>\nOslo.\n</think>"`, `"Oslo.\n\nLet me look."`)),
	Holds("without the rest of the text, which is for the rules about history", tagged, Round(`
		{"role":"assistant","content":"<think>\nOslo.\n</think>","tool_calls":[{{oslo call}}]}
		result oslo`)),
	Holds("no text at all, which is for the rules about history", tagged, Round(`
		{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
		result oslo`)),
	Holds("in a message of its own, which is for them too", tagged, Round(`
		{"role":"assistant","content":"<think>\nOslo.\n</think>\n\nLet me look."}
		{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
		result oslo`)),
	SeesNothing("the text has none", OneCity, OneCityDone),
	SeesNothing("a lost turn is for calls-come-back", tagged, Round("result oslo")),
	Breaks("cut out", tagged, Round(`
		{"role":"assistant","content":"Let me look.","tool_calls":[{{oslo call}}]}
		result oslo`),
		Found(2, "/messages/1/content", "the thinking in the text of a turn did not go back", `"<think>\nOslo.\n</think>"`, `"Let me look."`)),
}
