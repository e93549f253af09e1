package egress_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var coreCases = Cases{
	"egress/content-present": {
		Holds("null alongside calls", TwoPrompts, GoingOn("assistant: It is 4 C in Oslo.")),
		Holds("nothing alongside calls", OneCity, Round(`
			{"role":"assistant","tool_calls":[{{oslo call}}]}
			result oslo`)),
		Holds("an empty text alongside calls", OneCity, Round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`)),
		Holds("a refusal, an old function call, a voice", TwoPrompts, GoingOn(`
			{"role":"assistant","content":null,"refusal":"I cannot."}
			{"role":"assistant","content":null,"function_call":{"name":"x","arguments":"{}"}}
			{"role":"assistant","audio":{"id":"x"}}`)),
		Holds("an empty text is for no-blank-assistant-message", TwoPrompts, GoingOn("assistant:")),
		Holds("a tool message is for tool-content-is-text, a missing role for messages-given", OneCity, Round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":null}
			{"text":"hi"}
			"hi"`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("null without calls", TwoPrompts, GoingOn(`{"role":"assistant","content":null,"tool_calls":null,"refusal":null}`),
			Found(3, "/messages/3/content", "the assistant message has no content", "a string", "null")),
		Breaks("a user and a system message without any", TwoPrompts, GoingOn(`
			{"role":"user"}
			{"role":"developer","content":null}`),
			Found(3, "/messages/3/content", "the user message has no content", "a string", "nothing"),
			Found(3, "/messages/4/content", "the developer message has no content", "a string", "null")),
	},
	"egress/no-blank-assistant-message": {
		Holds("text", TwoPrompts, GoingOn("assistant: It is 4 C in Oslo.")),
		Holds("an empty text alongside calls", OneCity, Round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`)),
		Holds("a part that is not a text", TwoPrompts, GoingOn(`{"role":"assistant","content":[{"type":"refusal","refusal":"I cannot."}]}`)),
		Holds("null is for content-present", TwoPrompts, GoingOn(`{"role":"assistant","content":null}`)),
		Holds("what the user or a tool says may be blank", TwoPrompts, GoingOn(`
			user:
			assistant: Hm.`)),
		SeesNothing("no assistant message", OneCity, Unanswered),
		Breaks("an empty text", TwoPrompts, GoingOn("assistant:"),
			Found(3, "/messages/3", "an assistant message that says nothing", "text or tool calls", `{"role":"assistant","content":""}`)),
		Breaks("space, no parts, and an empty part", TwoPrompts, GoingOn(`
			{"role":"assistant","content":" \n"}
			{"role":"assistant","content":[]}
			{"role":"assistant","content":[{"type":"text","text":""}],"tool_calls":[]}`),
			Found(3, "/messages/3", "an assistant message that says nothing", "text or tool calls", `{"role":"assistant","content":" \n"}`),
			Found(3, "/messages/4", "an assistant message that says nothing", "text or tool calls", `{"role":"assistant","content":[]}`),
			Found(3, "/messages/5", "an assistant message that says nothing", "text or tool calls", `{"role":"assistant","content":[{"type":"text","text":""}],"tool_calls":[]}`)),
	},
	"egress/call-has-name": {
		Holds("the name", OneCity, OneCityDone),
		Holds("a custom tool has it elsewhere", OneCity, Round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"custom","custom":{"name":"sql","input":"select 1"}}]}
			result oslo`)),
		SeesNothing("no call", OneCity, Unanswered),
		Breaks("blank, as the last delta said", OneCity, Round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"","arguments":"{}"}}]}
			result oslo`),
			Found(2, "/messages/1/tool_calls/0/function/name", "a tool call without the name of its function", "the name that the model called", `""`)),
		Breaks("no name", OneCity, Round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"arguments":"{}"}}]}
			result oslo`),
			Found(2, "/messages/1/tool_calls/0/function/name", "a tool call without the name of its function", "the name that the model called", "nothing")),
	},
}
