package rules

// assistantSays is a round of blockCity whose assistant message has these blocks beside the call.
func assistantSays(blocks string) string {
	return secondRequest(`{"role":"assistant","content":[` + blocks + `,` + osloUse + `]}
		` + gotOslo)
}

var egressBlockKeysCases = ruleCases{
	"egress/block-types": {
		holds("text, calls and results", blockCity, assistantSays(`{"type":"text","text":"I look it up."}`)),
		holds("what the provider wrote: its own tools, and a block that is new", searching, assistantSays(
			`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"progress_update","step":1}`)),
		holds("blocks in beta", blockCity, assistantSays(`{"type":"compaction","content":"before"},{"type":"mcp_tool_use","id":"mcptoolu_1","name":"x","server_name":"y","input":{}}`)),
		holds("within results, which have a rule of their own", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"output_text","text":"4 C"}]}]}`)),
		holds("a block without a type is for content-is-text-or-parts", blockCity, assistantSays(`{"text":"I look it up."}`)),
		seesNothing("no blocks", blockCity, "asks"),
		breaks("the deltas of a stream", blockCity, assistantSays(`{"type":"text_delta","text":"I look"},{"type":"input_json_delta","partial_json":"{}"}`),
			finding{2, "/messages/1/content/0/type", `a message has a block of the type "text_delta"`, "a type that the API takes, such as text or tool_use", `{"type":"text_delta","text":"I look"}`},
			finding{2, "/messages/1/content/1/type", `a message has a block of the type "input_json_delta"`, "a type that the API takes, such as text or tool_use", `{"type":"input_json_delta","partial_json":"{}"}`}),
		breaks("a part of another API, of the user", blockCity, `
			asks
				{"role":"user","content":[{"type":"input_text","text":"What is the weather in Oslo?"}]}`,
			finding{1, "/messages/0/content/0/type", `a message has a block of the type "input_text"`, "a type that the API takes, such as text or tool_use", `{"type":"input_text","text":"What is the weather in Oslo?"}`}),
	},
	"egress/block-keys": {
		holds("as the model gave them", thoughtful, `
			asks
			runs oslo
			asks on
				{{message 1}}
				`+gotOslo+`
			completed`),
		holds("who called, citations, and marks for the cache", blockCity, secondRequest(`
			{"role":"assistant","content":[{"type":"text","text":"So.","citations":null,"cache_control":{"type":"ephemeral"}},{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo","index":1},"caller":{"type":"direct"}}]}
			{"role":"user","content":[`+osloResult+`,{"type":"text","text":"Go on.","cache_control":{"type":"ephemeral"}}]}`)),
		holds("the blocks of the provider's own tools", searching, assistantSays(`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{},"state":"done"}`)),
		seesNothing("no blocks", blockCity, "asks"),
		breaks("what a stream left behind", blockCity, secondRequest(`
			{"role":"assistant","content":[{"type":"text","text":"So.","index":0},{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"},"partial_json":"{}"}]}
			`+gotOslo),
			finding{2, "/messages/1/content/0/index", `a block of the type "text" has the key "index"`, "only type, text, cache_control, citations", `"index": 0`},
			finding{2, "/messages/1/content/1/partial_json", `a block of the type "tool_use" has the key "partial_json"`, "only type, id, name, input, cache_control, caller, toolset_name", `"partial_json": "{}"`}),
		breaks("a mark for the cache on reasoning", blockCity, assistantSays(`{"type":"thinking","thinking":"So.","signature":"x","cache_control":{"type":"ephemeral"}}`),
			finding{2, "/messages/1/content/0/cache_control", `a block of the type "thinking" has the key "cache_control"`, "only type, thinking, signature", `"cache_control": {"type":"ephemeral"}`}),
		breaks("an id on the text of a result", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"text","text":"4 C","id":"lc_1"}]}]}`),
			finding{2, "/messages/2/content/0/content/0/id", `a block of the type "text" has the key "id"`, "only type, text, cache_control, citations", `"id": "lc_1"`}),
	},
	"egress/message-keys": {
		holds("role and content", blockCity, oneCityDone),
		holds("a message of the system, in beta", blockCity, secondRequest(calledOslo+`
			`+gotOslo+`
			{"role":"system","content":"Be brief.","clear_at":"never"}`)),
		seesNothing("no result in it", blockCity, "asks"),
		breaks("the answer as it was", blockCity, secondRequest(`
			{"id":"msg_1","role":"assistant","content":[`+osloUse+`],"stop_reason":"tool_use"}
			`+gotOslo),
			finding{2, "/messages/1/id", `a message of the role "assistant" has the key "id"`, "only role, content", `"id": "msg_1"`},
			finding{2, "/messages/1/stop_reason", `a message of the role "assistant" has the key "stop_reason"`, "only role, content", `"stop_reason": "tool_use"`}),
	},
	"egress/tool-keys": {
		holds("as the reference has it", blockCity, oneCityDone),
		holds("strict, marked, and loaded late", blockCity, `
			asks
			runs oslo
			asks on with {"tools":[{"type":"custom","name":"get_weather","input_schema":{"type":"object"},"strict":true,"defer_loading":true,"cache_control":{"type":"ephemeral"}}]}
				calls oslo
				results oslo
			completed`),
		seesNothing("a tool of the provider", blockCity, `asks with {"tools":[{"type":"web_search_20250305","name":"web_search","max_uses":3}]}`),
		breaks("the form of another API", blockCity, `asks with {"tools":[{"type":"function","function":{"name":"get_weather"}}]}`,
			finding{1, "/tools/0/type", "a tool in the form of another API", "name, description and input_schema", `{"type":"function","function":{"name":"get_weather"}}`}),
		breaks("a key of another API beside those of this one", blockCity, `asks with {"tools":[{"name":"get_weather","input_schema":{"type":"object"},"parameters":{}}]}`,
			finding{1, "/tools/0/parameters", `the tool "get_weather" has the key "parameters"`, "only type, name, description, input_schema, cache_control, strict, defer_loading, input_examples, allowed_callers, eager_input_streaming", `"parameters": {}`}),
	},
	"egress/no-blank-user-message": {
		holds("the prompt", oneCity, oneCityDone),
		holds("results alone, and a list of blocks", blockCity, oneCityDone),
		holds("an empty part is for other rules", blockCity, secondRequest(calledOslo+`
			`+gotOslo+`
			{"role":"user","content":[{"type":"text","text":""}]}`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("an empty text", oneCity, round(`
			calls oslo
			result oslo
			{"role":"user","content":""}`),
			finding{2, "/messages/3/content", "a message of the user that says nothing", "a text, or no such message", `""`}),
		breaks("spaces, and an empty list", blockCity, secondRequest(calledOslo+`
			`+gotOslo+`
			{"role":"user","content":"  "}
			{"role":"user","content":[]}`),
			finding{2, "/messages/3/content", "a message of the user that says nothing", "a text, or no such message", `"  "`},
			finding{2, "/messages/4/content", "a message of the user that says nothing", "a text, or no such message", `[]`}),
	},
}
