package egress_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/protocol"
)

var requestCases = Cases{
	"egress/model-as-given": {
		Holds("as given", OneCity, OneCityDone),
		Holds("with the provider in front of it", OneCity, `
			asks with {"model":"openai/loopproof"}
			runs oslo
			asks on with {"model":"openai/loopproof"}
				calls oslo
				result oslo
			completed`),
		Breaks("another one for the second turn", OneCity, `
			asks
			runs oslo
			asks on with {"model":"mini"}
				calls oslo
				result oslo
			completed`,
			Found(2, "/model", "another model is asked than that of the task", `"loopproof"`, `"mini"`)),
		SeesNothing("no model is named", OneCity, `
			asks without model
			runs oslo
			asks on without model
				calls oslo
				result oslo
			completed`),
		Breaks("another one from the start", OneCity, `
			asks with {"model":"gpt-5"}
			runs oslo
			asks on with {"model":"gpt-5"}
				calls oslo
				result oslo
			completed`,
			Found(1, "/model", "another model is asked than that of the task", `"loopproof"`, `"gpt-5"`)),
		Holds("one of its own from the start", OneCity.Of(protocol.OwnModel), `
			asks with {"model":"gpt-5"}
			runs oslo
			asks on with {"model":"gpt-5"}
				calls oslo
				result oslo
			completed`),
		Breaks("one of its own, and another one for the second turn", OneCity.Of(protocol.OwnModel), `
			asks with {"model":"gpt-5"}
			runs oslo
			asks on with {"model":"mini"}
				calls oslo
				result oslo
			completed`,
			Found(2, "/model", "another model is asked than before", `"gpt-5"`, `"mini"`)),
	},
	"egress/model-named": {
		Holds("named", OneCity, OneCityDone),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("left out", OneCity, `
			asks without model
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/model", "the request names no model", "a string", "nothing")),
		Breaks("blank", OneCity, `
			asks
			asks on with {"model":""}
				calls oslo
				result oslo
			completed`,
			Found(2, "/model", "the request names no model", "a string", `""`)),
	},
	"egress/messages-given": {
		Holds("given", OneCity, OneCityDone),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("none", OneCity, `
			asks without messages
			completed`,
			Found(1, "", "messages is nothing", "a list with at least one message", "nothing")),
		Breaks("an empty list", OneCity, `
			asks with {"messages":[]}
			completed`,
			Found(1, "/messages", "messages is an empty array", "a list with at least one message", "[]")),
		Breaks("an empty text, for OpenAI", OneCity.Under("openai-responses"), `
			asks with {"input":""}
			completed`,
			Found(1, "/input", "input is an empty string", "a text, or a list with at least one message", `""`)),
		SeesNothing("an empty text, for vLLM", NoTools.Under("vllm-responses"), `
			asks with {"input":""}
			completed`),
		SeesNothing("an empty text to go on with", NoTools.Under("openai-responses"), `
			asks with {"input":"","conversation":"conv_1"}
			completed`),
		Breaks("an object", OneCity, `
			asks with {"messages":{"role":"user"}}
			completed`,
			Found(1, "/messages", "messages is an object", "a list with at least one message", `{"role":"user"}`)),
		Breaks("a text, a message without a role, and one with two", OneCity, Round(`
			calls oslo
			result oslo
			"hi"
			{"content":"hi"}
			{"role":["user","tool"],"content":"hi"}`),
			Found(2, "/messages/3", "messages[3] is a string", "an object", `"hi"`),
			Found(2, "/messages/4/role", "messages[4].role is nothing", "a string", "nothing"),
			Found(2, "/messages/5/role", "messages[5].role is an array", "a string", `["user","tool"]`)),
	},
	"egress/known-roles": {
		Holds("all that OpenAI knows", OneCity, `
			asks
				developer: Be brief.
				system: Be kind.
				prompt 1
			asks on
				calls oslo
				result oslo
				{"role":"function","name":"f","content":"x"}
			completed`),
		Holds("those of DeepSeek", OneCity.Under("deepseek"), Round(`
			calls oslo
			result oslo
			{"role":"latest_reminder","content":"x"}`)),
		Holds("a missing role is for messages-given", OneCity, Round(`
			calls oslo
			result oslo
			{"content":"x"}`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("developer for Mistral", OneCity.Under("mistral"), `
			asks
				developer: Be brief.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/messages/0/role", `the provider does not know the role "developer"`, "one of system, user, assistant, tool", "developer")),
		Breaks("a tool, in messages", BlockCity, SecondRequest(CalledOslo+`
			{"role":"tool","content":[`+OsloResult+`]}`),
			Found(2, "/messages/2/role", `the provider does not know the role "tool"`, "one of user, assistant, system", "tool")),
		Breaks("a role of the loop's own", OneCity, Round(`
			calls oslo
			{"role":"tool_result","tool_call_id":"{{oslo}}","content":"4 C"}`),
			Found(2, "/messages/2/role", `the provider does not know the role "tool_result"`, "one of system, developer, user, assistant, tool, function", "tool_result")),
	},
	"egress/content-is-text-or-parts": {
		Holds("text", OneCity, OneCityDone),
		Holds("parts of any kind", OneCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"What is the weather in Oslo?"},{"type":"image_url","image_url":{"url":"x"}},{"type":"input_audio"}]}
			asks on
				{"role":"assistant","content":[],"tool_calls":[{{oslo call}}]}
				result oslo
			completed`),
		Holds("none at all is for content-present, that of a tool for tool-content-is-text", OneCity, Round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":4}
			{"role":"user"}`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("a number and an object", OneCity, Round(`
			calls oslo
			result oslo
			{"role":"system","content":42}
			{"role":"user","content":{"type":"text","text":"hi"}}`),
			Found(2, "/messages/3/content", "the content of a message is neither text nor parts", "a string, or a list of objects with a type", "42"),
			Found(2, "/messages/4/content", "the content of a message is neither text nor parts", "a string, or a list of objects with a type", `{"type":"text","text":"hi"}`)),
		Breaks("parts without a type", OneCity, Round(`
			calls oslo
			result oslo
			{"role":"user","content":["hi"]}
			{"role":"user","content":[{"type":"text","text":"hi"},{"text":"hi"}]}`),
			Found(2, "/messages/3/content", "the content of a message is neither text nor parts", "a string, or a list of objects with a type", `["hi"]`),
			Found(2, "/messages/4/content", "the content of a message is neither text nor parts", "a string, or a list of objects with a type", `[{"type":"text","text":"hi"},{"text":"hi"}]`)),
	},
	"egress/no-empty-tool-list": {
		Holds("tools", OneCity, OneCityDone),
		Holds("no key", OneCity, `
			asks without tools
			asks on without tools
				calls oslo
				result oslo
			completed`),
		Holds("null", OneCity, `
			asks
			asks on with {"tools":null}
				calls oslo
				result oslo
			completed`),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("an empty list", OneCity, `
			asks
			asks on with {"tools":[]}
				calls oslo
				result oslo
			completed`,
			Found(2, "/tools", "an empty list of tools", "tools, or no such key", "[]")),
	},
	"egress/tool-options-need-tools": {
		Holds("with tools", OneCity, `
			asks with {"tool_choice":"auto","parallel_tool_calls":true}
			asks on with {"tool_choice":"none"}
				calls oslo
				result oslo
			completed`),
		Holds("null is none", OneCity, `
			asks
			asks on without tools with {"tool_choice":null,"parallel_tool_calls":null}
				calls oslo
				result oslo
			completed`),
		Holds("an empty list is for no-empty-tool-list", OneCity, `
			asks
			asks on with {"tools":[],"tool_choice":"none"}
				calls oslo
				result oslo
			completed`),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("a last answer without tools", OneCity, `
			asks
			asks on without tools with {"tool_choice":"none","parallel_tool_calls":false}
				calls oslo
				result oslo
			completed`,
			Found(2, "/tool_choice", "tool_choice without tools", "no such key", `"none"`),
			Found(2, "/parallel_tool_calls", "parallel_tool_calls without tools", "no such key", "false")),
	},
}
