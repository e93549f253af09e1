package rules

// round is a dialogue about one call, with these messages in the second request.
func round(messages string) string {
	return `
		asks
		runs oslo
		asks on
			` + messages + `
		completed`
}

// goingOn is a dialogue with two prompts, with these messages in front of the second one.
func goingOn(messages string) string {
	return `
		asks
		asks on
			calls oslo
			result oslo
		asks on
			` + messages + `
			prompt 2
		completed`
}

const (
	// unanswered is a dialogue that ends before anything is sent that only a loop sends.
	unanswered = `
		asks
		failed: no idea`

	// asReceived are the messages of a round as a loop sends them that keeps what it got and tolerates what may be.
	asReceived = `
		{{message 1}}
		{"role":"tool","tool_call_id":"{{oslo}}","name":"get_weather","content":"4 C"}`
)

var egressCases = ruleCases{
	"egress/assistant-message-keys": {
		holds("content and calls", oneCity, oneCityDone),
		holds("the message of OpenAI as it came", oneCity, round(asReceived)),
		holds("the message of Mistral as it came", oneCity.under("mistral"), round(asReceived)),
		holds("the message of DeepSeek as it came", oneCity.under("deepseek"), round(asReceived)),
		holds("all that OpenAI documents", oneCity, round(`
			{"role":"assistant","name":"bot","content":null,"refusal":null,"audio":null,"function_call":null,"annotations":[],"tool_calls":[{{oslo call}}]}
			result oslo`)),
		holds("private fields are for no-private-fields", oneCity, round(`
			{"role":"assistant","content":null,"timestamp":1,"tool_calls":[{{oslo call}}]}
			result oslo`)),
		holds("reasoning is for the rules about reasoning", oneCity.under("vllm"), round(`
			{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("no assistant message", oneCity, unanswered),
		breaks("an id of the loop's own", oneCity, round(`
			{"role":"assistant","id":"msg_1","content":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/id", `an assistant message has the key "id"`,
				"only role, content, refusal, name, audio, tool_calls, function_call, annotations", `"id": "msg_1"`}),
		breaks("reasoning for OpenAI, which shows none", oneCity, round(`
			{"role":"assistant","reasoning_content":"Hm.","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", `an assistant message has the key "reasoning_content"`,
				"only role, content, refusal, name, audio, tool_calls, function_call, annotations", `"reasoning_content": "Hm."`}),
		breaks("a refusal of null for Mistral", oneCity.under("mistral"), round(`
			{"role":"assistant","content":"","refusal":null,"tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/refusal", `an assistant message has the key "refusal"`, "only role, content, tool_calls, prefix", `"refusal": null`}),
		breaks("told once, though it stays in the history", twoPrompts, goingOn(`{"role":"assistant","content":"It is 4 C in Oslo.","a/b":{}}`),
			finding{3, "/messages/3/a~1b", `an assistant message has the key "a/b"`,
				"only role, content, refusal, name, audio, tool_calls, function_call, annotations", `"a/b": {}`}),
	},
	"egress/tool-message-keys": {
		holds("role, id and content", oneCity, oneCityDone),
		holds("with a name", oneCity, round(asReceived)),
		holds("private fields are for no-private-fields", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C","isError":false}`)),
		seesNothing("no tool message", oneCity, unanswered),
		breaks("a type", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C","type":"function_result"}`),
			finding{2, "/messages/2/type", `a tool message has the key "type"`, "only role, content, tool_call_id, name", `"type": "function_result"`}),
	},
	"egress/call-keys": {
		holds("id, type and function", oneCity, oneCityDone),
		holds("a custom tool", oneCity, round(`
			{"role":"assistant","tool_calls":[{{oslo call}},{"id":"x","type":"custom","custom":{"name":"sql","input":"select 1"}}]}
			result oslo
			{"role":"tool","tool_call_id":"x","content":"1"}`)),
		holds("Mistral takes the index", oneCity.under("mistral"), round(asReceived)),
		holds("private fields are for no-private-fields", oneCity, round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{}","parsed_arguments":{}}}]}
			result oslo`)),
		seesNothing("no call", oneCity, unanswered),
		breaks("the index of the stream", oneCity, round(`
			{"role":"assistant","tool_calls":[{"index":0,"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			result oslo`),
			finding{2, "/messages/1/tool_calls/0/index", `a tool call has the key "index"`, "only id, type, function, custom", `"index": 0`}),
		breaks("a key inside the function", oneCity, round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{}","strict":true}}]}
			result oslo`),
			finding{2, "/messages/1/tool_calls/0/function/strict", `the function of a tool call has the key "strict"`, "only name, arguments", `"strict": true`}),
	},
	"egress/no-private-fields": {
		holds("none", oneCity, oneCityDone),
		holds("the message as it came", oneCity, round(asReceived)),
		holds("foreign keys are for other rules", oneCity, round(`
			{"role":"assistant","id":"msg_1","tool_calls":[{{oslo call}}]}
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C","type":"x"}`)),
		holds("on a user message it is nobody's", oneCity, round(`
			calls oslo
			result oslo
			{"role":"user","content":"And?","timestamp":1}`)),
		seesNothing("no message of a loop", oneCity, unanswered),
		breaks("all over", oneCity, round(`
			{"role":"assistant","content":null,"finishReason":"tool_calls","tool_calls":[{"id":"{{oslo}}","type":"function","status":"done","function":{"name":"get_weather","arguments":"{}","parsed_arguments":null}}]}
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C","isError":false}`),
			finding{2, "/messages/1/finishReason", `the private field "finishReason" crosses the wire`, "no such key", `"finishReason": "tool_calls"`},
			finding{2, "/messages/1/tool_calls/0/status", `the private field "status" crosses the wire`, "no such key", `"status": "done"`},
			finding{2, "/messages/1/tool_calls/0/function/parsed_arguments", `the private field "parsed_arguments" crosses the wire`, "no such key", `"parsed_arguments": null`},
			finding{2, "/messages/2/isError", `the private field "isError" crosses the wire`, "no such key", `"isError": false`}),
	},
	"egress/tool-content-is-text": {
		holds("a text", oneCity, oneCityDone),
		holds("an empty text", oneCity, round(`
			calls oslo
			result oslo:`)),
		holds("text parts", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"text","text":"4 C","annotations":null},{"type":"text","text":""}]}`)),
		seesNothing("no tool message", oneCity, unanswered),
		breaks("an object", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":{"temperature":4}}`),
			finding{2, "/messages/2/content", "the content of a tool message is no text", "a string or a list of text parts", `{"temperature":4}`}),
		breaks("null, nothing, an empty list and a number", fourCalls, `
			asks
			asks on
				calls a, b, c, d
				{"role":"tool","tool_call_id":"{{a}}","content":null}
				{"role":"tool","tool_call_id":"{{b}}"}
				{"role":"tool","tool_call_id":"{{c}}","content":[]}
				{"role":"tool","tool_call_id":"{{d}}","content":4}
			completed`,
			finding{2, "/messages/2/content", "the content of a tool message is no text", "a string or a list of text parts", "null"},
			finding{2, "/messages/3/content", "the content of a tool message is no text", "a string or a list of text parts", "nothing"},
			finding{2, "/messages/4/content", "the content of a tool message is no text", "a string or a list of text parts", "[]"},
			finding{2, "/messages/5/content", "the content of a tool message is no text", "a string or a list of text parts", "4"}),
		breaks("a part of another type", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"input_audio"}]}`),
			finding{2, "/messages/2/content", "the content of a tool message is no text", "a string or a list of text parts", `[{"type":"input_audio"}]`}),
		holds("an image is for images/where-they-are-taken", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"image_url","image_url":{"url":"x"}}]}`)),
	},
	"egress/content-present": {
		holds("null beside calls", twoPrompts, goingOn("assistant: It is 4 C in Oslo.")),
		holds("nothing beside calls", oneCity, round(`
			{"role":"assistant","tool_calls":[{{oslo call}}]}
			result oslo`)),
		holds("an empty text beside calls", oneCity, round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`)),
		holds("a refusal, an old function call, a voice", twoPrompts, goingOn(`
			{"role":"assistant","content":null,"refusal":"I cannot."}
			{"role":"assistant","content":null,"function_call":{"name":"x","arguments":"{}"}}
			{"role":"assistant","audio":{"id":"x"}}`)),
		holds("an empty text is for no-blank-assistant-message", twoPrompts, goingOn("assistant:")),
		holds("a tool message is for tool-content-is-text, a missing role for messages-given", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":null}
			{"text":"hi"}
			"hi"`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("null without calls", twoPrompts, goingOn(`{"role":"assistant","content":null,"tool_calls":null,"refusal":null}`),
			finding{3, "/messages/3/content", "the assistant message has no content", "a string", "null"}),
		breaks("a user and a system message without any", twoPrompts, goingOn(`
			{"role":"user"}
			{"role":"developer","content":null}`),
			finding{3, "/messages/3/content", "the user message has no content", "a string", "nothing"},
			finding{3, "/messages/4/content", "the developer message has no content", "a string", "null"}),
	},
	"egress/no-empty-content-list": {
		holds("null, nothing, an empty text and a list with a part", fourCalls, `
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
		holds("without calls it is for no-blank-assistant-message", twoPrompts, goingOn(`{"role":"assistant","content":[]}`)),
		seesNothing("no call came back", oneCity, unanswered),
		breaks("an empty list beside a call", oneCity, round(`
			{"role":"assistant","content":[],"tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/content", "an empty list is the content of a message with tool calls", "a text, a list with parts, null, or no such key", "[]"}),
	},
	"egress/no-blank-assistant-message": {
		holds("text", twoPrompts, goingOn("assistant: It is 4 C in Oslo.")),
		holds("an empty text beside calls", oneCity, round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`)),
		holds("a part that is no text", twoPrompts, goingOn(`{"role":"assistant","content":[{"type":"refusal","refusal":"I cannot."}]}`)),
		holds("null is for content-present", twoPrompts, goingOn(`{"role":"assistant","content":null}`)),
		holds("what the user or a tool says may be blank", twoPrompts, goingOn(`
			user:
			assistant: Hm.`)),
		seesNothing("no assistant message", oneCity, unanswered),
		breaks("an empty text", twoPrompts, goingOn("assistant:"),
			finding{3, "/messages/3", "an assistant message that says nothing", "text or tool calls", `{"role":"assistant","content":""}`}),
		breaks("space, no parts, and an empty part", twoPrompts, goingOn(`
			{"role":"assistant","content":" \n"}
			{"role":"assistant","content":[]}
			{"role":"assistant","content":[{"type":"text","text":""}],"tool_calls":[]}`),
			finding{3, "/messages/3", "an assistant message that says nothing", "text or tool calls", `{"role":"assistant","content":" \n"}`},
			finding{3, "/messages/4", "an assistant message that says nothing", "text or tool calls", `{"role":"assistant","content":[]}`},
			finding{3, "/messages/5", "an assistant message that says nothing", "text or tool calls", `{"role":"assistant","content":[{"type":"text","text":""}],"tool_calls":[]}`}),
	},
	"egress/arguments-are-text": {
		holds("a string", oneCity, oneCityDone),
		holds("a string that is no JSON", brokenJSON, brokenAnswered),
		holds("a custom tool has none", oneCity, round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"custom","custom":{"name":"sql","input":"select 1"}}]}
			result oslo`)),
		seesNothing("no call", oneCity, unanswered),
		breaks("an object, nothing and null", threeCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":{"city":"Oslo"}}},{"id":"{{lima}}","type":"function","function":{"name":"get_weather"}},{"id":"{{rome}}","type":"function","function":{"name":"get_weather","arguments":null}}]}
				result oslo
				result lima
				result rome
			completed`,
			finding{2, "/messages/1/tool_calls/0/function/arguments", "the arguments of a call are no string", "a string of JSON", `{"city":"Oslo"}`},
			finding{2, "/messages/1/tool_calls/1/function/arguments", "the arguments of a call are no string", "a string of JSON", "nothing"},
			finding{2, "/messages/1/tool_calls/2/function/arguments", "the arguments of a call are no string", "a string of JSON", "null"}),
	},
	"egress/call-type": {
		holds("function", oneCity, oneCityDone),
		seesNothing("no call", oneCity, unanswered),
		breaks("none", oneCity, round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","function":{"name":"get_weather","arguments":"{}"}}]}
			result oslo`),
			finding{2, "/messages/1/tool_calls/0/type", "a tool call without a type", `"type":"function"`, "nothing"}),
		breaks("null and blank", twoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":null,"function":{"name":"get_weather","arguments":"{}"}},{"id":"{{lima}}","type":"","function":{"name":"get_weather","arguments":"{}"}}]}
				result oslo
				result lima
			completed`,
			finding{2, "/messages/1/tool_calls/0/type", "a tool call without a type", `"type":"function"`, "null"},
			finding{2, "/messages/1/tool_calls/1/type", "a tool call without a type", `"type":"function"`, `""`}),
	},
	"egress/call-has-name": {
		holds("the name", oneCity, oneCityDone),
		holds("a custom tool has it elsewhere", oneCity, round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"custom","custom":{"name":"sql","input":"select 1"}}]}
			result oslo`)),
		seesNothing("no call", oneCity, unanswered),
		breaks("blank, as the last delta said", oneCity, round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"","arguments":"{}"}}]}
			result oslo`),
			finding{2, "/messages/1/tool_calls/0/function/name", "a tool call without the name of its function", "the name that the model called", `""`}),
		breaks("no name", oneCity, round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"arguments":"{}"}}]}
			result oslo`),
			finding{2, "/messages/1/tool_calls/0/function/name", "a tool call without the name of its function", "the name that the model called", "nothing"}),
	},
}

// fourCalls calls four times in one turn.
var fourCalls = scene(weatherTool + `
prompt: What is the weather everywhere?
model:
  - calls:
      - {as: a, tool: get_weather, arguments: '{"city":"A"}'}
      - {as: b, tool: get_weather, arguments: '{"city":"B"}'}
      - {as: c, tool: get_weather, arguments: '{"city":"C"}'}
      - {as: d, tool: get_weather, arguments: '{"city":"D"}'}
  - text: Fine.
`)
