package chatrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var egressToolCases = Cases{
	"egress/tool-parameters-are-a-schema": {
		Holds("a schema", OneCity, OneCityDone),
		Holds("none, or an empty one", OneCity, OfferingTools(`{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"b","parameters":{}}}`)),
		SeesNothing("no tools", OneCity, Toolless),
		Breaks("null in the place of its lists", OneCity, OfferingTools(`{"type":"function","function":{"name":"a","parameters":{"type":"object","required":null}}},{"type":"function","function":{"name":"b","parameters":{"type":"object","properties":null}}}`),
			Found(2, "/tools/0/function/parameters", "the parameters of a are no schema of an object", `a JSON Schema with "type":"object", or no such key`, `{"type":"object","required":null}`),
			Found(2, "/tools/1/function/parameters", "the parameters of b are no schema of an object", `a JSON Schema with "type":"object", or no such key`, `{"type":"object","properties":null}`)),
		Breaks("no type, another one, null and a text", OneCity, OfferingTools(`{"type":"function","function":{"name":"a","parameters":{"properties":{}}}},{"type":"function","function":{"name":"b","parameters":{"type":"string"}}},{"type":"function","function":{"name":"c","parameters":null}},{"type":"function","function":{"name":"d","parameters":"{}"}}`),
			Found(2, "/tools/0/function/parameters", "the parameters of a are no schema of an object", `a JSON Schema with "type":"object", or no such key`, `{"properties":{}}`),
			Found(2, "/tools/1/function/parameters", "the parameters of b are no schema of an object", `a JSON Schema with "type":"object", or no such key`, `{"type":"string"}`),
			Found(2, "/tools/2/function/parameters", "the parameters of c are no schema of an object", `a JSON Schema with "type":"object", or no such key`, "null"),
			Found(2, "/tools/3/function/parameters", "the parameters of d are no schema of an object", `a JSON Schema with "type":"object", or no such key`, `"{}"`)),
	},
	"egress/tool-choice": {
		Holds("none", OneCity, OneCityDone),
		Holds("a word and a tool", OneCity, `
			asks with {"tool_choice":"required"}
			runs oslo
			asks on with {"tool_choice":{"type":"function","function":{"name":"get_weather"}}}
				calls oslo
				result oslo
			completed`),
		Holds("any, for Mistral", OneCity.Under("mistral"), Asking(`"tool_choice":"any"`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("a word of another API", OneCity, Asking(`"tool_choice":"any"`),
			Found(2, "/tool_choice", "the provider has no such choice", "one of none, auto, required, an object", `"any"`)),
		Breaks("forced, for a model that thinks", OneCity.Under("deepseek"), Asking(`"tool_choice":{"type":"function","function":{"name":"get_weather"}}`),
			Found(2, "/tool_choice", "the provider has no such choice", "one of none, auto", `{"type":"function","function":{"name":"get_weather"}}`)),
	},
	"egress/one-candidate": {
		Holds("not said", OneCity, OneCityDone),
		Holds("one", OneCity, Asking(`"n":1`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("two", OneCity, Asking(`"n":2`), Found(2, "/n", "the loop asks for several answers", "1, or no such key", "2")),
	},
}
