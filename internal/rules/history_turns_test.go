package rules

var historyTurnsCases = ruleCases{
	"history/calls-come-back": {
		holds("two calls", twoCities, twoCitiesDone),
		holds("in two messages", twoCities, turnInTwo),
		holds("under other ids, with other arguments, and without a name", twoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"2","type":"function","function":{"arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"1","content":"4 C"}
				{"role":"tool","tool_call_id":"2","content":"19 C"}
			completed`),
		seesNothing("no turn with calls", noTools, noToolsDone),
		seesNothing("the loop did not ask again", oneCity, `
			asks
			runs oslo
			failed: no idea`),
		breaks("only the first call", twoCities, `
			asks
			asks on
				calls oslo
				result oslo
			completed`,
			finding{2, "/messages", "the call lima (get_weather) did not come back", "an assistant message with 2 tool calls", `{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`}),
		breaks("the turn is missing, only its result is there", oneCity, `
			asks
			asks on
				result oslo
			completed`,
			finding{2, "/messages", "the call oslo (get_weather) did not come back", "an assistant message with 1 tool call", "no assistant message for this turn"}),
		breaks("only the text of the turn", talking, `
			asks
			asks on
				assistant: I look up both.
				user: 4 C, 19 C
			completed`,
			finding{2, "/messages", "the call oslo (get_weather) did not come back", "an assistant message with 2 tool calls", `{"role":"assistant","content":"I look up both."}`}),
		breaks("the second of two equal turns", samePrice, `
			asks
			asks on
				calls first
				result first
			asks on
			completed`,
			finding{3, "/messages", "the call again (get_price) did not come back", "an assistant message with 1 tool call", "no assistant message for this turn"}),
		holds("a call that cannot be run may be left out", oneBroken, `
			asks
			asks on
				calls lima
				result lima
			completed`),
	},
	"history/text-comes-back": {
		holds("with its calls", talking, `
			asks
			asks on
				calls oslo, lima: I look up both.
				result oslo
				result lima
			completed`),
		holds("in a message of its own, in parts", talking, `
			asks
			asks on
				{"role":"assistant","content":[{"type":"text","text":"I look up "},{"type":"text","text":"both."}]}
				{"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}
				result oslo
				result lima
			completed`),
		holds("without the space around it", padded, `
			asks
			asks on
				calls oslo: I look it up.
				result oslo
			completed`),
		seesNothing("the turn has no text", oneCity, oneCityDone),
		seesNothing("a lost turn is for calls-come-back", talking, `
			asks
			asks on
				result oslo
				result lima
			completed`),
		breaks("content is null beside calls", talking, `
			asks
			asks on
				{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}
				result oslo
				result lima
			completed`,
			finding{2, "/messages/1/content", "the text beside the tool calls did not come back", `"I look up both."`, `""`}),
		breaks("the text is shortened", talking, `
			asks
			asks on
				calls oslo, lima: I look up
				result oslo
				result lima
			completed`,
			finding{2, "/messages/1/content", "the text beside the tool calls did not come back", `"I look up both."`, `"I look up"`}),
	},
	"history/turn-in-one-message": {
		holds("text and calls in one", talking, `
			asks
			asks on
				calls oslo, lima: I look up both.
				result oslo
				result lima
			completed`),
		holds("two calls in one", twoCities, twoCitiesDone),
		seesNothing("one call without a text", oneCity, oneCityDone),
		breaks("the text apart, in front", talking, `
			asks
			asks on
				assistant: I look up both.
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}"},{"id":"{{lima}}"}]}
				result oslo
				result lima
			completed`,
			finding{2, "/messages/2", "one turn of the model came back as 2 assistant messages", "one assistant message", `{"role":"assistant","tool_calls":[{"id":"{{oslo}}"},{"id":"{{lima}}"}]}`}),
		breaks("the text apart, behind", talking, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}"},{"id":"{{lima}}"}]}
				result oslo
				result lima
				assistant: I look up both.
			completed`,
			finding{2, "/messages/1", "one turn of the model came back as 2 assistant messages", "one assistant message", `{"role":"assistant","tool_calls":[{"id":"{{oslo}}"},{"id":"{{lima}}"}]}`}),
		breaks("one message for each call", twoCities, turnInTwo,
			finding{2, "/messages/1", "one turn of the model came back as 2 assistant messages", "one assistant message", `{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`}),
		seesNothing("the whole history twice is for turns-once", oneCity, `
			asks
			asks on
				calls oslo
				result oslo
				prompt 1
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}"}]}
				result oslo
			completed`),
		holds("the user happens to say the same", talking, `
			asks
			asks
				prompt 1
				user: I look up both.
				calls oslo, lima: I look up both.
				result oslo
				result lima
			completed`),
		holds("the next turn has the same id", twoTalks, `
			asks
			asks on
				calls author: One moment.
				result author
			asks on
				calls year: One moment.
				result year
			completed`),
	},
	"history/answers-come-back": {
		holds("the answer in front of the second prompt", twoPrompts, twoPromptsDone),
		holds("without the space around it, behind an example", paddedAnswer, `
			asks
				user: Say it.
				assistant: Hello.
				prompt 1
			asks on
				assistant: One.
				prompt 2
			completed`),
		holds("in parts", threePrompts, `
			asks
			asks on
				{"role":"assistant","content":[{"type":"text","text":"One."}]}
				prompt 2
			completed`),
		seesNothing("the user did not go on", oneCity, oneCityDone),
		seesNothing("the loop did not take the second prompt", threePrompts, `
			asks
			completed`),
		breaks("each prompt begins anew", twoPrompts, startsAnew,
			finding{3, "/messages", "an earlier answer is not in the history", `an assistant message with "It is 4 C in Oslo."`, "no assistant message for this turn"}),
		breaks("only the user is in the history", threePrompts, `
			asks
			asks on
				prompt 2
			completed`,
			finding{2, "/messages", "an earlier answer is not in the history", `an assistant message with "One."`, "no assistant message for this turn"}),
		breaks("other words", threePrompts, `
			asks
			asks on
				assistant: (answered)
				prompt 2
			completed`,
			finding{2, "/messages", "an earlier answer is not in the history", `an assistant message with "One."`, `{"role":"assistant","content":"(answered)"}`}),
		breaks("only the second answer", threePrompts, `
			asks
			asks on
				prompt 2
			asks on
				assistant: Two.
				prompt 3
			completed`,
			finding{2, "/messages", "an earlier answer is not in the history", `an assistant message with "One."`, "no assistant message for this turn"}),
	},
}

var (
	// samePrice makes the same call in two turns.
	samePrice = scene(`
prompt: Watch the price twice.
tools:
  get_price:
    parameters: {share: string}
    results: [{text: 101 EUR}]
model:
  - calls: [{as: first, tool: get_price, arguments: '{"share":"ACME"}'}]
  - calls: [{as: again, tool: get_price, arguments: '{"share":"ACME"}'}]
  - text: It stayed at 101 EUR.
`)
	// padded has space around a text beside calls.
	padded = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: "\n\nI look it up.\n"
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
	// paddedAnswer has space around an answer.
	paddedAnswer = scene(`
prompts: [Count., Count on.]
model: [{text: " One.\n"}, {text: Two.}]
`)
	// twoTalks says the same in two turns whose calls share an id.
	twoTalks = scene(`
prompt: Who wrote Faust, and when?
tools:
  search:
    parameters: {query: string}
    results: [{text: Goethe}]
model:
  - text: One moment.
    calls: [{as: author, tool: search, arguments: '{"query":"Faust author"}'}]
  - text: One moment.
    calls: [{as: year, tool: search, arguments: '{"query":"Faust year"}', same-id-as: author}]
  - text: Goethe, in 1808.
`)
)
