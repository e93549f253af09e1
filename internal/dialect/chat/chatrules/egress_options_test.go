package chatrules_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// asking is a run whose second request has some keys more.
func asking(keys string) string {
	return `
		asks
		asks on with {` + keys + `}
			calls oslo
			result oslo
		completed`
}

var egressOptionCases = Cases{
	"egress/response-format-form": {
		Holds("not said", OneCity, OneCityDone),
		Holds("as the reference has it", OneCity, asking(`"response_format":{"type":"json_schema","json_schema":{"name":"the_answer","schema":{}}}`)),
		Holds("JSON without a schema", OneCity, asking(`"response_format":{"type":"json_object"}`)),
		Holds("what is no object is for parameter-types", OneCity, asking(`"response_format":"json"`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("without a type", OneCity, asking(`"response_format":{}`),
			Found(2, "/response_format/type", "the format of the answer has no type", "one of text, json_object, json_schema", "nothing")),
		Breaks("of another type", OneCity, asking(`"response_format":{"type":"json"}`),
			Found(2, "/response_format/type", "the format of the answer has a type that the API does not know", "one of text, json_object, json_schema", `"json"`)),
		Breaks("without a schema", OneCity, asking(`"response_format":{"type":"json_schema"}`),
			Found(2, "/response_format/json_schema", "the format of the answer has no json_schema", "an object with a name and a schema", "nothing")),
		Breaks("in the form of the Responses API", OneCity, asking(`"response_format":{"type":"json_schema","json_schema":{"schema":{}}}`),
			Found(2, "/response_format/json_schema/name", "the schema of the answer has no name", "a name", "nothing")),
		Breaks("with a title for a name", OneCity, asking(`"response_format":{"type":"json_schema","json_schema":{"name":"The answer","schema":{}}}`),
			Found(2, "/response_format/json_schema/name", "the name of a schema is none", "letters, digits, underscores and dashes", `"The answer"`)),
	},
	"egress/model-takes-parameters": {
		Holds("another model", OneCity, OneCityDone),
		Holds("a model without thinking", OneCity, asking(`"model":"gpt-5-chat-latest","max_tokens":9`)),
		Holds("what it takes", OneCity, asking(`"model":"gpt-5","max_completion_tokens":9,"temperature":1,"max_tokens":null`)),
		Holds("a newer one may take a temperature", OneCity, asking(`"model":"gpt-5.2","temperature":0.2`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Holds("what models without thinking take", OneCity, asking(`"model":"gpt-4o-mini","max_tokens":16384,"verbosity":"medium","presence_penalty":1,"logprobs":true`)),
		Holds("no penalty", OneCity, asking(`"model":"o3","presence_penalty":0,"logprobs":false,"logit_bias":{}`)),
		Breaks("what models without thinking do not take", OneCity, asking(`"model":"openai/gpt-4o","max_tokens":16385,"verbosity":"low","reasoning_effort":"low"`),
			Found(2, "/reasoning_effort", "the model gpt-4o does not take this reasoning_effort", "no such key", `"low"`),
			Found(2, "/verbosity", "the model gpt-4o does not take this verbosity", "medium", `"low"`),
			Found(2, "/max_tokens", "the model gpt-4o does not take this max_tokens", "at most 16384", "16385")),
		Holds("a model that searches", OneCity, asking(`"model":"gpt-5-search-api","web_search_options":{}`)),
		Breaks("options of an o-model, and a search", OneCity, asking(`"model":"o3-mini","parallel_tool_calls":false,"web_search_options":{}`),
			Found(2, "/parallel_tool_calls", "the model o3-mini does not take this parallel_tool_calls", "no such key", "false"),
			Found(2, "/web_search_options", "the model o3-mini does not take this web_search_options", "a model that searches, such as gpt-5-search-api", "{}")),
		Breaks("penalties", OneCity, asking(`"model":"gpt-5","frequency_penalty":0.5,"logprobs":true,"logit_bias":{"1":1}`),
			Found(2, "/frequency_penalty", "the model gpt-5 does not take this frequency_penalty", "no such key", "0.5"),
			Found(2, "/logprobs", "the model gpt-5 does not take this logprobs", "no such key", "true"),
			Found(2, "/logit_bias", "the model gpt-5 does not take this logit_bias", "no such key", `{"1":1}`)),
		Breaks("the older limit", OneCity, asking(`"model":"gpt-5.1","max_tokens":9`),
			Found(2, "/max_tokens", "the model gpt-5.1 does not take this max_tokens", "max_completion_tokens", "9")),
		Breaks("words at which to stop", OneCity, asking(`"model":"gpt-5-mini","stop":["Observation:"]`),
			Found(2, "/stop", "the model gpt-5-mini does not take this stop", "no such key", `["Observation:"]`)),
		Breaks("a temperature", OneCity, asking(`"model":"o3-mini","temperature":0,"top_p":0.5`),
			Found(2, "/temperature", "the model o3-mini does not take this temperature", "1, or no such key", "0"),
			Found(2, "/top_p", "the model o3-mini does not take this top_p", "1, or no such key", "0.5")),
	},
	"egress/metadata-short": {
		Holds("not said", OneCity, OneCityDone),
		Holds("texts", OneCity, asking(`"metadata":{"run":"1"}`)),
		Holds("null is nothing", OneCity, asking(`"metadata":null`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("no object", OneCity, asking(`"metadata":"run 1"`),
			Found(2, "/metadata", "metadata are no object of at most 16 texts", "at most 16 texts by their keys", `"run 1"`)),
		Breaks("a number", OneCity, asking(`"metadata":{"run":1}`),
			Found(2, "/metadata/run", "an entry of metadata is no short text", "a text of at most 512 characters", "1")),
		Breaks("a long text", OneCity, asking(`"metadata":{"log":"`+strings.Repeat("x", 513)+`"}`),
			Found(2, "/metadata/log", "an entry of metadata is no short text", "a text of at most 512 characters", `"`+strings.Repeat("x", 159)+"…")),
		Breaks("a long key", OneCity, asking(`"metadata":{"`+strings.Repeat("k", 65)+`":"v"}`),
			Found(2, "/metadata/"+strings.Repeat("k", 65), "an entry of metadata is no short text", "a text of at most 512 characters", `"v"`)),
	},
}
