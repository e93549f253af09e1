package rules

// overflowed is the run of overflowing: the first result is cleared once the provider has refused the long history.
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

var recordResultsCases = ruleCases{
	"record/one-result-per-call": {
		holds("two for two", twoCities, bothKept),
		holds("in blocks", twoCities, bothInBlocks),
		holds("of ART", twoCities, bothInART),
		holds("one that was never sent", atTheLimit, limitKept),
		seesNothing("no tool was used", noTools, noToolsKept),
		breaks("one less", twoCities, but(bothPlain, "result lima\n\t\t\tassistant", "assistant"),
			finding{0, "", "the transcript has no result for the call lima", "a result", `none behind /1 {"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}`}),
		breaks("one more", twoCities, but(bothPlain, "result lima\n\t\t\tassistant", "result lima\n\t\t\tresult lima\n\t\t\tassistant"),
			finding{0, "", "the transcript has more results than calls", "one result for a call", `/4 {"role":"tool","tool_call_id":"{{lima}}","content":"19 C"}`}),
		seesNothing("the run failed at the tool, and says so", bonnFails, `
			asks
			runs bonn
			failed: the service is down
			keeps openai
				user: What is the weather?
				calls bonn`),
		breaks("none at the limit", atTheLimit, but(limitKept, "calls lima\n\t\t\tresult lima", "calls lima"),
			finding{0, "", "the transcript has no result for the call lima", "a result", `none behind /3 {"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`}),
	},
	"record/results-directly-after": {
		holds("directly", twoCities, bothKept),
		seesNothing("no tool was used", noTools, noToolsKept),
		breaks("behind the answer", twoCities, but(bothPlain, "result lima\n\t\t\tassistant: Lima is warmer.", "assistant: Lima is warmer.\n\t\t\tresult lima"),
			finding{0, "", "the result of the call lima does not stand behind its turn in the transcript", `directly behind /1 {"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}`, `/4 {"role":"tool","tool_call_id":"{{lima}}","content":"19 C"}`}),
	},
	"record/results-in-call-order": {
		holds("in order", twoCities, bothKept),
		seesNothing("one call", oneCity, oneCityDone+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.`),
		breaks("reversed", twoCities, but(bothPlain, "result oslo\n\t\t\tresult lima\n\t\t\tassistant", "result lima\n\t\t\tresult oslo\n\t\t\tassistant"),
			finding{0, "", "the results of a turn stand in another order than its calls in the transcript", "{{oslo}}, {{lima}}", "{{lima}}, {{oslo}}"}),
	},
	"record/result-as-sent": {
		holds("letter for letter", twoCities, bothKept),
		holds("in a list of parts", twoCities, bothInBlocks),
		seesNothing("one that was never sent", oneCity, `
			asks
			runs oslo
			stopped: turn limit
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo: ?`),
		holds("what the tool said, which was wrapped to be sent", oneCity, but(oneCityDone, "result oslo", "result oslo: <result>4 C</result> Remember to be terse.")+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.`),
		breaks("the same in a format whose content crosses the wire as it is", oneCity, but(oneCityDone, "result oslo", "result oslo: <result>4 C</result>")+`
			keeps open-agent-loops
				user: What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.`,
			finding{0, "", "the result of the call oslo is another one in the transcript", `"<result>4 C</result>"`, `/2 {"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`}),
		holds("cleared when the request was too large, and sent so", overflowing, overflowed+`
			keeps openai
				user: Which city is warmest?
				calls oslo
				result oslo: [dropped]
				calls lima
				result lima
				assistant: Lima.`),
		breaks("neither what was sent nor what the tool said", oneCity, oneCityDone+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo: 5 C
				assistant: It is 4 C in Oslo.`,
			finding{0, "", "the result of the call oslo is another one in the transcript", `"4 C"`, `/2 {"role":"tool","tool_call_id":"{{oslo}}","content":"5 C"}`}),
		breaks("decorated", twoCities, but(bothKept, `"content":"4 C"`, `"content":"-> 4 C"`),
			finding{0, "", "the result of the call oslo is another one in the transcript", `"4 C"`, `/2 {"role":"tool","tool_call_id":"{{oslo}}","content":"-> 4 C","toolName":"get_weather","timestamp":1763740800002}`}),
	},
	"record/result-is-the-tools": {
		holds("also one that was never sent", atTheLimit, limitKept),
		holds("with words around it", atTheLimit, limitKept+": Result: 19 C."),
		seesNothing("no tool was used", noTools, noToolsKept),
		holds("cleared when the request was too large, and sent so", overflowing, overflowed+`
			keeps open-agent-loops
				user: Which city is warmest?
				calls oslo
				result oslo: [dropped]
				calls lima
				result lima
				assistant: Lima.`),
		breaks("cleared for nothing", twoRounds, twoRoundsDone+`
			keeps openai
				user: Compare the weather in Oslo and Lima.
				calls oslo
				result oslo: [dropped]
				calls lima
				result lima
				assistant: Lima is warmer.`,
			finding{0, "", "the result of the call oslo is not what the tool returned", `"4 C"`, `/2 {"role":"tool","tool_call_id":"{{oslo}}","content":"[dropped]"}`}),
		seesNothing("what the model was not told either", oneCity, but(oneCityDone, "result oslo", "result oslo: done")+`
			keeps openai
				user: What is the weather in Oslo?
				calls oslo
				result oslo: done
				assistant: It is 4 C in Oslo.`),
		breaks("empty", atTheLimit, but(limitKept, "calls lima\n\t\t\tresult lima", "calls lima\n\t\t\t"+`{"role":"tool","tool_call_id":"{{lima}}","content":""}`),
			finding{0, "", "the result of the call lima is not what the tool returned", `"19 C"`, `/4 {"role":"tool","tool_call_id":"{{lima}}","content":""}`}),
	},
	"record/tool-named": {
		holds("the name of the tool", twoCities, bothKept),
		holds("of ART", twoCities, bothInART),
		seesNothing("no names", twoCities, but(bothKept, `"toolName":"get_weather",`, "", `"toolName":"get_weather",`, "")),
		seesNothing("a format without names", twoCities, bothInBlocks),
		breaks("another name", twoCities, but(bothKept, `"toolName":"get_weather"`, `"toolName":"weather"`),
			finding{0, "", "the result of the call oslo has the name of another tool", `"get_weather"`, `/2 {"role":"tool","tool_call_id":"{{oslo}}","content":"4 C","toolName":"weather","timestamp":1763740800002}`}),
	},
	"record/failed-tool-marked": {
		holds("marked", bonnFails, bonnDone),
		seesNothing("none failed", twoCities, bothKept),
		seesNothing("a format without marks", bonnFails, but(bonnDone, "keeps open-agent-loops", "keeps openai")),
		breaks("not marked", bonnFails, but(bonnDone, `"isError":true,`, ""),
			finding{0, "", "the result of the call bonn whose tool failed is not marked as an error", "an error", `/2 {"role":"tool","tool_call_id":"{{bonn}}","content":"Error: the service is down","toolName":"get_weather","timestamp":1763740800002}`}),
	},
	"record/unknown-tool-marked": {
		holds("marked", noSuchTool, browserDone),
		seesNothing("none was unknown", bonnFails, bonnDone),
		breaks("not marked", noSuchTool, but(browserDone, `,"isError":true`, ""),
			finding{0, "", "the result of the call browser of an unknown tool is not marked as an error", "an error", `/2 {"role":"tool","tool_call_id":"{{browser}}","content":"Error: there is no tool open_browser"}`}),
	},
	"record/invalid-call-marked": {
		holds("marked", badArguments, numberDone),
		seesNothing("the arguments were mended", badArguments, but(numberDone, "asks on", `runs get_weather {"city":"Oslo"}
		asks on`, `,"isError":true`, "")),
		seesNothing("none was refused", bonnFails, bonnDone),
		breaks("not marked", badArguments, but(numberDone, `,"isError":true`, ""),
			finding{0, "", "the result of the call number whose arguments were refused is not marked as an error", "an error", `/2 {"role":"tool","tool_call_id":"{{number}}","content":"Error: city is no text"}`}),
	},
	"record/good-result-not-marked": {
		holds("not marked", twoCities, bothKept),
		seesNothing("of a tool that had not returned", oneCity, `
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
		holds("false", twoCities, but(bothInBlocks, `"content":"4 C"`, `"content":"4 C","is_error":false`)),
		seesNothing("all failed", bonnFails, bonnDone),
		breaks("marked", twoCities, but(bothInBlocks, `"content":"4 C"`, `"content":"4 C","is_error":true`),
			finding{0, "", "the result of the call oslo, which went well, is marked as an error", "no error", `/2/content/0 {"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C","is_error":true}`}),
	},
}
