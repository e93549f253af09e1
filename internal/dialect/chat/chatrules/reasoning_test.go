package chatrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var reasoningCases = Cases{
	"reasoning/think-tags-kept": thinkTagsCases,
	"reasoning/unchanged": {
		Holds("letter for letter", Lines, OneCityDone),
		Holds("in pieces, for Mistral", Partly, Round(`
			{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"I need "}]},{"type":"thinking","thinking":"the weather in Oslo."}],"tool_calls":[{{oslo call}}]}
			result oslo`)),
		Breaks("shortened, for Mistral", Partly, Round(`
			{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Oslo."}]}],"tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/content/0", "the reasoning came back changed", `"I need the weather in Oslo."`, `"Oslo."`)),
		Holds("under another name", Lines.Under("vllm"), Round(`
			{"role":"assistant","content":null,"reasoning_content":"Let me \"think\"…\n1. ask\n","tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("dropped is for resent-on-tool-turns", Lines, Round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("OpenAI shows none", OneCity, OneCityDone),
		SeesNothing("R1 forbids it", Lines.Under("deepseek-r1"), Round(`
			{"role":"assistant","content":null,"reasoning_content":"no","tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("blocks are for the rules about blocks", Lines.Under("openrouter"), OneCityDone),
		SeesNothing("empty alongside blocks that say it all", Lines.Under("openrouter"), Round(`
			{"role":"assistant","content":null,"reasoning":"","reasoning_details":[{"type":"reasoning.text","text":"Let me."}],"tool_calls":[{{oslo call}}]}
			result oslo`)),
		Holds("without the line end after it, which is for verbatim", Lines, Round(`
			{"role":"assistant","content":null,"reasoning_content":"Let me \"think\"…\n1. ask","tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("an empty text for it is for resent-on-tool-turns", Lines, Round(`
			{"role":"assistant","content":null,"reasoning_content":"","tool_calls":[{{oslo call}}]}
			result oslo`)),
		Breaks("of an answer", ThinkingTwice, OnTheWay(`{"role":"assistant","content":"It is 4 C in Oslo.","reasoning_content":"Hm."}`),
			Found(3, "/messages/3/reasoning_content", "the reasoning came back changed", `"The tool says 4 C."`, `"Hm."`)),
		Breaks("flattened", Lines, Round(`
			{"role":"assistant","content":null,"reasoning_content":"Let me \"think\"… 1. ask ","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", "the reasoning came back changed", `"Let me \"think\"…\n1. ask\n"`, `"Let me \"think\"… 1. ask "`)),
		Breaks("that of another turn", twoThoughts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				{"role":"assistant","content":null,"reasoning_content":"Oslo first.","tool_calls":[{{lima call}}]}
				result lima
			completed`,
			Found(3, "/messages/3/reasoning_content", "the reasoning came back changed", `"Now Lima."`, `"Oslo first."`)),
	},
	"reasoning/verbatim": {
		Holds("letter for letter", Lines, OneCityDone),
		Holds("changed is for unchanged", Lines, Round(`
			{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("no white space at its ends", Thinking, OneCityDone),
		Breaks("without the line end after it", Lines, Round(`
			{"role":"assistant","content":null,"reasoning_content":"Let me \"think\"…\n1. ask","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", "the reasoning came back without the white space at its ends", `"Let me \"think\"…\n1. ask\n"`, `"Let me \"think\"…\n1. ask"`)),
	},
}

// twoThoughts reasons differently in two turns.
var twoThoughts = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - reasoning: Oslo first.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: Now Lima.
    calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`).Under("deepseek")
