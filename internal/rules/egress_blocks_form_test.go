package rules

import "strings"

// resultOf is the message that answers the call for Oslo, with a block that has more keys.
func resultOf(more string) string {
	return `{"role":"user","content":[` + strings.TrimSuffix(osloResult, "}") + more + `}]}`
}

var egressBlocksFormCases = ruleCases{
	"egress/ends-with-the-user": {
		holds("the results", blockCity, oneCityDone),
		holds("a turn that paused", blockCity, `
			asks
			runs oslo
			asks on
				calls oslo
				results oslo
				{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}]}
			completed`),
		seesNothing("no tool was used", blockCity, "asks"),
		breaks("the answer begun", blockCity, secondRequest(calledOslo+`
			`+gotOslo+`
			assistant: It is`),
			finding{2, "/messages/3", "the last message is one of the assistant", "a message of the user", `{"role":"assistant","content":"It is"}`}),
	},
	"egress/tool-choice-form": {
		holds("none", blockCity, oneCityDone),
		seesNothing("no result in it", blockCity, "asks"),
		breaks("a word of another API", blockCity, `asks with {"tool_choice":"required"}`,
			finding{1, "/tool_choice", "tool_choice has a form that the provider does not know", "an object of the type auto, any, tool or none", `"required"`}),
		breaks("a type of another API", blockCity, `asks with {"tool_choice":{"type":"function"}}`,
			finding{1, "/tool_choice", "tool_choice has a form that the provider does not know", "an object of the type auto, any, tool or none", `{"type":"function"}`}),
		breaks("a tool forced on the newest models", blockCity.under("anthropic-5.5"), `asks with {"tool_choice":{"type":"any"}}`,
			finding{1, "/tool_choice", "tool_choice has a form that the provider does not know", "an object of the type auto or none", `{"type":"any"}`}),
	},
	"egress/input-schema-given": {
		holds("given", blockCity, oneCityDone),
		seesNothing("no result in it", blockCity, "asks"),
		seesNothing("a tool of the provider", blockCity, `asks with {"tools":[{"type":"web_search_20250305","name":"web_search"}]}`),
		breaks("not given", blockCity, `asks with {"tools":[{"name":"think"}]}`,
			finding{1, "/tools/0/input_schema", `the tool "think" has no schema of its input`, `a JSON Schema with "type":"object"`, "nothing"}),
		breaks("without a type", blockCity, `asks with {"tools":[{"name":"think","input_schema":{"properties":{}}}]}`,
			finding{1, "/tools/0/input_schema/type", `the tool "think" has no schema of its input`, `a JSON Schema with "type":"object"`, "nothing"}),
	},
	"egress/result-block-form": {
		holds("a text", blockCity, oneCityDone),
		holds("nothing", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}"}]}`)),
		holds("blocks", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","is_error":false,"content":[{"type":"text","text":"4 C"},{"type":"image"}]}]}`)),
		seesNothing("no result", blockCity, "asks"),
		breaks("an object", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":{"temperature":4}}]}`),
			finding{2, "/messages/2/content/0/content", "the content of a tool_result has a wrong form", "a text, a list of blocks with a type, or no such key", `{"temperature":4}`}),
		breaks("a flag in words", blockCity, secondRequest(calledOslo+`
			`+resultOf(`,"is_error":"no"`)),
			finding{2, "/messages/2/content/0/is_error", "the is_error of a tool_result has a wrong form", "true, false, or no such key", `"no"`}),
	},
	"egress/error-result-says-something": {
		holds("an error with words", blockCity, secondRequest(calledOslo+`
			`+`{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","is_error":true,"content":"no"}]}`)),
		holds("nothing, which is no error", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}"}]}`)),
		seesNothing("no result", blockCity, "asks"),
		breaks("an empty text", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","is_error":true,"content":""}]}`),
			finding{2, "/messages/2/content/0/content", "a tool_result with is_error says nothing", "an error that the model can read", `""`}),
		breaks("an empty list", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","is_error":true,"content":[]}]}`),
			finding{2, "/messages/2/content/0/content", "a tool_result with is_error says nothing", "an error that the model can read", `[]`}),
		breaks("no content", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","is_error":true}]}`),
			finding{2, "/messages/2/content/0/content", "a tool_result with is_error says nothing", "an error that the model can read", "nothing"}),
	},
	"egress/result-block-types": {
		holds("a text", blockCity, oneCityDone),
		seesNothing("no result", blockCity, "asks"),
		breaks("a part of another API", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"output_text","text":"4 C"}]}]}`),
			finding{2, "/messages/2/content/0/content/0", "a tool_result holds a block of another type", "one of text, image, document, search_result, tool_reference, browser_state", `{"type":"output_text","text":"4 C"}`}),
		breaks("what the published schema does not know", blockCity.under("anthropic-minimum"), secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"search_result"}]}]}`),
			finding{2, "/messages/2/content/0/content/0", "a tool_result holds a block of another type", "one of text, image", `{"type":"search_result"}`}),
	},
	"egress/result-block-keys": {
		holds("the known ones", blockCity, secondRequest(calledOslo+`
			`+resultOf(`,"cache_control":{"type":"ephemeral"}`))),
		seesNothing("no result", blockCity, "asks"),
		breaks("the name of the tool", blockCity, secondRequest(calledOslo+`
			`+resultOf(`,"name":"get_weather"`)),
			finding{2, "/messages/2/content/0/name", "a tool_result has a key of its own", "no such key", `"get_weather"`}),
	},
}
