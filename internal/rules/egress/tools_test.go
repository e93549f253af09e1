package egress_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var toolCases = Cases{
	"egress/tool-name": {
		Holds("letters, digits, underscore and dash", OneCity, OfferingTools(`{"type":"function","function":{"name":"a-B_9"}}`)),
		SeesNothing("no tools", OneCity, Toolless),
		Holds("a function of the provider's own, which runs there: of Moonshot", OneCity.Under("moonshot"), OfferingTools(PlainTool+`,{"type":"builtin_function","function":{"name":"$web_search"}}`)),
		Breaks("the same name for a function of the loop", OneCity.Under("moonshot"), OfferingTools(`{"type":"function","function":{"name":"$web_search"}}`),
			Found(2, "/tools/0/function/name", "a tool has a name that providers refuse", "at most 64 of a-z, A-Z, 0-9, _ and -", `"$web_search"`)),
		Breaks("a space", OneCity, OfferingTools(`{"type":"function","function":{"name":"get weather"}}`),
			Found(2, "/tools/0/function/name", "a tool has a name that providers refuse", "at most 64 of a-z, A-Z, 0-9, _ and -", `"get weather"`)),
		Breaks("no object, in messages", BlockCity, `asks with {"tools":[7]}`,
			Found(1, "/tools/0", "a tool that is no object", "at most 128 of a-z, A-Z, 0-9, _ and -", "7")),
		Breaks("a dot, in messages", BlockCity, `asks with {"tools":[{"name":"weather.get","input_schema":{"type":"object"}}]}`,
			Found(1, "/tools/0/name", "a tool has a name that providers refuse", "at most 128 of a-z, A-Z, 0-9, _ and -", `"weather.get"`)),
	},
	"egress/tool-names-distinct": {
		Breaks("the same in messages", BlockCity, `asks with {"tools":[{"name":"think"},{"name":"think"}]}`,
			Found(1, "/tools/1/name", "the tools 0 and 1 have one name", "a name of its own", `"think"`)),
		Holds("two names", OneCity, OfferingTools(PlainTool+`,{"type":"function","function":{"name":"b"}}`)),
		SeesNothing("no tools", OneCity, Toolless),
		Breaks("one name twice", OneCity, OfferingTools(PlainTool+","+PlainTool),
			Found(2, "/tools/1/function/name", "the tools 0 and 1 have one name", "a name of its own", `"get_weather"`)),
	},
	"egress/request-keys": {
		Holds("documented ones", OneCity, Asking(`"temperature":0,"max_completion_tokens":10`)),
		Holds("those of Mistral", OneCity.Under("mistral"), Asking(`"safe_prompt":true`)),
		Holds("those of Anthropic", BlockCity, `
			asks
			runs oslo
			asks on with {"top_k":5,"metadata":{"user_id":"ada"},"context_management":{"edits":[]},"service_tier":"auto"}
				calls oslo
				results oslo
			completed`),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("a key of OpenAI, for Anthropic", BlockCity, `asks with {"response_format":{"type":"json_object"}}`,
			Found(1, "/response_format", `the request has the key "response_format"`, "only keys of the provider's reference", `"response_format": {"type":"json_object"}`)),
		Breaks("what the newest version of Anthropic's API has no more", BlockCity, "asks with {\"temperature\":1}\nheader anthropic-version: 2026-10-21",
			Found(1, "/temperature", `the request has the key "temperature"`, "only keys of the provider's reference", `"temperature": 1`)),
		Breaks("a switch of others", OneCity, Asking(`"enable_thinking":true`),
			Found(2, "/enable_thinking", `the request has the key "enable_thinking"`, "only keys of the provider's reference", `"enable_thinking": true`)),
		Breaks("OpenAI's, for Mistral", OneCity.Under("mistral"), Asking(`"store":true`),
			Found(2, "/store", `the request has the key "store"`, "only keys of the provider's reference", `"store": true`)),
	},
}
