package rules

// goOn is what a loop says that the user never did.
const goOn = `{"role":"user","content":"Please go on.","timestamp":1763740800002}`

// takenBack is the run of cancelledPrompt by a loop that forgets what was cancelled.
const takenBack = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		asks on
			assistant: It is 4 C in Oslo.
			prompt 2
		cancels
		asks
			prompt 1
			calls oslo
			result oslo
			assistant: It is 4 C in Oslo.
			prompt 3
		completed`

var recordTurnsCases = ruleCases{
	"record/prompts-kept": {
		holds("the prompt", twoCities, bothKept),
		holds("with something around it", twoCities, but(bothKept, `"content":"Compare`, `"content":"Hello! Compare`)),
		seesNothing("no tool was used", noTools, noToolsKept),
		seesNothing("no transcript", twoCities, twoCitiesDone),
		holds("without the one that was cancelled", cancelledPrompt, takenBack+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				user: And in Rome?
				assistant: It is 11 C in Rome.`),
		breaks("without the one behind it", cancelledPrompt, takenBack+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				user: And in Lima?
				assistant: It is 11 C in Rome.`,
			finding{0, "", "the transcript has not the user's turn number 3 where it belongs", `"And in Rome?"`, "6 messages, none of which has it there"}),
		breaks("another prompt", twoCities, but(bothKept, "in Oslo and Lima", "in two cities"),
			finding{0, "", "the transcript has not the user's turn number 1 where it belongs", `"Compare the weather in Oslo and Lima."`, "5 messages, none of which has it there"}),
	},
	"record/every-turn-once": {
		holds("both turns", twoCities, bothKept),
		holds("in blocks", twoCities, bothInBlocks),
		holds("of ART", twoCities, bothInART),
		holds("plain", twoCities, bothPlain),
		holds("a turn whose results were never sent", atTheLimit, limitKept),
		holds("without the turn that was cancelled", cancelledPrompt, takenBack+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				user: And in Rome?
				assistant: It is 11 C in Rome.`),
		holds("without the one that was open when the time was over", hanging, hungAt("for 1900ms given up")+`waits 2s
			failed: deadline exceeded
			keeps openai
				user: What is the weather in Oslo?
				calls lima
				result lima`),
		breaks("without one before it", hanging, hungAt("for 1900ms given up")+`waits 2s
			failed: deadline exceeded
			keeps openai
				user: What is the weather in Oslo?
				calls oslo`,
			finding{0, "", "a turn of the model is not in the transcript", `a turn with get_weather "{\"city\":\"Lima\"}"`, "no such message"}),
		seesNothing("no tool was used", noTools, noToolsKept),
		breaks("without the answer", twoCities, but(bothPlain, "assistant: Lima is warmer.", ""),
			finding{0, "", "a turn of the model is not in the transcript", `a turn with "Lima is warmer."`, "no such message"}),
		breaks("the answer twice", twoCities, bothPlain+`
			assistant: Lima is warmer.`,
			finding{0, "", "a turn of the model is in the transcript twice", `a turn with "Lima is warmer.", once`, `/5 {"role":"assistant","content":"Lima is warmer."}`}),
		breaks("the calls twice", twoCities, but(bothPlain, "assistant: Lima", `calls oslo, lima
			assistant: Lima`),
			finding{0, "", "a turn of the model is in the transcript twice", `a turn with get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}", once`, `/4 {"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}`}),
	},
	"record/nothing-made-up": {
		holds("what was said", twoCities, bothKept),
		holds("what was also sent", twoCities, but(bothKept, "result oslo\n", "result oslo\n\t\t\tuser: Please go on.\n", `{"role":"assistant","content":"Lima`, goOn+`
			{"role":"assistant","content":"Lima`)),
		holds("what was cut off", truncated, afterRound("stopped: length")+`
			keeps open-agent-loops
				{"role":"user","content":"What is the weather in Oslo?"}
				{"role":"assistant","content":"It is","finishReason":"length"}`),
		holds("what the model said behind the end of the script", oneCity, but(oneCityDone, "completed", "asks on\n\t\tcompleted: More.")+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				assistant: More.`),
		seesNothing("no tool was used", noTools, noToolsKept),
		breaks("words of a user", twoCities, but(bothKept, `{"role":"assistant","content":"Lima`, goOn+`
			{"role":"assistant","content":"Lima`),
			finding{0, "", "the transcript has a turn of the user that nobody said", "what was said, and nothing else", "/4 " + goOn}),
		breaks("words of the model", twoCities, bothPlain+`
			assistant: Anything else?`,
			finding{0, "", "the transcript has a turn of the assistant that nobody said", "what was said, and nothing else", `/5 {"role":"assistant","content":"Anything else?"}`}),
	},
	"record/text-as-sent": {
		holds("beside calls", talking, but(bothPlain, "calls oslo, lima\n\t\t\tresult oslo\n\t\t\tresult lima\n\t\t\tassistant", "calls oslo, lima: I look up both.\n\t\t\tresult oslo\n\t\t\tresult lima\n\t\t\tassistant")),
		holds("in a message of its own", talking, but(bothPlain, "keeps openai\n\t\t\tuser: Compare the weather in Oslo and Lima.\n\t\t\tcalls oslo, lima", "keeps openai\n\t\t\tuser: Compare the weather in Oslo and Lima.\n\t\t\tassistant: I look up both.\n\t\t\t"+`{"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}`)),
		seesNothing("no tool was used", noTools, noToolsKept),
		breaks("lost beside calls", talking, but(bothPlain, "Lima.\n\t\t\tcalls oslo, lima", "Lima.\n\t\t\t"+`{"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}`),
			finding{0, "", "the text of a turn is another one in the transcript", `"I look up both."`, `/1 {"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}`}),
		breaks("another answer", twoCities, but(bothPlain, "assistant: Lima is warmer.", "assistant: Oslo is colder."),
			finding{0, "", "the text of a turn is another one in the transcript", `"Lima is warmer."`, `/4 {"role":"assistant","content":"Oslo is colder."}`}),
	},
	"record/calls-as-sent": {
		holds("as they were sent", twoCities, bothKept),
		holds("as objects", twoCities, bothInBlocks),
		holds("broken arguments as the model wrote them, which were mended to be sent", oneCall(`{as: cut, tool: get_weather, arguments: '{"city":'}`), `
			asks
			asks on
				{"role":"assistant","content":null,"tool_calls":[{"id":"{{cut}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				result cut: Error: no JSON
			completed
			keeps openai
				user: What is the weather?
				calls cut
				result cut: Error: no JSON
				assistant: I do not know.`),
		holds("an object for what is none", oneCall(`{as: list, tool: get_weather, arguments: '[5]'}`), `
			asks
			asks on
				calls list
				result list: Error: no object
			completed
			keeps anthropic
				{"role":"user","content":"What is the weather?"}
				{"role":"assistant","content":[{"type":"tool_use","id":"{{list}}","name":"get_weather","input":{}}]}
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{list}}","content":"Error: no object","is_error":true}]}
				{"role":"assistant","content":"I do not know."}`),
		seesNothing("no tool was used", noTools, noToolsKept),
		breaks("other arguments", twoCities, but(bothInBlocks, `"input":{"city":"Oslo"}`, `"input":{"city":"Rome"}`),
			finding{0, "", "the call oslo is another one in the transcript", `get_weather "{\"city\":\"Oslo\"}"`, `/1/content/0 {"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Rome"}}`}),
		breaks("a call less", twoCities, but(bothInART, ",{{lima call}}", ""),
			finding{0, "", "the transcript has not the call lima", `get_weather "{\"city\":\"Lima\"}"`, `/1 {"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`}),
	},
	"record/call-ids-as-sent": {
		holds("those of the model", twoCities, bothInART),
		holds("those that the loop gives and sends", oneCity, `
			asks
			runs oslo
			asks on
				{"role":"assistant","content":null,"tool_calls":[{"id":"own_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"own_1","content":"4 C"}
			completed
			keeps openai
				user: What is the weather in Oslo?
				{"role":"assistant","content":null,"tool_calls":[{"id":"own_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"own_1","content":"4 C"}
				assistant: It is 4 C in Oslo.`),
		seesNothing("no tool was used", noTools, noToolsKept),
		seesNothing("ids that were never sent again", oneCity, `
			asks
			runs oslo
			stopped: turn limit
			keeps openai
				user: What is the weather in Oslo?
				{"role":"assistant","content":null,"tool_calls":[{"id":"own_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"own_1","content":"4 C"}`),
		breaks("one of the loop's own", oneCity, oneCityDone+`
			keeps openai
				user: What is the weather in Oslo?
				{"role":"assistant","content":null,"tool_calls":[{"id":"own_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"own_1","content":"4 C"}
				assistant: It is 4 C in Oslo.`,
			finding{0, "", "the call oslo has another id in the transcript", "{{oslo}}", `/1/tool_calls/0 {"id":"own_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`}),
	},
}
