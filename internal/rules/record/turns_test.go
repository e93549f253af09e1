package record_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// goOn is what a loop says that the user never did.
const goOn = `{"role":"user","content":"Please go on.","timestamp":1763740800002}`

// takenBack is the run of CancelledPrompt by a loop that forgets what was cancelled.
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

var turnCases = Cases{
	"record/prompts-kept": {
		Holds("the prompt", TwoCities, BothKept),
		Holds("with something around it", TwoCities, But(BothKept, `"content":"Compare`, `"content":"Hello! Compare`)),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		SeesNothing("no transcript", TwoCities, TwoCitiesDone),
		Holds("without the one that was cancelled", CancelledPrompt, takenBack+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				user: And in Rome?
				assistant: It is 11 C in Rome.`),
		Breaks("without the one after it", CancelledPrompt, takenBack+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				user: And in Lima?
				assistant: It is 11 C in Rome.`,
			Found(0, "", "the transcript does not have, in its place, the user's turn number 3", `"And in Rome?"`, "6 messages, none of which has it there")),
		Breaks("another prompt", TwoCities, But(BothKept, "in Oslo and Lima", "in two cities"),
			Found(0, "", "the transcript does not have, in its place, the user's turn number 1", `"Compare the weather in Oslo and Lima."`, "5 messages, none of which has it there")),
	},
	"record/every-turn-once": {
		Holds("both turns", TwoCities, BothKept),
		Holds("in blocks", TwoCities, bothInBlocks),
		Holds("of ART", TwoCities, BothInART),
		Holds("plain", TwoCities, BothPlain),
		Holds("also the one that broke off, marked, which said the same", saidTwice, saidTwiceKept),
		Holds("as the call that gave it, with a result, and a note of the loop before it", finalCall, finalCallKept("assistant: I have the answer.\n\t\t\t"+`{"role":"assistant","content":null,"tool_calls":[`+theFinalCall+`]}`+"\n\t\t\t"+`{"role":"tool","tool_call_id":"final_1","content":"It is 4 C in Oslo."}`)),
		Holds("also the text of a cancelled prompt, to which the next answer is equal", saidAgain, saidAgainKept),
		Breaks("the answer twice beside that of a cancelled prompt", saidAgain, saidAgainKept+`
				user: Thanks.
				assistant: It is still 4 C.`,
			Found(0, "", "a turn of the model is in the transcript twice", `a turn with "It is still 4 C.", once`, `/9 {"role":"assistant","content":"It is still 4 C."}`)),
		Holds("a turn whose results were never sent", atTheLimit, limitKept),
		Holds("without the turn that was cancelled", CancelledPrompt, takenBack+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				user: And in Rome?
				assistant: It is 11 C in Rome.`),
		Holds("without the one that was open when the time was over", Hanging, HungAt("for 1900ms given up")+`waits 2s
			failed: deadline exceeded
			keeps openai
				user: What is the weather in Oslo?
				calls lima
				result lima`),
		Breaks("without one before it", Hanging, HungAt("for 1900ms given up")+`waits 2s
			failed: deadline exceeded
			keeps openai
				user: What is the weather in Oslo?
				calls oslo`,
			Found(0, "", "a turn of the model is not in the transcript", `a turn with get_weather "{\"city\":\"Lima\"}"`, "no such message")),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		Breaks("without the answer", TwoCities, But(BothPlain, "assistant: Lima is warmer.", ""),
			Found(0, "", "a turn of the model is not in the transcript", `a turn with "Lima is warmer."`, "no such message")),
		Breaks("the answer twice", TwoCities, BothPlain+`
			assistant: Lima is warmer.`,
			Found(0, "", "a turn of the model is in the transcript twice", `a turn with "Lima is warmer.", once`, `/5 {"role":"assistant","content":"Lima is warmer."}`)),
		Breaks("the calls twice", TwoCities, But(BothPlain, "assistant: Lima", `calls oslo, lima
			assistant: Lima`),
			Found(0, "", "a turn of the model is in the transcript twice", `a turn with get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}", once`, `/4 {"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}`)),
	},
	"record/nothing-made-up": {
		Holds("what was said", TwoCities, BothKept),
		Holds("what was also sent", TwoCities, But(BothKept, "result oslo\n", "result oslo\n\t\t\tuser: Please go on.\n", `{"role":"assistant","content":"Lima`, goOn+`
			{"role":"assistant","content":"Lima`)),
		Holds("what was cut off", truncated, AfterRound("stopped: length")+`
			keeps open-agent-loops
				{"role":"user","content":"What is the weather in Oslo?"}
				{"role":"assistant","content":"It is","finishReason":"length"}`),
		Holds("a commentary in a message of its own", explained, explainedKept("assistant: I have it.\n\t\t\tassistant: It is 4 C in Oslo.")),
		Holds("what the model said after the end of the script", OneCity, But(OneCityDone, "completed", "asks on\n\t\tcompleted: More.")+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				assistant: More.`),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		Breaks("words of a user", TwoCities, But(BothKept, `{"role":"assistant","content":"Lima`, goOn+`
			{"role":"assistant","content":"Lima`),
			Found(0, "", "the transcript has a made-up turn of the user", "what was said, and nothing else", "/4 "+goOn)),
		Breaks("words of the model", TwoCities, BothPlain+`
			assistant: Anything else?`,
			Found(0, "", "the transcript has a made-up turn of the assistant", "what was said, and nothing else", `/5 {"role":"assistant","content":"Anything else?"}`)),
	},
	"record/text-as-sent": {
		Holds("alongside calls", Talking, But(BothPlain, "calls oslo, lima\n\t\t\tresult oslo\n\t\t\tresult lima\n\t\t\tassistant", "calls oslo, lima: I look up both.\n\t\t\tresult oslo\n\t\t\tresult lima\n\t\t\tassistant")),
		Holds("in a message of its own", Talking, But(BothPlain, "keeps openai\n\t\t\tuser: Compare the weather in Oslo and Lima.\n\t\t\tcalls oslo, lima", "keeps openai\n\t\t\tuser: Compare the weather in Oslo and Lima.\n\t\t\tassistant: I look up both.\n\t\t\t"+`{"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}`)),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		Holds("without the commentary before it", explained, explainedKept("assistant: It is 4 C in Oslo.")),
		Holds("joined to the commentary before it", explained, explainedKept("assistant: I have it. It is 4 C in Oslo.")),
		Holds("as the call that gave it", finalCall, finalCallKept(`{"role":"assistant","content":null,"tool_calls":[`+theFinalCall+`]}`)),
		Holds("as the text of the call that gave it", finalCall, finalCallKept("assistant: It is 4 C in Oslo.")),
		Breaks("a final call with another answer", finalCall, finalCallKept(But(`{"role":"assistant","content":null,"tool_calls":[`+theFinalCall+`]}`, "4 C", "5 C")),
			Found(0, "", "the text of a turn is another one in the transcript", `"It is 4 C in Oslo."`, `/3 {"role":"assistant","content":null,"tool_calls":[`+But(theFinalCall, "4 C", "5 C")+`]}`)),
		Breaks("the commentary alone", explained, explainedKept("assistant: I have it."),
			Found(0, "", "the text of a turn is another one in the transcript", `"It is 4 C in Oslo."`, `/3 {"role":"assistant","content":"I have it."}`)),
		Breaks("lost alongside calls", Talking, But(BothPlain, "Lima.\n\t\t\tcalls oslo, lima", "Lima.\n\t\t\t"+`{"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}`),
			Found(0, "", "the text of a turn is another one in the transcript", `"I look up both."`, `/1 {"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}`)),
		Breaks("another answer", TwoCities, But(BothPlain, "assistant: Lima is warmer.", "assistant: Oslo is colder."),
			Found(0, "", "the text of a turn is another one in the transcript", `"Lima is warmer."`, `/4 {"role":"assistant","content":"Oslo is colder."}`)),
	},
	"record/calls-as-sent": {
		Holds("as they were sent", TwoCities, BothKept),
		Holds("as objects", TwoCities, bothInBlocks),
		Holds("broken arguments as the model wrote them, which were repaired to be sent", oneCall(`{as: cut, tool: get_weather, arguments: '{"city":'}`), `
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
		Holds("an object for what is none", oneCall(`{as: list, tool: get_weather, arguments: '[5]'}`), `
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
		SeesNothing("no tool was used", NoTools, noToolsKept),
		Breaks("other arguments", TwoCities, But(bothInBlocks, `"input":{"city":"Oslo"}`, `"input":{"city":"Rome"}`),
			Found(0, "", "the call oslo is another one in the transcript", `get_weather "{\"city\":\"Oslo\"}"`, `/1/content/0 {"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Rome"}}`)),
		Breaks("a call less", TwoCities, But(BothInART, ",{{lima call}}", ""),
			Found(0, "", "the transcript does not have the call lima", `get_weather "{\"city\":\"Lima\"}"`, `/1 {"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`)),
	},
	"record/call-ids-as-sent": {
		Holds("those of the model", TwoCities, BothInART),
		Holds("those that the loop gives and sends", OneCity, `
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
		SeesNothing("no tool was used", NoTools, noToolsKept),
		SeesNothing("ids that were never sent again", OneCity, `
			asks
			runs oslo
			stopped: turn limit
			keeps openai
				user: What is the weather in Oslo?
				{"role":"assistant","content":null,"tool_calls":[{"id":"own_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"own_1","content":"4 C"}`),
		Breaks("one of the loop's own", OneCity, OneCityDone+`
			keeps openai
				user: What is the weather in Oslo?
				{"role":"assistant","content":null,"tool_calls":[{"id":"own_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"own_1","content":"4 C"}
				assistant: It is 4 C in Oslo.`,
			Found(0, "", "the call oslo has another id in the transcript", "{{oslo}}", `/1/tool_calls/0 {"id":"own_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`)),
	},
}

// saidTwice gives the same answer once it had broken off at its very end.
var saidTwice = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
    cut: {before: finish}
  - text: It is 4 C in Oslo.
`).By("sse")

const saidTwiceKept = `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks on
			completed
			keeps open-agent-loops
				{"role":"user","content":"What is the weather in Oslo?"}
				{"role":"assistant","content":"","tool_calls":[{{oslo call}}],"finishReason":"tool_calls"}
				{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}
				{"role":"assistant","content":"It is 4 C in Oslo.","isError":true}
				{"role":"assistant","content":"It is 4 C in Oslo.","finishReason":"stop"}`

// saidAgain answers a prompt like the one before, which was cancelled.
var saidAgain = Scene(WeatherTool + `
needs: [cancel, multi-prompt]
prompts: [What is the weather in Oslo?, And now?, And a little later?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - text: It is still 4 C.
    cancel: {during: stream, after: 5 events, scope: prompt}
  - text: It is still 4 C.
`).By("sse")

const saidAgainKept = `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
				prompt 2
			cancels
			asks on
				assistant: It is still 4 C.
				prompt 3
			completed
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				user: And now?
				assistant: It is still 4 C.
				user: And a little later?
				assistant: It is still 4 C.`
