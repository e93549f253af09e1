package history_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

var (
	// againAndAgain asks the same twice.
	againAndAgain = Scene(strings.Replace(TwoPrompts.Scenario, "And in Lima?", "What is the weather in Oslo?", 1))
)

// textInItems is a text alongside a call, then another call, where a history is a list of items.
var textInItems = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - text: I look it up.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`).Under("openai-responses")

// saidAgain calls in three turns, and in the second one what it called in the first.
var saidAgain = Scene(WeatherTool + `
prompt: Which city is warmest?
model:
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - calls: [{as: again, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}]
  - text: Lima.
`)

var coreCases = Cases{
	"history/only-grows": {
		Holds("items of two turns that no result parts", textInItems, `
			asks
			asks on
				assistant: I look it up.
			asks on
				calls lima
				result lima
			completed`),
		Holds("two rounds", TwoRounds, TwoRoundsDone),
		Holds("two prompts", TwoPrompts, TwoPromptsDone),
		Holds("questions and answers alone stay from prompt to prompt", TwoPrompts, QuestionsAndAnswers),
		Holds("nothing stays, which is for answers-come-back", TwoPrompts, StartsAnew),
		Holds("a prompt without an answer is forgotten", Resumed, BeforePrompt(`asks
			prompt 1
			calls oslo
			result oslo
			assistant: It is 4 C in Oslo.
			prompt 3
		completed`)),
		Holds("a prompt without an answer stays", Resumed, BeforePrompt("asks on\nprompt 3\ncompleted")),
		Holds("a request that fails and says no prompt is for prompts-sent", Resumed, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks
				user: Go on.
				calls oslo
				result oslo
			asks
				prompt 1
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				prompt 3
			completed`),
		Breaks("all is forgotten after a prompt without an answer", Resumed, BeforePrompt(`asks
			prompt 3
		completed`),
			Found(4, "/messages", "message 3 of request 3, of a prompt before the one without an answer, is not in request 4 any more", `{"role":"assistant","content":"It is 4 C in Oslo."}`, "1 message without it")),
		SeesNothing("a single request", NoTools, NoToolsDone),
		SeesNothing("two requests without a result", OneCity, `
			asks
			asks on
			completed`),
		Breaks("a turn is dropped within the second prompt", Scene(WeatherTool+`
prompts: [Say one., Compare the weather in Oslo and Lima.]
model:
  - text: One.
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`), `
			asks
			asks
				prompt 2
			asks on
				calls oslo
				result oslo
			asks
				prompt 2
				calls lima
				result lima
			completed`,
			Found(4, "/messages/1", "message 1 of request 3 is not in request 4 any more",
				`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`, `{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`)),
		Breaks("the first round is dropped", ThreeRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
			asks
				prompt 1
				calls lima
				result lima
				calls rome
				result rome
			completed`,
			Found(4, "/messages/1", "message 1 of request 3 is not in request 4 any more",
				`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`, `{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`).Only(trace.Should)),
		Breaks("a window begins with the second prompt, whose answer is all that is left", threePrompts, `
			asks
			asks
				prompt 1
				assistant: One.
				prompt 2
			asks
				prompt 2
				assistant: Two.
				prompt 3
			completed`,
			Found(3, "/messages/1", "message 1 of request 2 is not in request 3 any more", `{"role":"assistant","content":"One."}`, `{"role":"assistant","content":"Two."}`).Only(trace.Should)),
		Breaks("the answer to the second prompt is forgotten as well", threePrompts, `
			asks
			asks
				prompt 1
				assistant: One.
				prompt 2
			asks
				prompt 3
			completed`,
			Found(3, "/messages", "message 1 of request 2 is not in request 3 any more", `{"role":"assistant","content":"One."}`, "the request has 1 message")),
		Breaks("the first round is dropped, of which a later one says some again", saidAgain, `
			asks
			asks on
				calls oslo, lima
				result oslo
				result lima
			asks on
				calls again
				result again
			asks
				prompt 1
				calls again
				result again
				calls rome
				result rome
			completed`,
			Found(4, "/messages/1", "message 1 of request 3 is not in request 4 any more",
				`{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}`, `{"role":"assistant","content":null,"tool_calls":[{{again call}}]}`).Only(trace.Should)),
		Breaks("the round before the last is replaced by the last", TwoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				calls lima
				result lima
			completed`,
			Found(3, "/messages/1", "message 1 of request 2 is not in request 3 any more",
				`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`, `{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`)),
		Breaks("the loop starts again", TwoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks
			completed`,
			Found(3, "/messages", "message 1 of request 2 is not in request 3 any more",
				`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`, "the request has 1 message")),
		Breaks("an earlier answer is dropped", threePrompts, `
			asks
			asks on
				assistant: One.
				prompt 2
			asks
				prompt 1
				prompt 2
				assistant: Two.
				prompt 3
			completed`,
			Found(3, "/messages/1", "message 1 of request 2 is not in request 3 any more",
				`{"role":"assistant","content":"One."}`, `{"role":"user","content":"Count on."}`)),
		Breaks("a result is dropped", TwoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				calls oslo
				calls lima
				result lima
			completed`,
			Found(3, "/messages/2", "message 2 of request 2 is not in request 3 any more",
				`{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`, `{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`)),
		Holds("a reminder at the end of each request is no part of the conversation", TwoRounds, `
			asks
				prompt 1
				system: 3 turns left.
			asks
				prompt 1
				calls oslo
				result oslo
				system: 2 turns left.
			asks
				prompt 1
				calls oslo
				result oslo
				calls lima
				result lima
				user: <reminder>1 turn left</reminder>
			completed`),
		Holds("ids that are made again for each request", TwoRounds, `
			asks
			asks
				prompt 1
				{"role":"assistant","tool_calls":[{"id":"a1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"a1","content":"4 C"}
			asks
				prompt 1
				{"role":"assistant","tool_calls":[{"id":"b1","type":"function","function":{"name":"get_weather","arguments":"{ \"city\": \"Oslo\" }"}}]}
				{"role":"tool","tool_call_id":"b1","content":"4 C"}
				{"role":"assistant","tool_calls":[{"id":"b2","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
				{"role":"tool","tool_call_id":"b2","content":"19 C"}
			completed`),
		Holds("results that were put into order later", ThreeCities, `
			asks
			asks on
				calls oslo, lima, rome
				result lima
				result rome
				result oslo
			asks
				prompt 1
				calls oslo, lima, rome
				result oslo
				result lima
				result rome
			completed`),
		Holds("the same request again", TwoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
			completed`),
		Holds("a smaller history after the provider refused the long one", Overflowing, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
			asks
				prompt 1
				calls lima
				result lima
			completed`),
	},
}
