package egress_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var parameterTypeCases = Cases{
	"egress/parameter-types": {
		Holds("not said", OneCity, OneCityDone),
		Holds("right", OneCity, Asking(`"stream":false,"temperature":0.5,"top_p":1,"max_tokens":1,"max_completion_tokens":8e3,"n":1,"seed":-1,"stop":["a"],"parallel_tool_calls":true,"user":"ada","response_format":{"type":"text"}`)),
		Holds("one text to stop at", OneCity, Asking(`"stop":"a"`)),
		Holds("null is nothing", OneCity, Asking(`"temperature":null,"max_tokens":null,"stop":null,"stream":null`)),
		Holds("keys that are not known here", OneCity, Asking(`"top_k":"5"`)),
		Holds("right, in messages", BlockCity, Asking(`"temperature":1,"top_k":5,"stop_sequences":["a"],"metadata":{"user_id":"ada"}`)),
		Holds("null is nothing for a server that reads it so, in messages", BlockCity.Under("ollama-messages"), Asking(`"temperature":null`)),
		Holds("no max_tokens is for max-tokens-given, in messages", BlockCity, Asking(`"max_tokens":"100"`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("texts", OneCity, Asking(`"temperature":"0.5","max_tokens":"many","stream":"yes","stop":5,"n":"1"`),
			Found(2, "/temperature", "temperature is a number in a string", "a number", `"0.5"`),
			Found(2, "/max_tokens", "max_tokens is a string", "a whole number above zero", `"many"`),
			Found(2, "/stream", "stream is a flag in a string", "true or false", `"yes"`),
			Found(2, "/stop", "stop is a number", "a string or a list of strings", "5"),
			Found(2, "/n", "n is a number in a string", "a whole number above zero", `"1"`)),
		Breaks("numbers of another kind", OneCity, Asking(`"max_tokens":0,"max_completion_tokens":1.5,"seed":{},"stop":[1]`),
			Found(2, "/max_tokens", "max_tokens is zero or less", "a whole number above zero", "0"),
			Found(2, "/max_completion_tokens", "max_completion_tokens is a fraction", "a whole number above zero", "1.5"),
			Found(2, "/seed", "seed is an empty object", "a whole number", "{}"),
			Found(2, "/stop", "stop is an array", "a string or a list of strings", "[1]")),
		Holds("the largest and the least of 64 bits", OneCity, Asking(`"seed":9223372036854775807,"max_tokens":1e18`)),
		Holds("the least of 64 bits", OneCity, Asking(`"seed":-9223372036854775808`)),
		Breaks("beyond 64 bits", OneCity, Asking(`"seed":9223372036854775808,"max_tokens":1e20,"n":-1e20,"temperature":1e20`),
			Found(2, "/seed", "seed is beyond 64 bits", "a whole number", "9223372036854775808"),
			Found(2, "/max_tokens", "max_tokens is beyond 64 bits", "a whole number above zero", "1e20"),
			Found(2, "/n", "n is zero or less", "a whole number above zero", "-1e20")),
		Breaks("texts and objects", OneCity, Asking(`"user":7,"response_format":"json","n":0`),
			Found(2, "/user", "user is a number", "a string", "7"),
			Found(2, "/response_format", "response_format is a string", "an object", `"json"`),
			Found(2, "/n", "n is zero or less", "a whole number above zero", "0")),
		Breaks("null in messages, which Anthropic refuses", BlockCity, Asking(`"temperature":null,"metadata":null`),
			Found(2, "/temperature", "temperature is null", "a number", "null")),
		Breaks("in messages", BlockCity, Asking(`"max_tokens":-1,"stop_sequences":"a"`),
			Found(2, "/max_tokens", "max_tokens is zero or less", "a whole number above zero", "-1"),
			Found(2, "/stop_sequences", "stop_sequences is a string", "a list of strings", `"a"`)),
	},
	"egress/chosen-tool-offered": {
		Holds("not said", OneCity, OneCityDone),
		Holds("a word", OneCity, Asking(`"tool_choice":"required"`)),
		Holds("one that is offered", OneCity, Asking(`"tool_choice":{"type":"function","function":{"name":"get_weather"}}`)),
		Holds("in messages", BlockCity, Asking(`"tool_choice":{"type":"tool","name":"get_weather"}`)),
		Holds("without tools, which is for tool-options-need-tools", OneCity, Asking(`"tools":null,"tool_choice":{"type":"function","function":{"name":"get_time"}}`)),
		Holds("one that a search may load, in responses", OneCity.Under("openai-responses"), `
			asks
			runs oslo
			asks on with {"tools":[{"type":"tool_search"}],"tool_choice":{"type":"function","name":"get_time"}}
				calls oslo
				result oslo
			completed`),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("another one, in responses", OneCity.Under("openai-responses"), `
			asks
			runs oslo
			asks on with {"tool_choice":{"type":"function","name":"get_time"}}
				calls oslo
				result oslo
			completed`,
			Found(2, "/tool_choice/name", "tool_choice names a tool that the request does not offer", "one of get_weather", `"get_time"`)),
		Breaks("another one", OneCity, Asking(`"tool_choice":{"type":"function","function":{"name":"get_time"}}`),
			Found(2, "/tool_choice/function/name", "tool_choice names a tool that the request does not offer", "one of get_weather", `"get_time"`)),
		Breaks("another one, in messages", BlockCity, Asking(`"tool_choice":{"type":"tool","name":"get_time"}`),
			Found(2, "/tool_choice/name", "tool_choice names a tool that the request does not offer", "one of get_weather", `"get_time"`)),
	},
}
