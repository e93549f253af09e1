package rules

// partly reasons in the content.
var partly = thinking.under("mistral-reasoning")

// tagged thinks in its text.
var tagged = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: "<think>\nOslo.\n</think>\n\nLet me look."
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).under("minimax")

var thinkTagsCases = []ruleCase{
	holds("with the text", tagged, round(`
		{"role":"assistant","content":"<think>\nOslo.\n</think>\n\nLet me look.","tool_calls":[{{oslo call}}]}
		result oslo`)),
	holds("with other line ends between the tags and what they hold", tagged, round(`
		{"role":"assistant","content":"<think>\n\nOslo.\n\n</think>\n\n\n\nLet me look.","tool_calls":[{{oslo call}}]}
		result oslo`)),
	holds("without any line ends", tagged, round(`
		{"role":"assistant","content":"<think>Oslo.</think>Let me look.","tool_calls":[{{oslo call}}]}
		result oslo`)),
	breaks("without its tags", tagged, round(`
		{"role":"assistant","content":"Oslo.\n\nLet me look.","tool_calls":[{{oslo call}}]}
		result oslo`),
		finding{2, "/messages/1/content", "the thinking in the text of a turn did not go back", `"<think>\nOslo.\n</think>"`, `"Oslo.\n\nLet me look."`}),
	holds("without the rest of the text, which is for the rules about history", tagged, round(`
		{"role":"assistant","content":"<think>\nOslo.\n</think>","tool_calls":[{{oslo call}}]}
		result oslo`)),
	holds("no text at all, which is for the rules about history", tagged, round(`
		{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
		result oslo`)),
	holds("in a message of its own, which is for them too", tagged, round(`
		{"role":"assistant","content":"<think>\nOslo.\n</think>\n\nLet me look."}
		{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
		result oslo`)),
	seesNothing("the text has none", oneCity, oneCityDone),
	seesNothing("a lost turn is for calls-come-back", tagged, round("result oslo")),
	breaks("cut out", tagged, round(`
		{"role":"assistant","content":"Let me look.","tool_calls":[{{oslo call}}]}
		result oslo`),
		finding{2, "/messages/1/content", "the thinking in the text of a turn did not go back", `"<think>\nOslo.\n</think>"`, `"Let me look."`}),
}
