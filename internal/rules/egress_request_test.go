package rules

var egressRequestCases = ruleCases{
	"egress/model-named": {
		holds("named", oneCity, oneCityDone),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("left out", oneCity, `
			asks without model
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/model", "the request names no model", "a string", "nothing"}),
		breaks("blank", oneCity, `
			asks
			asks on with {"model":""}
				calls oslo
				result oslo
			completed`,
			finding{2, "/model", "the request names no model", "a string", `""`}),
	},
	"egress/messages-given": {
		holds("given", oneCity, oneCityDone),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("none", oneCity, `
			asks without messages
			completed`,
			finding{1, "", "messages is nothing", "a list with at least one message", "nothing"}),
		breaks("an empty list", oneCity, `
			asks with {"messages":[]}
			completed`,
			finding{1, "/messages", "messages is an empty array", "a list with at least one message", "[]"}),
		breaks("an object", oneCity, `
			asks with {"messages":{"role":"user"}}
			completed`,
			finding{1, "/messages", "messages is an object", "a list with at least one message", `{"role":"user"}`}),
		breaks("a text, a message without a role, and one with two", oneCity, round(`
			calls oslo
			result oslo
			"hi"
			{"content":"hi"}
			{"role":["user","tool"],"content":"hi"}`),
			finding{2, "/messages/3", "messages[3] is a string", "an object", `"hi"`},
			finding{2, "/messages/4/role", "messages[4].role is nothing", "a string", "nothing"},
			finding{2, "/messages/5/role", "messages[5].role is an array", "a string", `["user","tool"]`}),
	},
	"egress/known-roles": {
		holds("all that OpenAI knows", oneCity, `
			asks
				developer: Be brief.
				system: Be kind.
				prompt 1
			asks on
				calls oslo
				result oslo
				{"role":"function","name":"f","content":"x"}
			completed`),
		holds("those of DeepSeek", oneCity.under("deepseek"), round(`
			calls oslo
			result oslo
			{"role":"latest_reminder","content":"x"}`)),
		holds("a missing role is for messages-given", oneCity, round(`
			calls oslo
			result oslo
			{"content":"x"}`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("developer for Mistral", oneCity.under("mistral"), `
			asks
				developer: Be brief.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0/role", `the provider does not know the role "developer"`, "one of system, user, assistant, tool", "developer"}),
		breaks("a tool, in messages", blockCity, secondRequest(calledOslo+`
			{"role":"tool","content":[`+osloResult+`]}`),
			finding{2, "/messages/2/role", `the provider does not know the role "tool"`, "one of user, assistant, system", "tool"}),
		breaks("a role of the loop's own", oneCity, round(`
			calls oslo
			{"role":"tool_result","tool_call_id":"{{oslo}}","content":"4 C"}`),
			finding{2, "/messages/2/role", `the provider does not know the role "tool_result"`, "one of system, developer, user, assistant, tool, function", "tool_result"}),
	},
	"egress/content-is-text-or-parts": {
		holds("text", oneCity, oneCityDone),
		holds("parts of any kind", oneCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"What is the weather in Oslo?"},{"type":"image_url","image_url":{"url":"x"}},{"type":"input_audio"}]}
			asks on
				{"role":"assistant","content":[],"tool_calls":[{{oslo call}}]}
				result oslo
			completed`),
		holds("none at all is for content-present, that of a tool for tool-content-is-text", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":4}
			{"role":"user"}`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("a number and an object", oneCity, round(`
			calls oslo
			result oslo
			{"role":"system","content":42}
			{"role":"user","content":{"type":"text","text":"hi"}}`),
			finding{2, "/messages/3/content", "the content of a message is neither text nor parts", "a string, or a list of objects with a type", "42"},
			finding{2, "/messages/4/content", "the content of a message is neither text nor parts", "a string, or a list of objects with a type", `{"type":"text","text":"hi"}`}),
		breaks("parts without a type", oneCity, round(`
			calls oslo
			result oslo
			{"role":"user","content":["hi"]}
			{"role":"user","content":[{"type":"text","text":"hi"},{"text":"hi"}]}`),
			finding{2, "/messages/3/content", "the content of a message is neither text nor parts", "a string, or a list of objects with a type", `["hi"]`},
			finding{2, "/messages/4/content", "the content of a message is neither text nor parts", "a string, or a list of objects with a type", `[{"type":"text","text":"hi"},{"text":"hi"}]`}),
	},
	"egress/no-empty-tool-list": {
		holds("tools", oneCity, oneCityDone),
		holds("no key", oneCity, `
			asks without tools
			asks on without tools
				calls oslo
				result oslo
			completed`),
		holds("null", oneCity, `
			asks
			asks on with {"tools":null}
				calls oslo
				result oslo
			completed`),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("an empty list", oneCity, `
			asks
			asks on with {"tools":[]}
				calls oslo
				result oslo
			completed`,
			finding{2, "/tools", "an empty list of tools", "tools, or no such key", "[]"}),
	},
	"egress/tool-options-need-tools": {
		holds("with tools", oneCity, `
			asks with {"tool_choice":"auto","parallel_tool_calls":true}
			asks on with {"tool_choice":"none"}
				calls oslo
				result oslo
			completed`),
		holds("null is none", oneCity, `
			asks
			asks on without tools with {"tool_choice":null,"parallel_tool_calls":null}
				calls oslo
				result oslo
			completed`),
		holds("an empty list is for no-empty-tool-list", oneCity, `
			asks
			asks on with {"tools":[],"tool_choice":"none"}
				calls oslo
				result oslo
			completed`),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("a last answer without tools", oneCity, `
			asks
			asks on without tools with {"tool_choice":"none","parallel_tool_calls":false}
				calls oslo
				result oslo
			completed`,
			finding{2, "/tool_choice", "tool_choice without tools", "no such key", `"none"`},
			finding{2, "/parallel_tool_calls", "parallel_tool_calls without tools", "no such key", "false"}),
	},
	"egress/stream-options-need-stream": {
		holds("with a stream", oneCity, `
			asks with {"stream":true,"stream_options":{"include_usage":true}}
			asks on with {"stream":true,"stream_options":{"include_usage":true}}
				calls oslo
				result oslo
			completed`),
		holds("null is none", oneCity, `
			asks
			asks on with {"stream":false,"stream_options":null}
				calls oslo
				result oslo
			completed`),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("without a stream", oneCity, `
			asks with {"stream_options":{"include_usage":true}}
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/stream_options", "stream_options without stream", "no such key", `{"include_usage":true}`}),
		breaks("where a stream is refused", oneCity, `
			asks
			asks on with {"stream":false,"stream_options":{}}
				calls oslo
				result oslo
			completed`,
			finding{2, "/stream_options", "stream_options without stream", "no such key", "{}"}),
	},
}
