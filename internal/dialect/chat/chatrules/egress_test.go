package chatrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var egresCases = Cases{
	"egress/assistant-message-keys": {
		Holds("content and calls", OneCity, OneCityDone),
		Holds("the message of OpenAI as it came", OneCity, Round(AsReceived)),
		Holds("the message of Mistral as it came", OneCity.Under("mistral"), Round(AsReceived)),
		Holds("the message of DeepSeek as it came", OneCity.Under("deepseek"), Round(AsReceived)),
		Holds("all that OpenAI documents", OneCity, Round(`
			{"role":"assistant","name":"bot","content":null,"refusal":null,"audio":null,"function_call":null,"annotations":[],"tool_calls":[{{oslo call}}]}
			result oslo`)),
		Holds("private fields are for no-private-fields", OneCity, Round(`
			{"role":"assistant","content":null,"timestamp":1,"tool_calls":[{{oslo call}}]}
			result oslo`)),
		Holds("reasoning is for the rules about reasoning", OneCity.Under("vllm"), Round(`
			{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("no assistant message", OneCity, Unanswered),
		Breaks("an id of the loop's own", OneCity, Round(`
			{"role":"assistant","id":"msg_1","content":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/id", `an assistant message has the key "id"`,
				"only role, content, refusal, name, audio, tool_calls, function_call, annotations", `"id": "msg_1"`)),
		Breaks("reasoning for OpenAI, which shows none", OneCity, Round(`
			{"role":"assistant","reasoning_content":"Hm.","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", `an assistant message has the key "reasoning_content"`,
				"only role, content, refusal, name, audio, tool_calls, function_call, annotations", `"reasoning_content": "Hm."`)),
		Breaks("a refusal of null for Mistral", OneCity.Under("mistral"), Round(`
			{"role":"assistant","content":"","refusal":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/refusal", `an assistant message has the key "refusal"`, "only role, content, tool_calls, prefix", `"refusal": null`)),
		Breaks("told once, though it stays in the history", TwoPrompts, GoingOn(`{"role":"assistant","content":"It is 4 C in Oslo.","a/b":{}}`),
			Found(3, "/messages/3/a~1b", `an assistant message has the key "a/b"`,
				"only role, content, refusal, name, audio, tool_calls, function_call, annotations", `"a/b": {}`)),
	},
	"egress/tool-message-keys": {
		Holds("role, id and content", OneCity, OneCityDone),
		Holds("with a name", OneCity, Round(AsReceived)),
		Holds("private fields are for no-private-fields", OneCity, Round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C","isError":false}`)),
		SeesNothing("no tool message", OneCity, Unanswered),
		Breaks("a type", OneCity, Round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C","type":"function_result"}`),
			Found(2, "/messages/2/type", `a tool message has the key "type"`, "only role, content, tool_call_id, name", `"type": "function_result"`)),
	},
	"egress/call-keys": {
		Holds("id, type and function", OneCity, OneCityDone),
		Holds("a custom tool", OneCity, Round(`
			{"role":"assistant","tool_calls":[{{oslo call}},{"id":"x","type":"custom","custom":{"name":"sql","input":"select 1"}}]}
			result oslo
			{"role":"tool","tool_call_id":"x","content":"1"}`)),
		Holds("Mistral takes the index", OneCity.Under("mistral"), Round(AsReceived)),
		Holds("private fields are for no-private-fields", OneCity, Round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{}","parsed_arguments":{}}}]}
			result oslo`)),
		SeesNothing("no call", OneCity, Unanswered),
		Breaks("the index of the stream", OneCity, Round(`
			{"role":"assistant","tool_calls":[{"index":0,"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			result oslo`),
			Found(2, "/messages/1/tool_calls/0/index", `a tool call has the key "index"`, "only id, type, function, custom", `"index": 0`)),
		Breaks("a key inside the function", OneCity, Round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{}","strict":true}}]}
			result oslo`),
			Found(2, "/messages/1/tool_calls/0/function/strict", `the function of a tool call has the key "strict"`, "only name, arguments", `"strict": true`)),
	},
	"egress/no-private-fields": {
		Holds("none", OneCity, OneCityDone),
		Holds("the message as it came", OneCity, Round(AsReceived)),
		Holds("foreign keys are for other rules", OneCity, Round(`
			{"role":"assistant","id":"msg_1","tool_calls":[{{oslo call}}]}
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C","type":"x"}`)),
		Holds("on a user message it is nobody's", OneCity, Round(`
			calls oslo
			result oslo
			{"role":"user","content":"And?","timestamp":1}`)),
		SeesNothing("no message of a loop", OneCity, Unanswered),
		Breaks("all over", OneCity, Round(`
			{"role":"assistant","content":null,"finishReason":"tool_calls","tool_calls":[{"id":"{{oslo}}","type":"function","status":"done","function":{"name":"get_weather","arguments":"{}","parsed_arguments":null}}]}
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C","isError":false}`),
			Found(2, "/messages/1/finishReason", `the private field "finishReason" crosses the wire`, "no such key", `"finishReason": "tool_calls"`),
			Found(2, "/messages/1/tool_calls/0/status", `the private field "status" crosses the wire`, "no such key", `"status": "done"`),
			Found(2, "/messages/1/tool_calls/0/function/parsed_arguments", `the private field "parsed_arguments" crosses the wire`, "no such key", `"parsed_arguments": null`),
			Found(2, "/messages/2/isError", `the private field "isError" crosses the wire`, "no such key", `"isError": false`)),
	},
	"egress/tool-content-is-text": {
		Holds("a text", OneCity, OneCityDone),
		Holds("an empty text", OneCity, Round(`
			calls oslo
			result oslo:`)),
		Holds("text parts", OneCity, Round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"text","text":"4 C","annotations":null},{"type":"text","text":""}]}`)),
		SeesNothing("no tool message", OneCity, Unanswered),
		Breaks("an object", OneCity, Round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":{"temperature":4}}`),
			Found(2, "/messages/2/content", "the content of a tool message is not a text", "a string or a list of text parts", `{"temperature":4}`)),
		Breaks("null, nothing, an empty list and a number", fourCalls, `
			asks
			asks on
				calls a, b, c, d
				{"role":"tool","tool_call_id":"{{a}}","content":null}
				{"role":"tool","tool_call_id":"{{b}}"}
				{"role":"tool","tool_call_id":"{{c}}","content":[]}
				{"role":"tool","tool_call_id":"{{d}}","content":4}
			completed`,
			Found(2, "/messages/2/content", "the content of a tool message is not a text", "a string or a list of text parts", "null"),
			Found(2, "/messages/3/content", "the content of a tool message is not a text", "a string or a list of text parts", "nothing"),
			Found(2, "/messages/4/content", "the content of a tool message is not a text", "a string or a list of text parts", "[]"),
			Found(2, "/messages/5/content", "the content of a tool message is not a text", "a string or a list of text parts", "4")),
		Breaks("a part of another type", OneCity, Round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"input_audio"}]}`),
			Found(2, "/messages/2/content", "the content of a tool message is not a text", "a string or a list of text parts", `[{"type":"input_audio"}]`)),
		Holds("an image is for images/where-they-are-taken", OneCity, Round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"image_url","image_url":{"url":"x"}}]}`)),
	},
	"egress/no-empty-content-list": {
		Holds("null, nothing, an empty text and a list with a part", fourCalls, `
			asks
			asks on
				{"role":"assistant","content":null,"tool_calls":[{{a call}}]}
				result a
				{"role":"assistant","tool_calls":[{{b call}}]}
				result b
				{"role":"assistant","content":"","tool_calls":[{{c call}}]}
				result c
				{"role":"assistant","content":[{"type":"text","text":"Hm."}],"tool_calls":[{{d call}}]}
				result d
			completed`),
		Holds("without calls it is for no-blank-assistant-message", TwoPrompts, GoingOn(`{"role":"assistant","content":[]}`)),
		SeesNothing("no call came back", OneCity, Unanswered),
		Breaks("an empty list alongside a call", OneCity, Round(`
			{"role":"assistant","content":[],"tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/content", "an empty list is the content of a message with tool calls", "a text, a list with parts, null, or no such key", "[]")),
	},
	"egress/arguments-are-text": {
		Holds("a string", OneCity, OneCityDone),
		Holds("a string that is not JSON", BrokenJSON, BrokenAnswered),
		Holds("a custom tool has none", OneCity, Round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"custom","custom":{"name":"sql","input":"select 1"}}]}
			result oslo`)),
		SeesNothing("no call", OneCity, Unanswered),
		Breaks("an object, nothing and null", ThreeCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":{"city":"Oslo"}}},{"id":"{{lima}}","type":"function","function":{"name":"get_weather"}},{"id":"{{rome}}","type":"function","function":{"name":"get_weather","arguments":null}}]}
				result oslo
				result lima
				result rome
			completed`,
			Found(2, "/messages/1/tool_calls/0/function/arguments", "the arguments of a call are no string", "a string of JSON", `{"city":"Oslo"}`),
			Found(2, "/messages/1/tool_calls/1/function/arguments", "the arguments of a call are no string", "a string of JSON", "nothing"),
			Found(2, "/messages/1/tool_calls/2/function/arguments", "the arguments of a call are no string", "a string of JSON", "null")),
	},
	"egress/call-type": {
		Holds("function", OneCity, OneCityDone),
		SeesNothing("no call", OneCity, Unanswered),
		Breaks("none", OneCity, Round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","function":{"name":"get_weather","arguments":"{}"}}]}
			result oslo`),
			Found(2, "/messages/1/tool_calls/0/type", "a tool call without a type", `"type":"function"`, "nothing")),
		Breaks("null and blank", TwoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":null,"function":{"name":"get_weather","arguments":"{}"}},{"id":"{{lima}}","type":"","function":{"name":"get_weather","arguments":"{}"}}]}
				result oslo
				result lima
			completed`,
			Found(2, "/messages/1/tool_calls/0/type", "a tool call without a type", `"type":"function"`, "null"),
			Found(2, "/messages/1/tool_calls/1/type", "a tool call without a type", `"type":"function"`, `""`)),
	},
}

// fourCalls calls four times in one turn.
var fourCalls = Scene(WeatherTool + `
prompt: What is the weather everywhere?
model:
  - calls:
      - {as: a, tool: get_weather, arguments: '{"city":"A"}'}
      - {as: b, tool: get_weather, arguments: '{"city":"B"}'}
      - {as: c, tool: get_weather, arguments: '{"city":"C"}'}
      - {as: d, tool: get_weather, arguments: '{"city":"D"}'}
  - text: Fine.
`)
