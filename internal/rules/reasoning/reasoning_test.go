package reasoning_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	// unthinking reasons with an empty text.
	unthinking = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: ""
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("deepseek")
)

var (
	// thoughtOnce thinks in the first of two turns alone.
	thoughtOnce = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - reasoning: Oslo first.
    reasoning-details: [{type: text, text: Oslo first.}]
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`).Under("vllm")
	// thoughtLess thinks nothing in the second of two turns.
	thoughtLess = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - reasoning: Oslo first.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: ""
    calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`).Under("moonshot")
)

// thenLima is a run of thoughtOnce in which the second turn goes back as this message.
func thenLima(message string) string {
	return `
		asks
		asks on
			calls oslo
			result oslo
		asks on
			` + message + `
			result lima
		completed`
}

// blocksThenLima is the same in the dialect messages, with these blocks before the second call.
func blocksThenLima(blocks string) string {
	return `
		asks
		asks on
			{{message 1}}
			results oslo
		asks on
			{"role":"assistant","content":[` + blocks + `{{blocks 2}}]}
			results lima
		completed`
}

var coreCases = Cases{
	"reasoning/resent-on-tool-turns": {
		Holds("with the turn", Thinking, OneCityDone),
		Holds("as a part of the content, for Mistral", Partly, Round(`
			{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"I need "},{"type":"text","text":"the weather in Oslo."}]}],"tool_calls":[{{oslo call}}]}
			result oslo`)),
		Breaks("as text alone, for Mistral", Partly, Round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/content", "the reasoning of a turn with tool calls did not go back", `a part of the type thinking with "I need the weather in Oslo."`, `""`)),
		Holds("as blocks", Thinking.Under("openrouter"), OneCityDone),
		Holds("as a text, for OpenRouter", Thinking.Under("openrouter"), Round(`
			{"role":"assistant","content":null,"reasoning":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		Holds("under its other name, for OpenRouter", Thinking.Under("openrouter"), Round(`
			{"role":"assistant","content":null,"reasoning_content":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		Breaks("an empty text for it", Thinking, Round(`
			{"role":"assistant","content":null,"reasoning_content":" ","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": "I need the weather in Oslo."`, "only role, content, reasoning_content, tool_calls")),
		Holds("shortened is for unchanged", Thinking, Round(`
			{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("OpenAI shows none", OneCity, OneCityDone),
		Holds("under the only name that Ollama reads", Thinking.Under("ollama"), OneCityDone),
		Breaks("under another name, for Ollama", Thinking.Under("ollama"), Round(`
			{"role":"assistant","reasoning_content":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning", "the reasoning of a turn with tool calls did not go back",
				`"reasoning": "I need the weather in Oslo."`, "only role, reasoning_content, tool_calls")),
		SeesNothing("vLLM does not mind", Thinking.Under("vllm"), OneCityDone),
		SeesNothing("R1 forbids it", Thinking.Under("deepseek-r1"), OneCityDone),
		SeesNothing("empty reasoning is for empty-resent", unthinking, Round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("a lost turn is for calls-come-back", Thinking, Round("result oslo")),
		Breaks("dropped", Thinking, Round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": "I need the weather in Oslo."`, "only role, content, tool_calls")),
		Breaks("under another name, for DeepSeek", Thinking, Round(`
			{"role":"assistant","content":null,"reasoning":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": "I need the weather in Oslo."`, "only role, content, reasoning, tool_calls")),
		Breaks("null", Thinking, Round(`
			{"role":"assistant","content":null,"reasoning_content":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": "I need the weather in Oslo."`, "only role, content, reasoning_content, tool_calls")),
		Breaks("what the model thinks unasked is dropped too", OneCity.Under("deepseek"), Round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": "I look at what is asked and at the tools that I have."`, "only role, content, tool_calls")),
		Breaks("dropped, for OpenRouter", Thinking.Under("openrouter"), Round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning", "the reasoning of a turn with tool calls did not go back",
				`"reasoning": "I need the weather in Oslo."`, "only role, content, tool_calls")),
	},
	"reasoning/empty-resent": {
		Holds("as an empty text", unthinking, OneCityDone),
		SeesNothing("reasoning with words", Thinking, OneCityDone),
		SeesNothing("OpenRouter does not ask for empty reasoning", unthinking.Under("openrouter"), OneCityDone),
		Breaks("dropped", unthinking, Round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": ""`, "only role, content, tool_calls")),
		Breaks("null", unthinking, Round(`
			{"role":"assistant","content":"","reasoning_content":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": ""`, "only role, content, reasoning_content, tool_calls")),
	},
	"reasoning/withheld": {
		Holds("dropped", Thinking.Under("deepseek-r1"), OneCityDone),
		Holds("null is not reasoning", Thinking.Under("deepseek-r1"), Round(`
			{"role":"assistant","content":"","reasoning_content":null,"tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("V4 wants it", Thinking, OneCityDone),
		SeesNothing("nothing was sent that could have it", Thinking.Under("deepseek-r1"), Unanswered),
		Breaks("the message as it came", Thinking.Under("deepseek-r1"), Round(`
			{{message 1}}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", "reasoning went back to a provider that forbids it", "no reasoning_content", `"I need the weather in Oslo."`)),
		Breaks("on an answer, and empty", TwoPrompts.Under("deepseek-r1"), GoingOn(`{"role":"assistant","content":"It is 4 C in Oslo.","reasoning_content":""}`),
			Found(3, "/messages/3/reasoning_content", "reasoning went back to a provider that forbids it", "no reasoning_content", `""`)),
		Breaks("under another name, alongside null", Thinking.Under("deepseek-r1"), Round(`
			{"role":"assistant","content":"","reasoning_content":null,"reasoning":"Hm.","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning", "reasoning went back to a provider that forbids it", "no reasoning", `"Hm."`)),
	},
	"reasoning/none-made-up": {
		Holds("the second turn has none", thoughtOnce, thenLima(`{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`)),
		Holds("an empty text", thoughtOnce, thenLima(`{"role":"assistant","content":null,"reasoning_content":"","tool_calls":[{{lima call}}]}`)),
		Holds("a word in its place, for a provider that refuses a turn without the field", thoughtLess, thenLima(`{"role":"assistant","content":null,"reasoning_content":"(none)","tool_calls":[{{lima call}}]}`)),
		Holds("in blocks, the second turn has none", thoughtOnce.Under("anthropic"), blocksThenLima("")),
		SeesNothing("the model thinks at every turn", Thinking, OneCityDone),
		SeesNothing("the model never thinks", TwoCities, TwoCitiesDone),
		Breaks("that of another turn", thoughtOnce, thenLima(`{"role":"assistant","content":null,"reasoning_content":"Oslo first.","tool_calls":[{{lima call}}]}`),
			Found(3, "/messages/3/reasoning_content", "a turn without reasoning came back with some", `""`, `"Oslo first."`)),
		Breaks("that of another turn, for a provider that refuses a turn without the field", thoughtLess, thenLima(`{"role":"assistant","content":null,"reasoning_content":"Oslo first.","tool_calls":[{{lima call}}]}`),
			Found(3, "/messages/3/reasoning_content", "a turn without reasoning came back with some", `""`, `"Oslo first."`)),
		Breaks("words of the loop's own", thoughtOnce, thenLima(`{"role":"assistant","content":null,"reasoning_content":"I think.","tool_calls":[{{lima call}}]}`),
			Found(3, "/messages/3/reasoning_content", "a turn without reasoning came back with some", `""`, `"I think."`)),
		Breaks("a block of another turn", thoughtOnce.Under("anthropic"), blocksThenLima(`{"type":"thinking","thinking":"Oslo first.","signature":"{{signature 1}}"},`),
			Found(3, "/messages/3/content/0", "a turn without reasoning came back with some", "no reasoning", `{"type":"thinking","thinking":"Oslo first.","signature":"{{signature 1}}"}`)),
	},
	"reasoning/kept-out-of-the-content": {
		Holds("in its own field", Thinking, OneCityDone),
		Holds("dropped", Thinking.Under("deepseek-r1"), OneCityDone),
		Holds("the model said aloud what it thought", Obvious, OneCityDone),
		SeesNothing("OpenAI shows none", OneCity, OneCityDone),
		SeesNothing("the model thought nothing", unthinking, OneCityDone),
		Breaks("in front of the text", Thinking, Round(`
			{"role":"assistant","content":"<think>I need the weather in Oslo.</think>","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/content", "the reasoning went back as content", `""`, `"<think>I need the weather in Oslo.</think>"`)),
		Breaks("as a part of its own", Thinking, Round(`
			{"role":"assistant","content":[{"type":"text","text":"I need the weather in Oslo."}],"tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/content", "the reasoning went back as content", `""`, `"I need the weather in Oslo."`)),
	},
	"reasoning/kept-out-of-the-answer": {
		Holds("the text alone", Thinking, OneCityDone),
		Holds("the model said aloud what it thought", Obvious, OneCityDone),
		SeesNothing("OpenAI shows none", OneCity, OneCityDone),
		SeesNothing("no tool was used", Scene(`
prompt: Say hello.
model: [{reasoning: Hm., text: Hello.}]
`).Under("deepseek"), NoToolsDone),
		SeesNothing("the model did not answer", Lines, Unanswered),
		Breaks("in front of the text", Thinking, AfterRound(`completed: "The user will be cold.\n\nIt is 4 C in Oslo."`),
			Found(2, "", "the reasoning is part of the answer", `"It is 4 C in Oslo."`, `"The user will be cold.\n\nIt is 4 C in Oslo."`)),
		Breaks("instead of the text", Thinking, AfterRound("completed: The user will be cold."),
			Found(2, "", "the reasoning is part of the answer", `"It is 4 C in Oslo."`, `"The user will be cold."`)),
	},
}
