package record_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var coreCases = Cases{
	"record/transcript-handed-over": {
		Holds("with the answer", TwoCities, BothKept),
		SeesNothing("a run that failed", TwoCities, But(TwoCitiesDone, "completed", "failed: no")),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("none", TwoCities, TwoCitiesDone,
			Found(0, "", "the outcome has no transcript", "a transcript that can be read", "none")),
		Breaks("a format that does not exist", TwoCities, But(BothKept, "keeps open-agent-loops", "keeps open-agents-loop"),
			Found(0, "", "the transcript cannot be read", "a transcript that can be read", `unknown transcript_format "open-agents-loop" (did you mean "open-agent-loops"?); it is one of open-agent-loops, anthropic, art-messages, openai, ag-ui, otel-genai`)),
		Breaks("a format of events", TwoCities, But(BothKept, "keeps open-agent-loops", "keeps adk-turn-events"),
			Found(0, "", "the transcript cannot be read", "a transcript that can be read", `unknown transcript_format "adk-turn-events"; it is one of open-agent-loops, anthropic, art-messages, openai, ag-ui, otel-genai`)),
		Breaks("no format", TwoCities, But(BothKept, "keeps open-agent-loops", "keeps"),
			Found(0, "", "the transcript cannot be read", "a transcript that can be read", `transcript_format is missing; it is one of open-agent-loops, anthropic, art-messages, openai, ag-ui, otel-genai`)),
	},
	"record/events-handed-over": {
		Holds("with the answer", TwoDice, diceTold),
		SeesNothing("a run that failed", TwoCities, But(TwoCitiesDone, "completed", "failed: no")),
		Breaks("none", TwoCities, BothKept, Found(0, "", "the outcome has no list of events", "a list of events that can be read", "none")),
	},
	"record/open-agent-loops-schema": {
		Holds("of the form", TwoCities, BothKept),
		Holds("keys that the form does not know", TwoCities, But(BothKept, `"finishReason":"stop"`, `"finishReason":"stop","model":"x"`)),
		SeesNothing("another format", TwoCities, BothPlain),
		SeesNothing("no tool was used", NoTools, noToolsKept),
		Breaks("no text is null", TwoCities, But(BothKept, `"content":""`, `"content":null`),
			Found(0, "", "the record does not have the form of open-agent-loops at /1/content: got null, want string", "what the JSON Schema of open-agent-loops describes", "null")),
		Breaks("a result of nothing", TwoCities, But(BothKept, `"tool_call_id":"{{oslo}}",`, ""),
			Found(0, "", "the record does not have the form of open-agent-loops at /2: missing property 'tool_call_id'", "what the JSON Schema of open-agent-loops describes", `{"role":"tool","content":"4 C","toolName":"get_weather","timestamp":1763740800002}`)),
	},
	"record/anthropic-schema": {
		Holds("of the form", TwoCities, bothInBlocks),
		Holds("without content", TwoCities, But(bothInBlocks, `,"content":"4 C"`, "")),
		Holds("a document, and a mark to cache it", TwoCities, But(bothInBlocks, `"content":"4 C"`, `"content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"4 C"}}],"cache_control":{"type":"ephemeral","ttl":"1h"}`)),
		SeesNothing("another format", TwoCities, BothKept),
		Breaks("a mark that is a word", TwoCities, But(bothInBlocks, `"content":"4 C"`, `"content":"4 C","is_error":"no"`),
			Found(0, "", "the record does not have the form of anthropic at /2/content/0/is_error: got string, want boolean", "what the JSON Schema of anthropic describes", `"no"`)),
		Breaks("a cache of no kind", TwoCities, But(bothInBlocks, `"content":"4 C"`, `"content":"4 C","cache_control":{"type":"ephemeral","ttl":"2h"}`),
			Found(0, "", "the record does not have the form of anthropic at /2/content/0/cache_control/ttl: value must be one of '5m', '1h'", "what the JSON Schema of anthropic describes", `"2h"`)),
	},
	"record/art-messages-schema": {
		Holds("of the form", TwoCities, BothInART),
		Holds("a request of its own", TwoCities, But(BothInART, `{"role":"tool_result","content":"4 C"`, `{"role":"tool_request","content":{"tool":"get_weather"}}
			{"role":"tool_result","content":"4 C"`)),
		SeesNothing("another format", TwoCities, BothKept),
		Breaks("a result of nothing", TwoCities, But(BothInART, `,"tool_call_id":"{{oslo}}"`, ""),
			Found(0, "", "the record does not have the form of art-messages at /2: missing property 'tool_call_id'", "what the JSON Schema of art-messages describes", `{"role":"tool_result","content":"4 C","name":"get_weather"}`)),
		Breaks("a role that it has not", TwoCities, But(BothInART, `"role":"user"`, `"role":"human"`),
			Found(0, "", "the record does not have the form of art-messages at /0/role: value must be one of 'system', 'user', 'assistant', 'tool_request', 'tool_result', 'tool'", "what the JSON Schema of art-messages describes", `"human"`)),
		Breaks("a key that it has not", TwoCities, But(BothInART, `"name":"get_weather"`, `"name":"get_weather","timestamp":1`),
			Found(0, "", "the record does not have the form of art-messages at /2: additional properties 'timestamp' not allowed", "what the JSON Schema of art-messages describes", `{"role":"tool_result","content":"4 C","name":"get_weather","timestamp":1,"tool_call_id":"{{oslo}}"}`)),
	},
	"record/openai-schema": {
		Holds("of the form", TwoCities, BothPlain),
		SeesNothing("another format", TwoCities, BothKept),
		Breaks("a result that is an object", TwoCities, But(BothPlain, "result lima\n\t\t\tassistant", `{"role":"tool","tool_call_id":"{{lima}}","content":{"text":"19 C"}}
			assistant`),
			Found(0, "", "the record does not have the form of openai at /3/content: got object, want string or array", "what the JSON Schema of openai describes", `{"text":"19 C"}`)),
	},
	"record/adk-turn-events-schema": {
		Holds("of the form", TwoDice, diceTold),
		Holds("events of other kinds", TwoDice, diceTold+`
			{"event":"turnEnd","data":{"turnId":"t","endedAt":"never"}}`),
		SeesNothing("no events", TwoCities, BothKept),
		Breaks("a time that is a number", TwoDice, But(diceTold, `"updatedAt":"2026-11-21T12:00:00.003Z"`, `"updatedAt":1763740800003`),
			Found(0, "", "the record does not have the form of adk-turn-events at /2/data/updatedAt: got number, want string", "what the JSON Schema of adk-turn-events describes", "1763740800003")),
	},
	"record/result-blocks-first": {
		Holds("results alone", TwoCities, bothInBlocks),
		Holds("text after them", TwoCities, But(bothInBlocks, `"text":"19 C"}]}]}`, `"text":"19 C"}]},{"type":"text","text":"Go on."}]}`)),
		SeesNothing("another format", TwoCities, BothKept),
		Breaks("text in front", TwoCities, But(bothInBlocks, `[{"type":"tool_result"`, `[{"type":"text","text":"Here:"},{"type":"tool_result"`),
			Found(0, "", "a block is in front of a tool result", "the results first", `/2/content/0 {"type":"text","text":"Here:"}`)),
	},
	"record/result-blocks-together": {
		Holds("in one message", TwoCities, bothInBlocks),
		SeesNothing("one result", OneCity, OneCityDone+`
			keeps anthropic
				{"role":"user","content":"What is the weather in Oslo?"}
				{"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}]}
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C"}]}`),
		SeesNothing("another format", TwoCities, BothKept),
		Breaks("in two", TwoCities, But(bothInBlocks, `"content":"4 C"},`, `"content":"4 C"}]}
			{"role":"user","content":[`),
			Found(0, "", "the results of a turn are spread over several messages", "one message with 2 results", `2 messages after /1 {"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}},{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}]}`)),
	},
	"record/result-has-a-name": {
		Holds("with names", TwoCities, BothInART),
		SeesNothing("another format", TwoCities, BothPlain),
		Breaks("one without", TwoCities, But(BothInART, `"name":"get_weather",`, ""),
			Found(0, "", "the result of the call oslo does not say which tool was run", "the name get_weather", `/2 {"role":"tool_result","content":"4 C","tool_call_id":"{{oslo}}"}`)),
	},
}
