package rules

var (
	// unthinking reasons with an empty text.
	unthinking = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: ""
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).under("deepseek")
	// lines has line ends and quotes in its reasoning.
	lines = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: "Let me \"think\"…\n1. ask\n"
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: Done.
    text: It is 4 C in Oslo.
`).under("deepseek")
	// thoughtOnce thinks in the first of two turns alone.
	thoughtOnce = scene(weatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - reasoning: Oslo first.
    reasoning-details: [{type: text, text: Oslo first.}]
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`).under("vllm")
	// thoughtLess thinks nothing in the second of two turns.
	thoughtLess = scene(weatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - reasoning: Oslo first.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: ""
    calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`).under("moonshot")
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

// blocksThenLima is the same in the dialect messages, with these blocks in front of the second call.
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

var reasoningCases = ruleCases{
	"reasoning/think-tags-kept": thinkTagsCases,
	"reasoning/resent-on-tool-turns": {
		holds("with the turn", thinking, oneCityDone),
		holds("as a part of the content, for Mistral", partly, round(`
			{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"I need "},{"type":"text","text":"the weather in Oslo."}]}],"tool_calls":[{{oslo call}}]}
			result oslo`)),
		breaks("as text alone, for Mistral", partly, round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/content", "the reasoning of a turn with tool calls did not go back", `a part of the type thinking with "I need the weather in Oslo."`, `""`}),
		holds("as blocks", thinking.under("openrouter"), oneCityDone),
		holds("as a text, for OpenRouter", thinking.under("openrouter"), round(`
			{"role":"assistant","content":null,"reasoning":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		holds("under its other name, for OpenRouter", thinking.under("openrouter"), round(`
			{"role":"assistant","content":null,"reasoning_content":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		breaks("an empty text for it", thinking, round(`
			{"role":"assistant","content":null,"reasoning_content":" ","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": "I need the weather in Oslo."`, "only role, content, reasoning_content, tool_calls"}),
		holds("shortened is for unchanged", thinking, round(`
			{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("OpenAI shows none", oneCity, oneCityDone),
		holds("under the only name that Ollama reads", thinking.under("ollama"), oneCityDone),
		breaks("under another name, for Ollama", thinking.under("ollama"), round(`
			{"role":"assistant","reasoning_content":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning", "the reasoning of a turn with tool calls did not go back",
				`"reasoning": "I need the weather in Oslo."`, "only role, reasoning_content, tool_calls"}),
		seesNothing("vLLM does not mind", thinking.under("vllm"), oneCityDone),
		seesNothing("R1 forbids it", thinking.under("deepseek-r1"), oneCityDone),
		seesNothing("empty reasoning is for empty-resent", unthinking, round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("a lost turn is for calls-come-back", thinking, round("result oslo")),
		breaks("dropped", thinking, round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": "I need the weather in Oslo."`, "only role, content, tool_calls"}),
		breaks("under another name, for DeepSeek", thinking, round(`
			{"role":"assistant","content":null,"reasoning":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": "I need the weather in Oslo."`, "only role, content, reasoning, tool_calls"}),
		breaks("null", thinking, round(`
			{"role":"assistant","content":null,"reasoning_content":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": "I need the weather in Oslo."`, "only role, content, reasoning_content, tool_calls"}),
		breaks("what the model thinks unasked is dropped too", oneCity.under("deepseek"), round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": "I look at what is asked and at the tools that I have."`, "only role, content, tool_calls"}),
		breaks("dropped, for OpenRouter", thinking.under("openrouter"), round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning", "the reasoning of a turn with tool calls did not go back",
				`"reasoning": "I need the weather in Oslo."`, "only role, content, tool_calls"}),
	},
	"reasoning/empty-resent": {
		holds("as an empty text", unthinking, oneCityDone),
		seesNothing("reasoning with words", thinking, oneCityDone),
		seesNothing("OpenRouter does not ask for empty reasoning", unthinking.under("openrouter"), oneCityDone),
		breaks("dropped", unthinking, round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": ""`, "only role, content, tool_calls"}),
		breaks("null", unthinking, round(`
			{"role":"assistant","content":"","reasoning_content":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", "the reasoning of a turn with tool calls did not go back",
				`"reasoning_content": ""`, "only role, content, reasoning_content, tool_calls"}),
	},
	"reasoning/withheld": {
		holds("dropped", thinking.under("deepseek-r1"), oneCityDone),
		holds("null is no reasoning", thinking.under("deepseek-r1"), round(`
			{"role":"assistant","content":"","reasoning_content":null,"tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("V4 wants it", thinking, oneCityDone),
		seesNothing("nothing was sent that could have it", thinking.under("deepseek-r1"), unanswered),
		breaks("the message as it came", thinking.under("deepseek-r1"), round(`
			{{message 1}}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", "reasoning went back to a provider that forbids it", "no reasoning_content", `"I need the weather in Oslo."`}),
		breaks("on an answer, and empty", twoPrompts.under("deepseek-r1"), goingOn(`{"role":"assistant","content":"It is 4 C in Oslo.","reasoning_content":""}`),
			finding{3, "/messages/3/reasoning_content", "reasoning went back to a provider that forbids it", "no reasoning_content", `""`}),
		breaks("under another name, beside null", thinking.under("deepseek-r1"), round(`
			{"role":"assistant","content":"","reasoning_content":null,"reasoning":"Hm.","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning", "reasoning went back to a provider that forbids it", "no reasoning", `"Hm."`}),
	},
	"reasoning/unchanged": {
		holds("letter for letter", lines, oneCityDone),
		holds("in pieces, for Mistral", partly, round(`
			{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"I need "}]},{"type":"thinking","thinking":"the weather in Oslo."}],"tool_calls":[{{oslo call}}]}
			result oslo`)),
		breaks("shortened, for Mistral", partly, round(`
			{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Oslo."}]}],"tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/content/0", "the reasoning came back changed", `"I need the weather in Oslo."`, `"Oslo."`}),
		holds("under another name", lines.under("vllm"), round(`
			{"role":"assistant","content":null,"reasoning_content":"Let me \"think\"…\n1. ask\n","tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("dropped is for resent-on-tool-turns", lines, round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("OpenAI shows none", oneCity, oneCityDone),
		seesNothing("R1 forbids it", lines.under("deepseek-r1"), round(`
			{"role":"assistant","content":null,"reasoning_content":"no","tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("blocks are for the rules about blocks", lines.under("openrouter"), oneCityDone),
		seesNothing("empty beside blocks that say it all", lines.under("openrouter"), round(`
			{"role":"assistant","content":null,"reasoning":"","reasoning_details":[{"type":"reasoning.text","text":"Let me."}],"tool_calls":[{{oslo call}}]}
			result oslo`)),
		holds("without the line end behind it, which is for verbatim", lines, round(`
			{"role":"assistant","content":null,"reasoning_content":"Let me \"think\"…\n1. ask","tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("an empty text for it is for resent-on-tool-turns", lines, round(`
			{"role":"assistant","content":null,"reasoning_content":"","tool_calls":[{{oslo call}}]}
			result oslo`)),
		breaks("of an answer", thinkingTwice, onTheWay(`{"role":"assistant","content":"It is 4 C in Oslo.","reasoning_content":"Hm."}`),
			finding{3, "/messages/3/reasoning_content", "the reasoning came back changed", `"The tool says 4 C."`, `"Hm."`}),
		breaks("flattened", lines, round(`
			{"role":"assistant","content":null,"reasoning_content":"Let me \"think\"… 1. ask ","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", "the reasoning came back changed", `"Let me \"think\"…\n1. ask\n"`, `"Let me \"think\"… 1. ask "`}),
		breaks("that of another turn", twoThoughts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				{"role":"assistant","content":null,"reasoning_content":"Oslo first.","tool_calls":[{{lima call}}]}
				result lima
			completed`,
			finding{3, "/messages/3/reasoning_content", "the reasoning came back changed", `"Now Lima."`, `"Oslo first."`}),
	},
	"reasoning/verbatim": {
		holds("letter for letter", lines, oneCityDone),
		holds("changed is for unchanged", lines, round(`
			{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("no white space at its ends", thinking, oneCityDone),
		breaks("without the line end behind it", lines, round(`
			{"role":"assistant","content":null,"reasoning_content":"Let me \"think\"…\n1. ask","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", "the reasoning came back without the white space at its ends", `"Let me \"think\"…\n1. ask\n"`, `"Let me \"think\"…\n1. ask"`}),
	},
	"reasoning/none-made-up": {
		holds("the second turn has none", thoughtOnce, thenLima(`{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`)),
		holds("an empty text", thoughtOnce, thenLima(`{"role":"assistant","content":null,"reasoning_content":"","tool_calls":[{{lima call}}]}`)),
		holds("a word in its place, for a provider that refuses a turn without the field", thoughtLess, thenLima(`{"role":"assistant","content":null,"reasoning_content":"(none)","tool_calls":[{{lima call}}]}`)),
		holds("in blocks, the second turn has none", thoughtOnce.under("anthropic"), blocksThenLima("")),
		seesNothing("the model thinks at every turn", thinking, oneCityDone),
		seesNothing("the model never thinks", twoCities, twoCitiesDone),
		breaks("that of another turn", thoughtOnce, thenLima(`{"role":"assistant","content":null,"reasoning_content":"Oslo first.","tool_calls":[{{lima call}}]}`),
			finding{3, "/messages/3/reasoning_content", "a turn without reasoning came back with some", `""`, `"Oslo first."`}),
		breaks("that of another turn, for a provider that refuses a turn without the field", thoughtLess, thenLima(`{"role":"assistant","content":null,"reasoning_content":"Oslo first.","tool_calls":[{{lima call}}]}`),
			finding{3, "/messages/3/reasoning_content", "a turn without reasoning came back with some", `""`, `"Oslo first."`}),
		breaks("words of the loop's own", thoughtOnce, thenLima(`{"role":"assistant","content":null,"reasoning_content":"I think.","tool_calls":[{{lima call}}]}`),
			finding{3, "/messages/3/reasoning_content", "a turn without reasoning came back with some", `""`, `"I think."`}),
		breaks("a block of another turn", thoughtOnce.under("anthropic"), blocksThenLima(`{"type":"thinking","thinking":"Oslo first.","signature":"{{signature 1}}"},`),
			finding{3, "/messages/3/content/0", "a turn without reasoning came back with some", "no reasoning", `{"type":"thinking","thinking":"Oslo first.","signature":"{{signature 1}}"}`}),
	},
	"reasoning/kept-out-of-the-content": {
		holds("in its own field", thinking, oneCityDone),
		holds("dropped", thinking.under("deepseek-r1"), oneCityDone),
		holds("the model said aloud what it thought", obvious, oneCityDone),
		seesNothing("OpenAI shows none", oneCity, oneCityDone),
		seesNothing("the model thought nothing", unthinking, oneCityDone),
		breaks("in front of the text", thinking, round(`
			{"role":"assistant","content":"<think>I need the weather in Oslo.</think>","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/content", "the reasoning went back as content", `""`, `"<think>I need the weather in Oslo.</think>"`}),
		breaks("as a part of its own", thinking, round(`
			{"role":"assistant","content":[{"type":"text","text":"I need the weather in Oslo."}],"tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/content", "the reasoning went back as content", `""`, `"I need the weather in Oslo."`}),
	},
	"reasoning/kept-out-of-the-answer": {
		holds("the text alone", thinking, oneCityDone),
		holds("the model said aloud what it thought", obvious, oneCityDone),
		seesNothing("OpenAI shows none", oneCity, oneCityDone),
		seesNothing("no tool was used", scene(`
prompt: Say hello.
model: [{reasoning: Hm., text: Hello.}]
`).under("deepseek"), noToolsDone),
		seesNothing("the model did not answer", lines, unanswered),
		breaks("in front of the text", thinking, afterRound(`completed: "The user will be cold.\n\nIt is 4 C in Oslo."`),
			finding{2, "", "the reasoning is part of the answer", `"It is 4 C in Oslo."`, `"The user will be cold.\n\nIt is 4 C in Oslo."`}),
		breaks("instead of the text", thinking, afterRound("completed: The user will be cold."),
			finding{2, "", "the reasoning is part of the answer", `"It is 4 C in Oslo."`, `"The user will be cold."`}),
	},
}

// twoThoughts reasons differently in two turns.
var twoThoughts = scene(weatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - reasoning: Oslo first.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: Now Lima.
    calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`).under("deepseek")
