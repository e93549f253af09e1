package rules

// offeringTools is a round of oneCity in which the second request offers these tools.
func offeringTools(tools string) string {
	return `
		asks
		runs oslo
		asks on with {"tools":[` + tools + `]}
			calls oslo
			result oslo
		completed`
}

// asking is a round of oneCity in which the second request has these keys besides.
func asking(keys string) string {
	return `
		asks
		runs oslo
		asks on with {` + keys + `}
			calls oslo
			result oslo
		completed`
}

const (
	toolless = `
		asks without tools
		runs oslo
		asks on without tools
			calls oslo
			result oslo
		completed`
	plainTool = `{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}`
)

var egressToolsCases = ruleCases{
	"egress/tool-form": {
		holds("as the reference has it", oneCity, oneCityDone),
		holds("a custom tool", oneCity, offeringTools(plainTool+`,{"type":"custom","custom":{"name":"sql"}}`)),
		seesNothing("no tools", oneCity, toolless),
		holds("the provider's own tools, of Groq", oneCity.under("groq"), offeringTools(plainTool+`,{"type":"browser_search"}`)),
		holds("of Z.AI", oneCity.under("zai"), offeringTools(plainTool+`,{"type":"web_search","web_search":{"enable":true}}`)),
		holds("of OpenRouter", oneCity.under("openrouter"), offeringTools(plainTool+`,{"type":"openrouter:web_search","parameters":{"max_results":3}}`)),
		breaks("the same where the provider has none in this API", oneCity, offeringTools(plainTool+`,{"type":"web_search"}`),
			finding{2, "/tools/1/function", "a tool without function", "an object with a name", "nothing"}),
		breaks("a flat function at a provider that has tools of its own", oneCity.under("groq"), offeringTools(plainTool+`,{"type":"function","name":"b"}`),
			finding{2, "/tools/1/function", "a tool without function", "an object with a name", "nothing"}),
		breaks("no type there", oneCity.under("zai"), offeringTools(plainTool+`,{"function":{"name":"b"}}`),
			finding{2, "/tools/1/type", "a tool without type", `"type":"function"`, "nothing"}),
		breaks("without a type, flat, nameless, and none at all", oneCity, offeringTools(`{"function":{"name":"a"}},{"type":"function","name":"b"},{"type":"function","function":{"name":""}},7`),
			finding{2, "/tools/0/type", "a tool without type", `"type":"function"`, "nothing"},
			finding{2, "/tools/1/function", "a tool without function", "an object with a name", "nothing"},
			finding{2, "/tools/2/function/name", "a tool without function.name", "a name", `""`},
			finding{2, "/tools/3", "a tool that is no object", "an object", "7"}),
	},
	"egress/tool-name": {
		holds("letters, digits, underscore and dash", oneCity, offeringTools(`{"type":"function","function":{"name":"a-B_9"}}`)),
		seesNothing("no tools", oneCity, toolless),
		holds("a function of the provider's own, which runs there: of Moonshot", oneCity.under("moonshot"), offeringTools(plainTool+`,{"type":"builtin_function","function":{"name":"$web_search"}}`)),
		breaks("the same name for a function of the loop", oneCity.under("moonshot"), offeringTools(`{"type":"function","function":{"name":"$web_search"}}`),
			finding{2, "/tools/0/function/name", "a tool has a name that providers refuse", "at most 64 of a-z, A-Z, 0-9, _ and -", `"$web_search"`}),
		breaks("a space", oneCity, offeringTools(`{"type":"function","function":{"name":"get weather"}}`),
			finding{2, "/tools/0/function/name", "a tool has a name that providers refuse", "at most 64 of a-z, A-Z, 0-9, _ and -", `"get weather"`}),
		breaks("a dot, in messages", blockCity, `asks with {"tools":[{"name":"weather.get","input_schema":{"type":"object"}}]}`,
			finding{1, "/tools/0/name", "a tool has a name that providers refuse", "at most 128 of a-z, A-Z, 0-9, _ and -", `"weather.get"`}),
	},
	"egress/tool-names-distinct": {
		breaks("the same in messages", blockCity, `asks with {"tools":[{"name":"think"},{"name":"think"}]}`,
			finding{1, "/tools/1/name", "the tools 0 and 1 have one name", "a name of its own", `"think"`}),
		holds("two names", oneCity, offeringTools(plainTool+`,{"type":"function","function":{"name":"b"}}`)),
		seesNothing("no tools", oneCity, toolless),
		breaks("one name twice", oneCity, offeringTools(plainTool+","+plainTool),
			finding{2, "/tools/1/function/name", "the tools 0 and 1 have one name", "a name of its own", `"get_weather"`}),
	},
	"egress/tool-parameters-are-a-schema": {
		holds("a schema", oneCity, oneCityDone),
		holds("none, or an empty one", oneCity, offeringTools(`{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"b","parameters":{}}}`)),
		seesNothing("no tools", oneCity, toolless),
		breaks("null in the place of its lists", oneCity, offeringTools(`{"type":"function","function":{"name":"a","parameters":{"type":"object","required":null}}},{"type":"function","function":{"name":"b","parameters":{"type":"object","properties":null}}}`),
			finding{2, "/tools/0/function/parameters", "the parameters of a are no schema of an object", `a JSON Schema with "type":"object", or no such key`, `{"type":"object","required":null}`},
			finding{2, "/tools/1/function/parameters", "the parameters of b are no schema of an object", `a JSON Schema with "type":"object", or no such key`, `{"type":"object","properties":null}`}),
		breaks("no type, another one, null and a text", oneCity, offeringTools(`{"type":"function","function":{"name":"a","parameters":{"properties":{}}}},{"type":"function","function":{"name":"b","parameters":{"type":"string"}}},{"type":"function","function":{"name":"c","parameters":null}},{"type":"function","function":{"name":"d","parameters":"{}"}}`),
			finding{2, "/tools/0/function/parameters", "the parameters of a are no schema of an object", `a JSON Schema with "type":"object", or no such key`, `{"properties":{}}`},
			finding{2, "/tools/1/function/parameters", "the parameters of b are no schema of an object", `a JSON Schema with "type":"object", or no such key`, `{"type":"string"}`},
			finding{2, "/tools/2/function/parameters", "the parameters of c are no schema of an object", `a JSON Schema with "type":"object", or no such key`, "null"},
			finding{2, "/tools/3/function/parameters", "the parameters of d are no schema of an object", `a JSON Schema with "type":"object", or no such key`, `"{}"`}),
	},
	"egress/tool-count": {
		holds("one", oneCity, oneCityDone),
		holds("128", oneCity, offeringTools(manyTools(128))),
		seesNothing("no tools", oneCity, toolless),
		breaks("129", oneCity, offeringTools(manyTools(129)), finding{2, "/tools", "more tools than providers take", "at most 128", "129"}),
	},
	"egress/strict-schema": {
		holds("not strict", oneCity, oneCityDone),
		holds("closed, and all of it required", oneCity, offeringTools(`{"type":"function","function":{"name":"a","strict":true,"parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}}}`)),
		seesNothing("no tools", oneCity, toolless),
		breaks("open", oneCity, offeringTools(`{"type":"function","function":{"name":"a","strict":true,"parameters":{"type":"object","properties":{}}}}`),
			finding{2, "/tools/0/function/parameters", "the tool a is sent as strict with a schema that is not", `"additionalProperties":false and all properties required`, `{"type":"object","properties":{}}`}),
		breaks("an optional property, deep inside", oneCity, offeringTools(`{"type":"function","function":{"name":"a","strict":true,"parameters":{"type":"object","properties":{"at":{"type":"object","properties":{"x":{"type":"number"}},"required":[],"additionalProperties":false}},"required":["at"],"additionalProperties":false}}}`),
			finding{2, "/tools/0/function/parameters/properties/at", "the tool a is sent as strict with a schema that is not", `"additionalProperties":false and all properties required`, `{"type":"object","properties":{"x":{"type":"number"}},"required":[],"additionalProperties":false}`}),
	},
	"egress/tool-choice": {
		holds("none", oneCity, oneCityDone),
		holds("a word and a tool", oneCity, `
			asks with {"tool_choice":"required"}
			runs oslo
			asks on with {"tool_choice":{"type":"function","function":{"name":"get_weather"}}}
				calls oslo
				result oslo
			completed`),
		holds("any, for Mistral", oneCity.under("mistral"), asking(`"tool_choice":"any"`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("a word of another API", oneCity, asking(`"tool_choice":"any"`),
			finding{2, "/tool_choice", "the provider has no such choice", "one of none, auto, required, an object", `"any"`}),
		breaks("forced, for a model that thinks", oneCity.under("deepseek"), asking(`"tool_choice":{"type":"function","function":{"name":"get_weather"}}`),
			finding{2, "/tool_choice", "the provider has no such choice", "one of none, auto", `{"type":"function","function":{"name":"get_weather"}}`}),
	},
	"egress/request-keys": {
		holds("documented ones", oneCity, asking(`"temperature":0,"max_completion_tokens":10`)),
		holds("those of Mistral", oneCity.under("mistral"), asking(`"safe_prompt":true`)),
		holds("those of Anthropic", blockCity, `
			asks
			runs oslo
			asks on with {"top_k":5,"metadata":{"user_id":"ada"},"context_management":{"edits":[]},"service_tier":"auto"}
				calls oslo
				results oslo
			completed`),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("a key of OpenAI, for Anthropic", blockCity, `asks with {"response_format":{"type":"json_object"}}`,
			finding{1, "/response_format", `the request has the key "response_format"`, "only keys of the provider's reference", `"response_format": {"type":"json_object"}`}),
		breaks("a switch of others", oneCity, asking(`"enable_thinking":true`),
			finding{2, "/enable_thinking", `the request has the key "enable_thinking"`, "only keys of the provider's reference", `"enable_thinking": true`}),
		breaks("OpenAI's, for Mistral", oneCity.under("mistral"), asking(`"store":true`),
			finding{2, "/store", `the request has the key "store"`, "only keys of the provider's reference", `"store": true`}),
	},
	"egress/one-candidate": {
		holds("not said", oneCity, oneCityDone),
		holds("one", oneCity, asking(`"n":1`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("two", oneCity, asking(`"n":2`), finding{2, "/n", "the loop asks for several answers", "1, or no such key", "2"}),
	},
	"egress/no-legacy-functions": {
		holds("tools", oneCity, oneCityDone),
		holds("null", oneCity, asking(`"functions":null`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("both", oneCity, asking(`"functions":[],"function_call":"auto"`),
			finding{2, "/functions", "the deprecated key functions", "tools and tool_choice", `"functions": []`},
			finding{2, "/function_call", "the deprecated key function_call", "tools and tool_choice", `"function_call": "auto"`}),
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
