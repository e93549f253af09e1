package record_test

import . "github.com/loopproof/loopproof/internal/rules/rulestest"

// bothInSpans is TwoCities as the spans of OpenTelemetry.
const bothInSpans = TwoCitiesDone + `
		keeps otel-genai
			{"name":"chat","spanId":"1","startTimeUnixNano":"1","attributes":{"gen_ai.operation.name":"chat","gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"Compare the weather in Oslo and Lima."}]}],"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"tool_call","id":"{{oslo}}","name":"get_weather","arguments":{"city":"Oslo"}},{"type":"tool_call","id":"{{lima}}","name":"get_weather","arguments":{"city":"Lima"}}],"finish_reason":"tool_call"}]}}
			{"name":"execute_tool","spanId":"2","startTimeUnixNano":"2","attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"get_weather","gen_ai.tool.call.id":"{{oslo}}"}}
			{"name":"execute_tool","spanId":"3","startTimeUnixNano":"3","attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"get_weather","gen_ai.tool.call.id":"{{lima}}"}}
			{"name":"chat","spanId":"4","startTimeUnixNano":"4","attributes":{"gen_ai.operation.name":"chat","gen_ai.input.messages":[{"role":"tool","parts":[{"type":"tool_call_response","id":"{{oslo}}","response":"4 C"},{"type":"tool_call_response","id":"{{lima}}","response":"19 C"}]}],"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"text","content":"Lima is warmer."}],"finish_reason":"stop"}]}}`

var otelCases = Cases{
	"record/otel-genai-schema": {
		Holds("of the form", TwoCities, bothInSpans),
		SeesNothing("another format", TwoCities, BothKept),
		Breaks("no finish reason", TwoCities, But(bothInSpans, `,"finish_reason":"stop"`, ""),
			Found(0, "", "the record does not have the form of otel-genai at /3: missing property 'finish_reason' at /0 in gen_ai.output.messages", "what the JSON Schema of otel-genai describes", `{"name":"chat","spanId":"4","startTimeUnixNano":"4","attributes":{"gen_ai.operation.name":"chat","gen_ai.input.messages":[{"role":"tool","parts":[{"type":"tool_…`)),
	},
	"record/tool-spans-name-their-calls": {
		Holds("spans of both", TwoCities, bothInSpans),
		SeesNothing("another format", TwoCities, BothKept),
		Breaks("an id that was made up", TwoCities, But(bothInSpans, `"gen_ai.tool.call.id":"{{lima}}"`, `"gen_ai.tool.call.id":"x"`),
			Found(0, "", "no span tells of the run of the call lima", "execute_tool with gen_ai.tool.name get_weather and gen_ai.tool.call.id {{lima}}", `execute_tool of get_weather "{{oslo}}", get_weather "x"`)),
		Breaks("the name of another tool", TwoCities, But(bothInSpans, `"gen_ai.tool.name":"get_weather"`, `"gen_ai.tool.name":"get_time"`),
			Found(0, "", "no span tells of the run of the call oslo", "execute_tool with gen_ai.tool.name get_weather and gen_ai.tool.call.id {{oslo}}", `execute_tool of get_time "{{oslo}}", get_weather "{{lima}}"`)),
	},
}
