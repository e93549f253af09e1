package record_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// overflowed is the run of overflowing: the first result is cleared once the provider has refused
// the long history.
const overflowed = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		runs lima
		asks on
			calls lima
			result lima
		asks
			prompt 1
			calls oslo
			result oslo: [dropped]
			calls lima
			result lima
		completed`

var resultCases = Cases{
	"record/one-result-per-call": {
		Holds("two for two", TwoCities, BothKept),
		Holds("in blocks", TwoCities, bothInBlocks),
		Holds("of ART", TwoCities, BothInART),
		Holds("one that was never sent", atTheLimit, limitKept),
		Holds("of the call after the next prompt, of which the filtered one is an equal", filteredAgain, filteredKept),
		SeesNothing("of a call whose prompt got no answer and is left out", filteredTwice, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks
				user: And in Lima?
			stopped: filtered
			keeps openai
				user: And in Lima?
				calls lima`),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		Breaks("one less", TwoCities, But(BothPlain, "result lima\n\t\t\tassistant", "assistant"),
			Found(0, "", "the transcript has no result for the call lima", "a result", `none after /1 {"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}`)),
		Breaks("one more", TwoCities, But(BothPlain, "result lima\n\t\t\tassistant", "result lima\n\t\t\tresult lima\n\t\t\tassistant"),
			Found(0, "", "the transcript has more results than calls", "one result for a call", `/4 {"role":"tool","tool_call_id":"{{lima}}","content":"19 C"}`)),
		SeesNothing("the run failed at the tool, and says so", bonnFails, `
			asks
			runs bonn
			failed: the service is down
			keeps openai
				user: What is the weather?
				calls bonn`),
		Breaks("none at the limit", atTheLimit, But(limitKept, "calls lima\n\t\t\tresult lima", "calls lima"),
			Found(0, "", "the transcript has no result for the call lima", "a result", `none after /3 {"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`)),
	},
	"record/results-directly-after": {
		Holds("directly", TwoCities, BothKept),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		Breaks("after the answer", TwoCities, But(BothPlain, "result lima\n\t\t\tassistant: Lima is warmer.", "assistant: Lima is warmer.\n\t\t\tresult lima"),
			Found(0, "", "the result of the call lima is not after its turn in the transcript", `directly after /1 {"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}`, `/4 {"role":"tool","tool_call_id":"{{lima}}","content":"19 C"}`)),
	},
	"record/results-in-call-order": {
		Holds("in order", TwoCities, BothKept),
		SeesNothing("one call", OneCity, OneCityDone+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.`),
		Breaks("reversed", TwoCities, But(BothPlain, "result oslo\n\t\t\tresult lima\n\t\t\tassistant", "result lima\n\t\t\tresult oslo\n\t\t\tassistant"),
			Found(0, "", "the results of a turn are in another order than its calls in the transcript", "{{oslo}}, {{lima}}", "{{lima}}, {{oslo}}")),
	},
	"record/result-as-sent": {
		Holds("letter for letter", TwoCities, BothKept),
		Holds("in a list of parts", TwoCities, bothInBlocks),
		SeesNothing("one that was never sent", OneCity, `
			asks
			runs oslo
			stopped: turn limit
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo: ?`),
		Holds("what the tool said, which was wrapped to be sent", OneCity, But(OneCityDone, "result oslo", "result oslo: <result>4 C</result> Remember to be terse.")+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.`),
		Breaks("the same in a format whose content crosses the wire as it is", OneCity, But(OneCityDone, "result oslo", "result oslo: <result>4 C</result>")+`
			keeps open-agent-loops
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.`,
			Found(0, "", "the result of the call oslo is another one in the transcript", `"<result>4 C</result>"`, `/2 {"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`)),
		Holds("cleared when the request was too large, and sent so", Overflowing, overflowed+`
			keeps openai
				user: Which city is warmest?
				calls oslo
				result oslo: [dropped]
				calls lima
				result lima
				assistant: Lima.`),
		Breaks("neither what was sent nor what the tool said", OneCity, OneCityDone+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo: 5 C
				assistant: It is 4 C in Oslo.`,
			Found(0, "", "the result of the call oslo is another one in the transcript", `"4 C"`, `/2 {"role":"tool","tool_call_id":"{{oslo}}","content":"5 C"}`)),
		Breaks("decorated", TwoCities, But(BothKept, `"content":"4 C"`, `"content":"-> 4 C"`),
			Found(0, "", "the result of the call oslo is another one in the transcript", `"4 C"`, `/2 {"role":"tool","tool_call_id":"{{oslo}}","content":"-> 4 C","toolName":"get_weather","timestamp":1763740800002}`)),
	},
	"record/result-is-the-tools": {
		Holds("also one that was never sent", atTheLimit, limitKept),
		Holds("with words around it", atTheLimit, limitKept+": Result: 19 C."),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		Holds("cleared when the request was too large, and sent so", Overflowing, overflowed+`
			keeps open-agent-loops
				user: Which city is warmest?
				calls oslo
				result oslo: [dropped]
				calls lima
				result lima
				assistant: Lima.`),
		Breaks("cleared for nothing", TwoRounds, TwoRoundsDone+`
			keeps openai
				user: Compare the weather in Oslo and Lima.
				calls oslo
				result oslo: [dropped]
				calls lima
				result lima
				assistant: Lima is warmer.`,
			Found(0, "", "the result of the call oslo is not what the tool returned", `"4 C"`, `/2 {"role":"tool","tool_call_id":"{{oslo}}","content":"[dropped]"}`)),
		SeesNothing("what the model was not told either", OneCity, But(OneCityDone, "result oslo", "result oslo: done")+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo: done
				assistant: It is 4 C in Oslo.`),
		Breaks("empty", atTheLimit, But(limitKept, "calls lima\n\t\t\tresult lima", "calls lima\n\t\t\t"+`{"role":"tool","tool_call_id":"{{lima}}","content":""}`),
			Found(0, "", "the result of the call lima is not what the tool returned", `"19 C"`, `/4 {"role":"tool","tool_call_id":"{{lima}}","content":""}`)),
	},
	"record/tool-named": {
		Holds("the name of the tool", TwoCities, BothKept),
		Holds("of ART", TwoCities, BothInART),
		SeesNothing("no names", TwoCities, But(BothKept, `"toolName":"get_weather",`, "", `"toolName":"get_weather",`, "")),
		SeesNothing("a format without names", TwoCities, bothInBlocks),
		Breaks("another name", TwoCities, But(BothKept, `"toolName":"get_weather"`, `"toolName":"weather"`),
			Found(0, "", "the result of the call oslo has the name of another tool", `"get_weather"`, `/2 {"role":"tool","tool_call_id":"{{oslo}}","content":"4 C","toolName":"weather","timestamp":1763740800002}`)),
	},
	"record/failed-tool-marked": {
		Holds("marked", bonnFails, bonnDone),
		SeesNothing("none failed", TwoCities, BothKept),
		SeesNothing("a format without marks", bonnFails, But(bonnDone, "keeps open-agent-loops", "keeps openai")),
		Breaks("not marked", bonnFails, But(bonnDone, `"isError":true,`, ""),
			Found(0, "", "the result of the call bonn whose tool failed is not marked as an error", "an error", `/2 {"role":"tool","tool_call_id":"{{bonn}}","content":"Error: the service is down","toolName":"get_weather","timestamp":1763740800002}`)),
	},
	"record/unknown-tool-marked": {
		Holds("marked", noSuchTool, browserDone),
		SeesNothing("none was unknown", bonnFails, bonnDone),
		Breaks("not marked", noSuchTool, But(browserDone, `,"isError":true`, ""),
			Found(0, "", "the result of the call browser of an unknown tool is not marked as an error", "an error", `/2 {"role":"tool","tool_call_id":"{{browser}}","content":"Error: there is no tool open_browser"}`)),
	},
	"record/invalid-call-marked": {
		Holds("marked", badArguments, numberDone),
		SeesNothing("the arguments were repaired", badArguments, But(numberDone, "asks on", `runs get_weather {"city":"Oslo"}
		asks on`, `,"isError":true`, "")),
		SeesNothing("none was refused", bonnFails, bonnDone),
		Breaks("not marked", badArguments, But(numberDone, `,"isError":true`, ""),
			Found(0, "", "the result of the call number whose arguments were refused is not marked as an error", "an error", `/2 {"role":"tool","tool_call_id":"{{number}}","content":"Error: city is not a text"}`)),
	},
	"record/good-result-not-marked": {
		Holds("not marked", TwoCities, BothKept),
		SeesNothing("of a tool that had not returned", OneCity, `
			asks
			runs oslo for 1s
			asks on
				calls oslo
				result oslo: Error: no answer in time
			completed
			keeps anthropic
				{"role":"user","content":"What is the weather in Oslo?"}
				{"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}]}
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"Error: no answer in time","is_error":true}]}
				{"role":"assistant","content":"It is 4 C in Oslo."}`),
		Holds("false", TwoCities, But(bothInBlocks, `"content":"4 C"`, `"content":"4 C","is_error":false`)),
		SeesNothing("all failed", bonnFails, bonnDone),
		Breaks("marked", TwoCities, But(bothInBlocks, `"content":"4 C"`, `"content":"4 C","is_error":true`),
			Found(0, "", "the result of the call oslo, which went well, is marked as an error", "no error", `/2/content/0 {"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C","is_error":true}`)),
	},
}

// filteredTwice has a call that is filtered after one that ran, and another one after the next
// prompt.
var filteredTwice = Scene(Resuming + `
prompts: [What is the weather in Oslo?, And in Lima?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: again, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    finish: content-filter
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    finish: content-filter
`)

// filteredAgain has a call that is filtered, and made again after the next prompt. The loop gives
// calls ids of its own, as it has to where the provider gives none.
var filteredAgain = Scene(Resuming + `
prompts: [What is the weather in Oslo?, And now?]
model:
  - calls: [{as: first, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    finish: content-filter
  - calls: [{as: second, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)

const filteredKept = `
		asks
		asks on
			user: And now?
		runs second
		asks on
			calls second
			result second
		completed
		keeps openai
			user: What is the weather in Oslo?
			{"role":"assistant","content":null,"tool_calls":[{"id":"own_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
			user: And now?
			{"role":"assistant","content":null,"tool_calls":[{"id":"own_2","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
			{"role":"tool","tool_call_id":"own_2","content":"4 C"}
			assistant: It is 4 C in Oslo.`
