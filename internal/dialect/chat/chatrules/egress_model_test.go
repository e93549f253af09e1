package chatrules_test

import (
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

var egressModelCases = Cases{
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
}
