package chatrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var egressToolCases = Cases{
	"egress/tool-form": {
		Holds("as the reference has it", OneCity, OneCityDone),
		Holds("a custom tool", OneCity, OfferingTools(PlainTool+`,{"type":"custom","custom":{"name":"sql"}}`)),
		SeesNothing("no tools", OneCity, Toolless),
		Holds("the provider's own tools, of Groq", OneCity.Under("groq"), OfferingTools(PlainTool+`,{"type":"browser_search"}`)),
		Holds("of Z.AI", OneCity.Under("zai"), OfferingTools(PlainTool+`,{"type":"web_search","web_search":{"enable":true}}`)),
		Holds("of OpenRouter", OneCity.Under("openrouter"), OfferingTools(PlainTool+`,{"type":"openrouter:web_search","parameters":{"max_results":3}}`)),
		Breaks("the same where the provider has none in this API", OneCity, OfferingTools(PlainTool+`,{"type":"web_search"}`),
			Found(2, "/tools/1/function", "a tool without function", "an object with a name", "nothing")),
		Breaks("a flat function at a provider that has tools of its own", OneCity.Under("groq"), OfferingTools(PlainTool+`,{"type":"function","name":"b"}`),
			Found(2, "/tools/1/function", "a tool without function", "an object with a name", "nothing")),
		Breaks("no type there", OneCity.Under("zai"), OfferingTools(PlainTool+`,{"function":{"name":"b"}}`),
			Found(2, "/tools/1/type", "a tool without type", `"type":"function"`, "nothing")),
		Breaks("without a type, flat, nameless, and none at all", OneCity, OfferingTools(`{"function":{"name":"a"}},{"type":"function","name":"b"},{"type":"function","function":{"name":""}},7`),
			Found(2, "/tools/0/type", "a tool without type", `"type":"function"`, "nothing"),
			Found(2, "/tools/1/function", "a tool without function", "an object with a name", "nothing"),
			Found(2, "/tools/2/function/name", "a tool without function.name", "a name", `""`),
			Found(2, "/tools/3", "a tool that is not an object", "an object", "7")),
	},
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
	"egress/tool-count": {
		Holds("one", OneCity, OneCityDone),
		Holds("128", OneCity, OfferingTools(manyTools(128))),
		SeesNothing("no tools", OneCity, Toolless),
		Breaks("129", OneCity, OfferingTools(manyTools(129)), Found(2, "/tools", "more tools than providers take", "at most 128", "129")),
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
	"egress/no-legacy-functions": {
		Holds("tools", OneCity, OneCityDone),
		Holds("null", OneCity, Asking(`"functions":null`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("both", OneCity, Asking(`"functions":[],"function_call":"auto"`),
			Found(2, "/functions", "the deprecated key functions", "tools and tool_choice", `"functions": []`),
			Found(2, "/function_call", "the deprecated key function_call", "tools and tool_choice", `"function_call": "auto"`)),
	},
}

func manyTools(n int) string {
	list := ""
	for i := range n {
		if i > 0 {
			list += ","
		}
		list += `{"type":"function","function":{"name":"tool_` + string(rune('a'+i/26)) + string(rune('a'+i%26)) + `"}}`
	}
	return list
}
