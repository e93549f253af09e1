package rules

import "strings"

var (
	// instructed is oneCity with a system prompt.
	instructed = scene("system: You are terse.\n" + oneCity.scenario)

	// braced is oneCity with a system prompt that looks like a template.
	braced = scene("system: 'Answer as {\"city\": \"\"}, in {language}.'\n" + oneCity.scenario)

	// againAndAgain asks the same twice.
	againAndAgain = scene(strings.Replace(twoPrompts.scenario, "And in Lima?", "What is the weather in Oslo?", 1))

	// threeRounds calls in three turns.
	threeRounds = scene(weatherTool + `
prompt: Which city is warmest?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}]
  - text: Lima.
`)

	// overflowing is refused once, since the history is too long.
	overflowing = scene(weatherTool + `
prompt: Which city is warmest?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - status: 400
    error: {message: "This model's maximum context length is 128 tokens."}
  - text: Lima.
`)
)

const (
	twoRoundsDone = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		runs lima
		asks on
			calls lima
			result lima
		completed`
	twoPromptsDone = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		asks on
			assistant: It is 4 C in Oslo.
			prompt 2
		runs lima
		asks on
			calls lima
			result lima
		completed`
)

const (
	// questionsAndAnswers keeps no tool turns from one prompt to the next.
	questionsAndAnswers = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		asks
			prompt 1
			assistant: It is 4 C in Oslo.
			prompt 2
		runs lima
		asks on
			calls lima
			result lima
		completed`
	// startsAnew forgets all from one prompt to the next.
	startsAnew = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		asks
			prompt 2
		runs lima
		asks on
			calls lima
			result lima
		completed`
)

var historyCases = ruleCases{
	"history/only-grows": {
		holds("two rounds", twoRounds, twoRoundsDone),
		holds("two prompts", twoPrompts, twoPromptsDone),
		holds("questions and answers alone stay from prompt to prompt", twoPrompts, questionsAndAnswers),
		holds("nothing stays, which is for answers-come-back", twoPrompts, startsAnew),
		seesNothing("a single request", noTools, noToolsDone),
		seesNothing("two requests without a result", oneCity, `
			asks
			asks on
			completed`),
		breaks("a turn is dropped within the second prompt", scene(weatherTool+`
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
			finding{4, "/messages/1", "message 1 of request 3 is not in request 4 any more",
				`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`, `{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`}),
		breaks("the first round is dropped", threeRounds, `
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
			finding{4, "/messages/1", "message 1 of request 3 is not in request 4 any more",
				`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`, `{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`}),
		breaks("the round before the last is replaced by the last", twoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				calls lima
				result lima
			completed`,
			finding{3, "/messages/1", "message 1 of request 2 is not in request 3 any more",
				`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`, `{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`}),
		breaks("the loop starts anew", twoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks
			completed`,
			finding{3, "/messages", "message 1 of request 2 is not in request 3 any more",
				`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`, "the request has 1 message"}),
		breaks("an earlier answer is dropped", threePrompts, `
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
			finding{3, "/messages/1", "message 1 of request 2 is not in request 3 any more",
				`{"role":"assistant","content":"One."}`, `{"role":"user","content":"Count on."}`}),
		breaks("a result is dropped", twoRounds, `
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
			finding{3, "/messages/2", "message 2 of request 2 is not in request 3 any more",
				`{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`, `{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`}),
		holds("a reminder at the end of each request is no part of the conversation", twoRounds, `
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
		holds("ids that are made anew for each request", twoRounds, `
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
		holds("results that were put into order later", threeCities, `
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
		holds("the same request again", twoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
			completed`),
		holds("a smaller history after the provider refused the long one", overflowing, `
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
	"history/earlier-messages-unchanged": {
		holds("two rounds", twoRounds, twoRoundsDone),
		holds("the order of keys means nothing", twoRounds, `
			asks
			asks on
				calls oslo
				{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}
			asks
				{"content":"Compare the weather in Oslo and Lima.","role":"user"}
				calls oslo
				{"content":"4 \u0043","tool_call_id":"{{oslo}}","role":"tool"}
				calls lima
				result lima
			completed`),
		holds("the mark of what is to be cached moves on", twoRounds, `
			asks
				{"role":"user","content":[{"type":"text","text":"Compare the weather in Oslo and Lima.","cache_control":{"type":"ephemeral"}}]}
			asks on
				calls oslo
				{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"text","text":"4 C","cache_control":{"type":"ephemeral"}}]}
			asks
				{"role":"user","content":"Compare the weather in Oslo and Lima."}
				calls oslo
				{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"text","text":"4 C"}]}
				calls lima
				result lima
			completed`),
		seesNothing("a single request", noTools, noToolsDone),
		breaks("half a letter is replaced", twoRounds, `
			asks
			asks on
				calls oslo
				{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C \ud83d"}
			asks
				prompt 1
				calls oslo
				{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C \ufffd"}
				calls lima
				result lima
			completed`,
			finding{3, "/messages/2", "a message changed after it was sent",
				`{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C \ud83d"}`, `{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C \ufffd"}`}),
		breaks("an old result is shortened", twoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				calls oslo
				result oslo: [shown before]
				calls lima
				result lima
			completed`,
			finding{3, "/messages/2", "a message changed after it was sent",
				`{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`, `{"role":"tool","tool_call_id":"{{oslo}}","content":"[shown before]"}`}),
		breaks("the time stands in the system prompt", instructed, `
			asks
				system: You are terse. It is 12:00.
				prompt 1
			asks
				system: You are terse. It is 12:01.
				prompt 1
				calls oslo
				result oslo
			completed`,
			finding{2, "/messages/0", "a message changed after it was sent",
				`{"role":"system","content":"You are terse. It is 12:00."}`, `{"role":"system","content":"You are terse. It is 12:01."}`}),
		breaks("a reminder moves to the end each time", oneCity, `
			asks
				prompt 1
				system: 3 turns left.
			asks
				prompt 1
				calls oslo
				result oslo
				system: 2 turns left.
			completed`,
			finding{2, "/messages/1", "a message changed after it was sent",
				`{"role":"system","content":"3 turns left."}`, `{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`}),
		holds("what is missing is for only-grows", twoRounds, `
			asks
			asks on
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				calls lima
				result lima
			completed`),
		holds("a smaller history after the provider refused the long one", overflowing, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
			asks
				prompt 1
				calls oslo
				result oslo: [dropped]
			completed`),
	},
	"history/tool-turns-stay": {
		holds("two prompts", twoPrompts, twoPromptsDone),
		seesNothing("one prompt", twoRounds, twoRoundsDone),
		seesNothing("no tools were called before", threePrompts, `
			asks
			asks on
				assistant: One.
				prompt 2
			completed`),
		breaks("questions and answers alone", twoPrompts, questionsAndAnswers,
			finding{3, "/messages", "a tool turn of request 2 is not in the history of the next prompt",
				`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`, "3 messages without it"}),
		breaks("the results are dropped", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				calls oslo
				assistant: It is 4 C in Oslo.
				prompt 2
			asks on
				calls lima
				result lima
			completed`,
			finding{3, "/messages", "a tool turn of request 2 is not in the history of the next prompt",
				`{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`, "4 messages without it"}),
	},
}
