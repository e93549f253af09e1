package rules

var recordCases = ruleCases{
	"record/transcript-handed-over": {
		holds("with the answer", twoCities, bothKept),
		seesNothing("a run that failed", twoCities, but(twoCitiesDone, "completed", "failed: no")),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("none", twoCities, twoCitiesDone,
			finding{0, "", "the outcome has no transcript", "a transcript that can be read", "none"}),
		breaks("a format that does not exist", twoCities, but(bothKept, "keeps open-agent-loops", "keeps open-agents-loop"),
			finding{0, "", "the transcript cannot be read", "a transcript that can be read", `unknown transcript_format "open-agents-loop" (did you mean "open-agent-loops"?); it is one of open-agent-loops, anthropic, art-messages, openai`}),
		breaks("a format of events", twoCities, but(bothKept, "keeps open-agent-loops", "keeps adk-turn-events"),
			finding{0, "", "the transcript cannot be read", "a transcript that can be read", `unknown transcript_format "adk-turn-events"; it is one of open-agent-loops, anthropic, art-messages, openai`}),
		breaks("no format", twoCities, but(bothKept, "keeps open-agent-loops", "keeps"),
			finding{0, "", "the transcript cannot be read", "a transcript that can be read", `transcript_format is missing; it is one of open-agent-loops, anthropic, art-messages, openai`}),
	},
	"record/events-handed-over": {
		holds("with the answer", twoDice, diceTold),
		seesNothing("a run that failed", twoCities, but(twoCitiesDone, "completed", "failed: no")),
		breaks("none", twoCities, bothKept, finding{0, "", "the outcome has no list of events", "a list of events that can be read", "none"}),
	},
	"record/open-agent-loops-schema": {
		holds("of the form", twoCities, bothKept),
		holds("keys that the form does not know", twoCities, but(bothKept, `"finishReason":"stop"`, `"finishReason":"stop","model":"x"`)),
		seesNothing("another format", twoCities, bothPlain),
		seesNothing("no tool was used", noTools, noToolsKept),
		breaks("no text is null", twoCities, but(bothKept, `"content":""`, `"content":null`),
			finding{0, "", "the record has not the form of open-agent-loops at /1/content: got null, want string", "what the JSON Schema of open-agent-loops describes", "null"}),
		breaks("a result of nothing", twoCities, but(bothKept, `"tool_call_id":"{{oslo}}",`, ""),
			finding{0, "", "the record has not the form of open-agent-loops at /2: missing property 'tool_call_id'", "what the JSON Schema of open-agent-loops describes", `{"role":"tool","content":"4 C","toolName":"get_weather","timestamp":1763740800002}`}),
	},
	"record/anthropic-schema": {
		holds("of the form", twoCities, bothInBlocks),
		holds("without content", twoCities, but(bothInBlocks, `,"content":"4 C"`, "")),
		holds("a document, and a mark to cache it", twoCities, but(bothInBlocks, `"content":"4 C"`, `"content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"4 C"}}],"cache_control":{"type":"ephemeral","ttl":"1h"}`)),
		seesNothing("another format", twoCities, bothKept),
		breaks("a mark that is a word", twoCities, but(bothInBlocks, `"content":"4 C"`, `"content":"4 C","is_error":"no"`),
			finding{0, "", "the record has not the form of anthropic at /2/content/0/is_error: got string, want boolean", "what the JSON Schema of anthropic describes", `"no"`}),
		breaks("a cache of no kind", twoCities, but(bothInBlocks, `"content":"4 C"`, `"content":"4 C","cache_control":{"type":"ephemeral","ttl":"2h"}`),
			finding{0, "", "the record has not the form of anthropic at /2/content/0/cache_control/ttl: value must be one of '5m', '1h'", "what the JSON Schema of anthropic describes", `"2h"`}),
	},
	"record/art-messages-schema": {
		holds("of the form", twoCities, bothInART),
		holds("a request of its own", twoCities, but(bothInART, `{"role":"tool_result","content":"4 C"`, `{"role":"tool_request","content":{"tool":"get_weather"}}
			{"role":"tool_result","content":"4 C"`)),
		seesNothing("another format", twoCities, bothKept),
		breaks("a result of nothing", twoCities, but(bothInART, `,"tool_call_id":"{{oslo}}"`, ""),
			finding{0, "", "the record has not the form of art-messages at /2: missing property 'tool_call_id'", "what the JSON Schema of art-messages describes", `{"role":"tool_result","content":"4 C","name":"get_weather"}`}),
		breaks("a role that it has not", twoCities, but(bothInART, `"role":"user"`, `"role":"human"`),
			finding{0, "", "the record has not the form of art-messages at /0/role: value must be one of 'system', 'user', 'assistant', 'tool_request', 'tool_result', 'tool'", "what the JSON Schema of art-messages describes", `"human"`}),
		breaks("a key that it has not", twoCities, but(bothInART, `"name":"get_weather"`, `"name":"get_weather","timestamp":1`),
			finding{0, "", "the record has not the form of art-messages at /2: additional properties 'timestamp' not allowed", "what the JSON Schema of art-messages describes", `{"role":"tool_result","content":"4 C","name":"get_weather","timestamp":1,"tool_call_id":"{{oslo}}"}`}),
	},
	"record/openai-schema": {
		holds("of the form", twoCities, bothPlain),
		seesNothing("another format", twoCities, bothKept),
		breaks("a result that is an object", twoCities, but(bothPlain, "result lima\n\t\t\tassistant", `{"role":"tool","tool_call_id":"{{lima}}","content":{"text":"19 C"}}
			assistant`),
			finding{0, "", "the record has not the form of openai at /3/content: got object, want string or array", "what the JSON Schema of openai describes", `{"text":"19 C"}`}),
	},
	"record/adk-turn-events-schema": {
		holds("of the form", twoDice, diceTold),
		holds("events of other kinds", twoDice, diceTold+`
			{"event":"turnEnd","data":{"turnId":"t","endedAt":"never"}}`),
		seesNothing("no events", twoCities, bothKept),
		breaks("a time that is a number", twoDice, but(diceTold, `"updatedAt":"2026-11-21T12:00:00.003Z"`, `"updatedAt":1763740800003`),
			finding{0, "", "the record has not the form of adk-turn-events at /2/data/updatedAt: got number, want string", "what the JSON Schema of adk-turn-events describes", "1763740800003"}),
	},
	"record/result-blocks-first": {
		holds("results alone", twoCities, bothInBlocks),
		holds("text behind them", twoCities, but(bothInBlocks, `"text":"19 C"}]}]}`, `"text":"19 C"}]},{"type":"text","text":"Go on."}]}`)),
		seesNothing("another format", twoCities, bothKept),
		breaks("text in front", twoCities, but(bothInBlocks, `[{"type":"tool_result"`, `[{"type":"text","text":"Here:"},{"type":"tool_result"`),
			finding{0, "", "a block stands in front of a tool result", "the results first", `/2/content/0 {"type":"text","text":"Here:"}`}),
	},
	"record/result-blocks-together": {
		holds("in one message", twoCities, bothInBlocks),
		seesNothing("one result", oneCity, oneCityDone+`
			keeps anthropic
				{"role":"user","content":"What is the weather in Oslo?"}
				{"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}]}
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C"}]}`),
		seesNothing("another format", twoCities, bothKept),
		breaks("in two", twoCities, but(bothInBlocks, `"content":"4 C"},`, `"content":"4 C"}]}
			{"role":"user","content":[`),
			finding{0, "", "the results of a turn are spread over several messages", "one message with 2 results", `2 messages behind /1 {"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}},{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}]}`}),
	},
	"record/result-has-a-name": {
		holds("with names", twoCities, bothInART),
		seesNothing("another format", twoCities, bothPlain),
		breaks("one without", twoCities, but(bothInART, `"name":"get_weather",`, ""),
			finding{0, "", "the result of the call oslo does not say which tool was run", "the name get_weather", `/2 {"role":"tool_result","content":"4 C","tool_call_id":"{{oslo}}"}`}),
	},
}
