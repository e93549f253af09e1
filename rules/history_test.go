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
	"history/system-prompt-sent": {
		holds("as a system message", instructed, oneCityDone),
		holds("as developer, in parts, among other instructions", instructed, `
			asks
				{"role":"developer","content":[{"type":"text","text":"Be kind. "},{"type":"text","text":"You are terse."}]}
				system: Today is Monday.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("the task has none", oneCity, oneCityDone),
		seesNothing("no tool was used", scene("system: Be terse.\n"+noTools.scenario), noToolsDone),
		breaks("only in the first request", instructed, `
			asks
			asks
				prompt 1
				calls oslo
				result oslo
			completed`,
			finding{2, "/messages/0", "the system prompt is missing", `a system message with "You are terse."`, `{"role":"user","content":"What is the weather in Oslo?"}`}),
		breaks("never", instructed, `
			asks
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0", "the system prompt is missing", `a system message with "You are terse."`, `{"role":"user","content":"What is the weather in Oslo?"}`}),
		breaks("in other words", instructed, `
			asks
				system: You are verbose.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0", "the system prompt is missing", `a system message with "You are terse."`, `{"role":"system","content":"You are verbose."}`}),
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
	"history/system-prompt-once": {
		holds("once, among other instructions", instructed, `
			asks
				{"role":"developer","content":[{"type":"text","text":"Be kind. "},{"type":"text","text":"You are terse."}]}
				system: Today is Monday.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`),
		holds("the user reminds the model of it", instructed, `
			asks
			asks on
				calls oslo
				result oslo
				user: You are terse.
			completed`),
		seesNothing("the task has none", oneCity, oneCityDone),
		seesNothing("no tool was used", scene("system: Be terse.\n"+noTools.scenario), noToolsDone),
		breaks("two messages", instructed, `
			asks
			asks
				system: You are terse.
				system: You are terse.
				prompt 1
				calls oslo
				result oslo
			completed`,
			finding{2, "/messages/1", "the system prompt stands 2 times in the request", `"You are terse." once`, `{"role":"system","content":"You are terse."}`}),
		breaks("twice in one text, after a tool call", instructed, `
			asks
			asks
				system: You are terse. You are terse.
				prompt 1
				calls oslo
				result oslo
			completed`,
			finding{2, "/messages/0", "the system prompt stands 2 times in the request", `"You are terse." once`, `{"role":"system","content":"You are terse. You are terse."}`}),
	},
	"history/system-prompt-in-its-role": {
		holds("as a system message", instructed, oneCityDone),
		holds("in the key system", instructed.under("anthropic"), "asks with {\"system\":\"You are terse.\"}\nprompt 1\nruns oslo\nasks on with {\"system\":\"You are terse.\"}\ncalls oslo\nresult oslo\ncompleted"),
		holds("as a system message, and again beside the prompt", instructed, `
			asks
				system: You are terse.
				user: You are terse. What is the weather in Oslo?
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("the task has none", oneCity, oneCityDone),
		seesNothing("a missing one is for system-prompt-sent", instructed, `
			asks
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("braces are for system-prompt-is-no-template", braced, oneCityDone),
		breaks("as the user", instructed, `
			asks
				user: You are terse.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0", "the system prompt is sent in the user's name", `a system message with "You are terse."`, `{"role":"user","content":"You are terse."}`}),
		breaks("in front of the prompt, in the same text", instructed, `
			asks
				user: You are terse. What is the weather in Oslo?
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0", "the system prompt is sent in the user's name", `a system message with "You are terse."`, `{"role":"user","content":"You are terse. What is the weather in Oslo?"}`}),
	},
	"history/system-prompt-is-no-template": {
		holds("as it is", braced, oneCityDone),
		seesNothing("no braces", instructed, oneCityDone),
		seesNothing("no tool was used", scene("system: 'Say {x}.'\n"+noTools.scenario), noToolsDone),
		seesNothing("a loop that fails for another reason, later", braced, `
			asks
			failed: no idea`),
		breaks("the variables are filled in", braced, `
			asks
				system: Answer as {"city": ""}, in .
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0", "the system prompt, which has braces, is not sent as it was given", `a system message with "Answer as {\"city\": \"\"}, in {language}."`, `{"role":"system","content":"Answer as {\"city\": \"\"}, in ."}`}),
		breaks("the run fails before it begins", braced, "failed: missing variable language",
			finding{0, "", "the run failed before the model was asked, and the system prompt has braces", `a request with "Answer as {\"city\": \"\"}, in {language}."`, `the loop reported failed: "missing variable language"`}),
	},
	"history/prompts-alone": {
		holds("one prompt", oneCity, oneCityDone),
		holds("two prompts", twoPrompts, twoPromptsDone),
		holds("in a part of its own", oneCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"<context>Monday</context>"},{"type":"text","text":"What is the weather in Oslo?"}]}
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("no tool was used", noTools, noToolsDone),
		seesNothing("other words are for prompts-sent", twoPrompts, `
			asks
				user: what is the weather in oslo?
			failed: no`),
		breaks("an instruction is added to it", oneCity, `
			asks
				user: What is the weather in Oslo? Answer briefly.
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0/content", "a prompt of the user has other words beside it", `"What is the weather in Oslo?" in a text of its own`, `"What is the weather in Oslo? Answer briefly."`}),
		breaks("a part with more words", oneCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"It is Monday."},{"type":"text","text":"<q>What is the weather in Oslo?</q>"}]}
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0/content", "a prompt of the user has other words beside it", `"What is the weather in Oslo?" in a text of its own`, `"It is Monday.<q>What is the weather in Oslo?</q>"`}),
	},
	"history/prompts-sent": {
		holds("each prompt begins anew", twoPrompts, startsAnew),
		holds("one prompt", oneCity, oneCityDone),
		holds("two prompts", twoPrompts, twoPromptsDone),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("the second one never", twoPrompts, oneCityDone,
			finding{0, "", "the run was reported as completed, and a prompt was never sent", `"And in Lima?"`, "the loop reported completed"}),
		holds("the second one never, and says so", twoPrompts, afterRound("failed: tired")),
		holds("in a part of its own", oneCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"<context>Monday</context>"},{"type":"text","text":"What is the weather in Oslo?"}]}
			asks on
				calls oslo
				result oslo
			completed`),
		holds("other user messages around it", oneCity, `
			asks
				user: <environment>linux</environment>
				prompt 1
			asks on
				calls oslo
				result oslo
				user: <reminder>Be brief.</reminder>
			completed`),
		holds("examples in front of it", twoPrompts, `
			asks
				user: What is the weather in Rome?
				assistant: It is 11 C in Rome.
				prompt 1
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
				prompt 2
			completed`),
		holds("with retrieved context, a tag and the date around it", oneCity, `
			asks
				user: <context>Oslo is in Norway.</context> <question>What is the weather in Oslo?</question> It is Monday.
			asks on
				calls oslo
				result oslo
			completed`),
		holds("prompts that stand beside each other, joined, after one was taken back", cancelledPrompt, beforePrompt(`cancels
			asks
				prompt 1
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				user: And in Lima? And in Rome?
			completed`)),
		breaks("joined in the wrong order", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				user: And in Lima? What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
			completed`,
			finding{3, "/messages", "a prompt of the user is missing, or not in its place", `"And in Lima?"`, `the user says "And in Lima? What is the weather in Oslo?"`}),
		breaks("said once where it was said twice", againAndAgain, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
			completed`,
			finding{3, "/messages", "a prompt of the user is missing, or not in its place", `"What is the weather in Oslo?"`, `the user says "What is the weather in Oslo?"`}),
		breaks("the second prompt is changed", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
				user: and in lima?
			completed`,
			finding{3, "/messages/4/content", "the words of the user are other ones", `"And in Lima?"`, `"and in lima?"`}),
		breaks("the second prompt does not come", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
			completed`,
			finding{3, "/messages", "a prompt of the user is missing, or not in its place", `"And in Lima?"`, `the user says "What is the weather in Oslo?"`}),
		breaks("the prompts come in the wrong order", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 2
				prompt 1
				assistant: It is 4 C in Oslo.
			completed`,
			finding{3, "/messages", "a prompt of the user is missing, or not in its place", `"And in Lima?"`, `the user says "And in Lima?", "What is the weather in Oslo?"`}),
	},
}

// threePrompts are answered without tools.
var threePrompts = scene(`
prompts: [Count., Count on., And on.]
model: [{text: One.}, {text: Two.}, {text: Three.}]
`)
