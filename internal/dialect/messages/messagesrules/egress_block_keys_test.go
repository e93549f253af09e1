package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// assistantSays is a round of BlockCity whose assistant message has these blocks alongside the
// call.
func assistantSays(blocks string) string {
	return SecondRequest(`{"role":"assistant","content":[` + blocks + `,` + OsloUse + `]}
		` + GotOslo)
}

var egressBlockKeyCases = Cases{
	"egress/block-types": {
		Holds("text, calls and results", BlockCity, assistantSays(`{"type":"text","text":"I look it up."}`)),
		Holds("what the provider wrote: its own tools, and a block that is new", Searching, assistantSays(
			`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"progress_update","step":1}`)),
		Holds("blocks in beta", BlockCity, assistantSays(`{"type":"compaction","content":"before"},{"type":"mcp_tool_use","id":"mcptoolu_1","name":"x","server_name":"y","input":{}}`)),
		Holds("within results, which have a rule of their own", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"output_text","text":"4 C"}]}]}`)),
		Holds("a block without a type is for content-is-text-or-parts", BlockCity, assistantSays(`{"text":"I look it up."}`)),
		SeesNothing("no blocks", BlockCity, "asks"),
		Breaks("the deltas of a stream", BlockCity, assistantSays(`{"type":"text_delta","text":"I look"},{"type":"input_json_delta","partial_json":"{}"}`),
			Found(2, "/messages/1/content/0/type", `a message has a block of the type "text_delta"`, "a type that the API takes, such as text or tool_use", `{"type":"text_delta","text":"I look"}`),
			Found(2, "/messages/1/content/1/type", `a message has a block of the type "input_json_delta"`, "a type that the API takes, such as text or tool_use", `{"type":"input_json_delta","partial_json":"{}"}`)),
		Breaks("a part of another API, of the user", BlockCity, `
			asks
				{"role":"user","content":[{"type":"input_text","text":"What is the weather in Oslo?"}]}`,
			Found(1, "/messages/0/content/0/type", `a message has a block of the type "input_text"`, "a type that the API takes, such as text or tool_use", `{"type":"input_text","text":"What is the weather in Oslo?"}`)),
	},
	"egress/block-keys": {
		Holds("as the model gave them", Thoughtful, `
			asks
			runs oslo
			asks on
				{{message 1}}
				`+GotOslo+`
			completed`),
		Holds("who called, citations, and marks for the cache", BlockCity, SecondRequest(`
			{"role":"assistant","content":[{"type":"text","text":"So.","citations":null,"cache_control":{"type":"ephemeral"}},{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo","index":1},"caller":{"type":"direct"}}]}
			{"role":"user","content":[`+OsloResult+`,{"type":"text","text":"Go on.","cache_control":{"type":"ephemeral"}}]}`)),
		Holds("the blocks of the provider's own tools", Searching, assistantSays(`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{},"state":"done"}`)),
		SeesNothing("no blocks", BlockCity, "asks"),
		Breaks("what a stream left behind", BlockCity, SecondRequest(`
			{"role":"assistant","content":[{"type":"text","text":"So.","index":0},{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"},"partial_json":"{}"}]}
			`+GotOslo),
			Found(2, "/messages/1/content/0/index", `a block of the type "text" has the key "index"`, "only type, text, cache_control, citations", `"index": 0`),
			Found(2, "/messages/1/content/1/partial_json", `a block of the type "tool_use" has the key "partial_json"`, "only type, id, name, input, cache_control, caller, toolset_name", `"partial_json": "{}"`)),
		Breaks("a mark for the cache on reasoning", BlockCity, assistantSays(`{"type":"thinking","thinking":"So.","signature":"x","cache_control":{"type":"ephemeral"}}`),
			Found(2, "/messages/1/content/0/cache_control", `a block of the type "thinking" has the key "cache_control"`, "only type, thinking, signature", `"cache_control": {"type":"ephemeral"}`)),
		Breaks("an id on the text of a result", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"text","text":"4 C","id":"lc_1"}]}]}`),
			Found(2, "/messages/2/content/0/content/0/id", `a block of the type "text" has the key "id"`, "only type, text, cache_control, citations", `"id": "lc_1"`)),
	},
	"egress/message-keys": {
		Holds("role and content", BlockCity, OneCityDone),
		Holds("a message of the system, in beta", BlockCity, SecondRequest(CalledOslo+`
			`+GotOslo+`
			{"role":"system","content":"Be brief.","clear_at":"never"}`)),
		SeesNothing("no result in it", BlockCity, "asks"),
		Breaks("the answer as it was", BlockCity, SecondRequest(`
			{"id":"msg_1","role":"assistant","content":[`+OsloUse+`],"stop_reason":"tool_use"}
			`+GotOslo),
			Found(2, "/messages/1/id", `a message of the role "assistant" has the key "id"`, "only role, content", `"id": "msg_1"`),
			Found(2, "/messages/1/stop_reason", `a message of the role "assistant" has the key "stop_reason"`, "only role, content", `"stop_reason": "tool_use"`)),
	},
	"egress/tool-keys": {
		Holds("as the reference has it", BlockCity, OneCityDone),
		Holds("strict, marked, and loaded late", BlockCity, `
			asks
			runs oslo
			asks on with {"tools":[{"type":"custom","name":"get_weather","input_schema":{"type":"object"},"strict":true,"defer_loading":true,"cache_control":{"type":"ephemeral"}}]}
				calls oslo
				results oslo
			completed`),
		SeesNothing("a tool of the provider", BlockCity, `asks with {"tools":[{"type":"web_search_20250305","name":"web_search","max_uses":3}]}`),
		Breaks("the form of another API", BlockCity, `asks with {"tools":[{"type":"function","function":{"name":"get_weather"}}]}`,
			Found(1, "/tools/0/type", "a tool in the form of another API", "name, description and input_schema", `{"type":"function","function":{"name":"get_weather"}}`)),
		Breaks("a key of another API alongside those of this one", BlockCity, `asks with {"tools":[{"name":"get_weather","input_schema":{"type":"object"},"parameters":{}}]}`,
			Found(1, "/tools/0/parameters", `the tool "get_weather" has the key "parameters"`, "only type, name, description, input_schema, cache_control, strict, defer_loading, input_examples, allowed_callers, eager_input_streaming", `"parameters": {}`)),
	},
}
