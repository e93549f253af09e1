package messagesrules_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// resultOf is the message that answers the call for Oslo, with a block that has more keys.
func resultOf(more string) string {
	return `{"role":"user","content":[` + strings.TrimSuffix(OsloResult, "}") + more + `}]}`
}

var egressBlocksFormCases = Cases{
	"egress/ends-with-the-user": {
		Holds("the results", BlockCity, OneCityDone),
		Holds("a turn that paused", BlockCity, `
			asks
			runs oslo
			asks on
				calls oslo
				results oslo
				{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}]}
			completed`),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("the answer begun", BlockCity, SecondRequest(CalledOslo+`
			`+GotOslo+`
			assistant: It is`),
			Found(2, "/messages/3", "the last message is one of the assistant", "a message of the user", `{"role":"assistant","content":"It is"}`)),
	},
	"egress/tool-choice-form": {
		Holds("none", BlockCity, OneCityDone),
		SeesNothing("no result in it", BlockCity, "asks"),
		Breaks("a word of another API", BlockCity, `asks with {"tool_choice":"required"}`,
			Found(1, "/tool_choice", "tool_choice has a form that the provider does not know", "an object of the type auto, any, tool or none", `"required"`)),
		Breaks("a type of another API", BlockCity, `asks with {"tool_choice":{"type":"function"}}`,
			Found(1, "/tool_choice", "tool_choice has a form that the provider does not know", "an object of the type auto, any, tool or none", `{"type":"function"}`)),
		Breaks("a tool forced on the newest models", BlockCity.Under("anthropic-5.5"), `asks with {"tool_choice":{"type":"any"}}`,
			Found(1, "/tool_choice", "tool_choice has a form that the provider does not know", "an object of the type auto or none", `{"type":"any"}`)),
	},
	"egress/input-schema-given": {
		Holds("given", BlockCity, OneCityDone),
		SeesNothing("no result in it", BlockCity, "asks"),
		SeesNothing("a tool of the provider", BlockCity, `asks with {"tools":[{"type":"web_search_20250305","name":"web_search"}]}`),
		Breaks("null for the list, which Anthropic refuses", BlockCity, `asks with {"tools":null}`,
			Found(1, "/tools", "tools is not a list", "a list of tools", "null")),
		SeesNothing("null for the list, for vLLM", BlockCity.Under("vllm-messages"), `asks with {"tools":null}`),
		Breaks("not given", BlockCity, `asks with {"tools":[{"name":"think"}]}`,
			Found(1, "/tools/0/input_schema", `the tool "think" has no schema of its input`, `a JSON Schema with "type":"object"`, "nothing")),
		Breaks("without a type", BlockCity, `asks with {"tools":[{"name":"think","input_schema":{"properties":{}}}]}`,
			Found(1, "/tools/0/input_schema/type", `the tool "think" has no schema of its input`, `a JSON Schema with "type":"object"`, "nothing")),
	},
	"egress/result-block-form": {
		Holds("a text", BlockCity, OneCityDone),
		Holds("nothing", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}"}]}`)),
		Holds("blocks", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","is_error":false,"content":[{"type":"text","text":"4 C"},{"type":"image"}]}]}`)),
		SeesNothing("no result", BlockCity, "asks"),
		Breaks("an object", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":{"temperature":4}}]}`),
			Found(2, "/messages/2/content/0/content", "the content of a tool_result has a wrong form", "a text, a list of blocks with a type, or no such key", `{"temperature":4}`)),
		Breaks("a flag in words", BlockCity, SecondRequest(CalledOslo+`
			`+resultOf(`,"is_error":"no"`)),
			Found(2, "/messages/2/content/0/is_error", "the is_error of a tool_result has a wrong form", "true, false, or no such key", `"no"`)),
	},
	"egress/error-result-says-something": {
		Holds("an error with words", BlockCity, SecondRequest(CalledOslo+`
			`+`{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","is_error":true,"content":"no"}]}`)),
		Holds("nothing, which is not an error", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}"}]}`)),
		SeesNothing("no result", BlockCity, "asks"),
		Breaks("an empty text", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","is_error":true,"content":""}]}`),
			Found(2, "/messages/2/content/0/content", "a tool_result with is_error says nothing", "an error that the model can read", `""`)),
		Breaks("an empty list", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","is_error":true,"content":[]}]}`),
			Found(2, "/messages/2/content/0/content", "a tool_result with is_error says nothing", "an error that the model can read", `[]`)),
		Breaks("no content", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","is_error":true}]}`),
			Found(2, "/messages/2/content/0/content", "a tool_result with is_error says nothing", "an error that the model can read", "nothing")),
	},
	"egress/result-block-types": {
		Holds("a text", BlockCity, OneCityDone),
		SeesNothing("no result", BlockCity, "asks"),
		Breaks("a part of another API", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"output_text","text":"4 C"}]}]}`),
			Found(2, "/messages/2/content/0/content/0", "a tool_result holds a block of another type", "one of text, image, document, search_result, tool_reference, browser_state", `{"type":"output_text","text":"4 C"}`)),
		Breaks("what the published schema does not know", BlockCity.Under("anthropic-minimum"), SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"search_result"}]}]}`),
			Found(2, "/messages/2/content/0/content/0", "a tool_result holds a block of another type", "one of text, image", `{"type":"search_result"}`)),
	},
	"egress/result-block-keys": {
		Holds("the known ones", BlockCity, SecondRequest(CalledOslo+`
			`+resultOf(`,"cache_control":{"type":"ephemeral"}`))),
		SeesNothing("no result", BlockCity, "asks"),
		Breaks("the name of the tool", BlockCity, SecondRequest(CalledOslo+`
			`+resultOf(`,"name":"get_weather"`)),
			Found(2, "/messages/2/content/0/name", "a tool_result has a key of its own", "no such key", `"get_weather"`)),
	},
}
