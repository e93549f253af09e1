package history_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// mislabelled is an answer that is said to be no stream.
var mislabelled = Scene(`
prompt: Say one.
model:
  - {text: One., content-type: text/plain, times: 2}
`)

var turnCases = Cases{
	"history/calls-come-back": {
		Holds("two calls", TwoCities, TwoCitiesDone),
		Holds("in two messages", TwoCities, TurnInTwo),
		Breaks("one of two equal calls", TwoDice, `
			asks
			runs first
			asks on
				calls first
				result first
			completed`,
			Found(2, "/messages", "the call second (throw_die) did not come back", "an assistant message with 2 tool calls", `{"role":"assistant","content":null,"tool_calls":[{{first call}}]}`).Only(trace.Should)),
		Holds("but for those at which the loop gave up", ResumedBehindFailedTool, GivesUpAtFailedTool),
		Holds("but for those that were asked for after the user had cancelled", CancelledThenTool, BeforePrompt(`cancels
			asks
				prompt 1
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				prompt 2
			asks
				prompt 1
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				prompt 3
			completed`)),
		Holds("under other ids, with other arguments, and without a name", TwoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"2","type":"function","function":{"arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"1","content":"4 C"}
				{"role":"tool","tool_call_id":"2","content":"19 C"}
			completed`),
		SeesNothing("no turn with calls", NoTools, NoToolsDone),
		SeesNothing("the loop did not ask again", OneCity, `
			asks
			runs oslo
			failed: no idea`),
		Breaks("only the first call", TwoCities, `
			asks
			asks on
				calls oslo
				result oslo
			completed`,
			Found(2, "/messages", "the call lima (get_weather) did not come back", "an assistant message with 2 tool calls", `{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`)),
		Breaks("the turn is missing, only its result is there", OneCity, `
			asks
			asks on
				result oslo
			completed`,
			Found(2, "/messages", "the call oslo (get_weather) did not come back", "an assistant message with 1 tool call", "no assistant message for this turn")),
		Breaks("only the text of the turn", Talking, `
			asks
			asks on
				assistant: I look up both.
				user: 4 C, 19 C
			completed`,
			Found(2, "/messages", "the call oslo (get_weather) did not come back", "an assistant message with 2 tool calls", `{"role":"assistant","content":"I look up both."}`)),
		Breaks("the second of two equal turns", SamePrice, `
			asks
			asks on
				calls first
				result first
			asks on
			completed`,
			Found(3, "/messages", "the call again (get_price) did not come back", "an assistant message with 1 tool call", "no assistant message for this turn")),
		Holds("a call that cannot be run may be left out", OneBroken, `
			asks
			asks on
				calls lima
				result lima
			completed`),
	},
	"history/text-comes-back": {
		Holds("with its calls", Talking, `
			asks
			asks on
				calls oslo, lima: I look up both.
				result oslo
				result lima
			completed`),
		Holds("in a message of its own, in parts", Talking, `
			asks
			asks on
				{"role":"assistant","content":[{"type":"text","text":"I look up "},{"type":"text","text":"both."}]}
				{"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}
				result oslo
				result lima
			completed`),
		Holds("without the space around it", padded, `
			asks
			asks on
				calls oslo: I look it up.
				result oslo
			completed`),
		SeesNothing("the turn has no text", OneCity, OneCityDone),
		SeesNothing("a lost turn is for calls-come-back", Talking, `
			asks
			asks on
				result oslo
				result lima
			completed`),
		Breaks("content is null alongside calls", Talking, `
			asks
			asks on
				{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}
				result oslo
				result lima
			completed`,
			Found(2, "/messages/1/content", "the text alongside the tool calls did not come back", `"I look up both."`, `""`)),
		Breaks("the text is shortened", Talking, `
			asks
			asks on
				calls oslo, lima: I look up
				result oslo
				result lima
			completed`,
			Found(2, "/messages/1/content", "the text alongside the tool calls did not come back", `"I look up both."`, `"I look up"`)),
	},
	"history/turn-in-one-message": {
		Holds("text and calls in one", Talking, `
			asks
			asks on
				calls oslo, lima: I look up both.
				result oslo
				result lima
			completed`),
		Holds("two calls in one", TwoCities, TwoCitiesDone),
		SeesNothing("one call without a text", OneCity, OneCityDone),
		Breaks("the text apart, in front", Talking, `
			asks
			asks on
				assistant: I look up both.
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}"},{"id":"{{lima}}"}]}
				result oslo
				result lima
			completed`,
			Found(2, "/messages/2", "one turn of the model came back as 2 assistant messages", "one assistant message", `{"role":"assistant","tool_calls":[{"id":"{{oslo}}"},{"id":"{{lima}}"}]}`)),
		Breaks("the text apart, after", Talking, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}"},{"id":"{{lima}}"}]}
				result oslo
				result lima
				assistant: I look up both.
			completed`,
			Found(2, "/messages/1", "one turn of the model came back as 2 assistant messages", "one assistant message", `{"role":"assistant","tool_calls":[{"id":"{{oslo}}"},{"id":"{{lima}}"}]}`)),
		Breaks("one message for each call", TwoCities, TurnInTwo,
			Found(2, "/messages/1", "one turn of the model came back as 2 assistant messages", "one assistant message", `{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`)),
		SeesNothing("the whole history twice is for turns-once", OneCity, `
			asks
			asks on
				calls oslo
				result oslo
				prompt 1
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}"}]}
				result oslo
			completed`),
		Holds("the user happens to say the same", Talking, `
			asks
			asks
				prompt 1
				user: I look up both.
				calls oslo, lima: I look up both.
				result oslo
				result lima
			completed`),
		Holds("the next turn has the same id", twoTalks, `
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
		Holds("the answer in front of the second prompt", TwoPrompts, TwoPromptsDone),
		Holds("without the space around it, after an example", paddedAnswer, `
			asks
				user: Say it.
				assistant: Hello.
				prompt 1
			asks on
				assistant: One.
				prompt 2
			completed`),
		Holds("in parts", threePrompts, `
			asks
			asks on
				{"role":"assistant","content":[{"type":"text","text":"One."}]}
				prompt 2
			completed`),
		Holds("in front of the same words, in a window that begins with it", countOn, `
			asks
			asks on
				assistant: One.
				prompt 2
			asks
				assistant: Two.
				prompt 3
			completed`),
		Holds("in front of words that begin with those of the first prompt, in such a window", countFurther, `
			asks
			asks on
				assistant: One.
				prompt 2
			asks
				assistant: Two.
				prompt 3
			completed`),
		Breaks("not in front of the same words, after an example", countOn, `
			asks
				user: Say it.
				assistant: Hello.
				prompt 1
			asks on
				prompt 2
			completed`,
			Found(2, "/messages", "an earlier answer is not in the history", `an assistant message with "One."`, `{"role":"assistant","content":"Hello."}`)),
		SeesNothing("the user did not go on", OneCity, OneCityDone),
		SeesNothing("the loop could not read it, and asked again", mislabelled, `
			asks
			asks
			failed: that is no stream`),
		SeesNothing("the loop did not take the second prompt", threePrompts, `
			asks
			completed`),
		Breaks("each prompt begins again", TwoPrompts, StartsAnew,
			Found(3, "/messages", "an earlier answer is not in the history", `an assistant message with "It is 4 C in Oslo."`, "no assistant message for this turn")),
		Breaks("only the user is in the history", threePrompts, `
			asks
			asks on
				prompt 2
			completed`,
			Found(2, "/messages", "an earlier answer is not in the history", `an assistant message with "One."`, "no assistant message for this turn")),
		Breaks("other words", threePrompts, `
			asks
			asks on
				assistant: (answered)
				prompt 2
			completed`,
			Found(2, "/messages", "an earlier answer is not in the history", `an assistant message with "One."`, `{"role":"assistant","content":"(answered)"}`)),
		Breaks("only the second answer", threePrompts, `
			asks
			asks on
				prompt 2
			asks on
				assistant: Two.
				prompt 3
			completed`,
			Found(2, "/messages", "an earlier answer is not in the history", `an assistant message with "One."`, "no assistant message for this turn")),
	},
}

var (
	// padded has space around a text alongside calls.
	padded = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: "\n\nI look it up.\n"
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
	// paddedAnswer has space around an answer.
	paddedAnswer = Scene(`
prompts: [Count., Count on.]
model: [{text: " One.\n"}, {text: Two.}]
`)
	// countOn has a user who says the same three times.
	countOn = Scene(`
prompts: [Count on., Count on., Count on.]
model: [{text: One.}, {text: Two.}, {text: Three.}]
`).Of(protocol.WindowedHistory)
	// countFurther has a user whose later prompts begin with the first one.
	countFurther = Scene(`
prompts: [Count on, Count on please, Count on now]
model: [{text: One.}, {text: Two.}, {text: Three.}]
`).Of(protocol.WindowedHistory)
	// twoTalks says the same in two turns whose calls share an id.
	twoTalks = Scene(`
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
