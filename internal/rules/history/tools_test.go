package history_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

// offering are the requests of dials with these properties in the schema of the tool.
func offering(schema string) string {
	return asking(`{"type":"function","function":{"name":"set_dials","parameters":` + strings.Join(strings.Fields(schema), " ") + `}}`)
}

// textForObject are the parameters of the tool of Dials, with a text instead of its object.
const textForObject = `{"type":"object","properties":{"name":{"type":"string"},"level":{"type":"integer"},"gain":{"type":"number"},"on":{"type":"boolean"},"options":{"type":"string"},"tags":{"type":"array"}}}`

func asking(tool string) string {
	tools := `with {"tools":[` + tool + `]}`
	return `
		asks ` + tools + `
			prompt 1
		asks on ` + tools + `
			calls set
			result set
		completed`
}

// manyTypes has a tool whose parameters say their types in other ways than by one word.
var manyTypes = Scene(`
prompt: Set them.
tools:
  set_dials:
    schema:
      type: object
      $defs: {Place: {type: object, properties: {name: {type: string}}}}
      properties:
        place: {$ref: '#/$defs/Place'}
        unit: {enum: [C, F]}
        note: {type: [string, "null"]}
        any: {description: anything}
        kind: {anyOf: [{type: string}, {type: integer}]}
    results: [{text: set}]
model:
  - calls: [{as: set, tool: set_dials, arguments: '{"unit":"C"}'}]
  - text: They are set.
`)

var toolCases = Cases{
	"history/tools-as-given": {
		Holds("as given", Dials, `
			asks
			asks on
				calls set
				result set
			completed`),
		Holds("strict mode: all required, optional ones nullable, more keys", Dials, offering(`{
			"$schema":"http://json-schema.org/draft-07/schema#","additionalProperties":false,"type":"object","title":"Dials",
			"required":["name","level","gain","on","options","tags"],
			"properties":{
				"tags":{"type":["array","null"],"items":{}},
				"options":{"anyOf":[{"type":"object","properties":{}},{"type":"null"}]},
				"on":{"oneOf":[{"type":"null"},{"type":"boolean"}],"default":null},
				"gain":{"type":["number","null"]},
				"level":{"type":"integer","title":"Level"},
				"name":{"description":"its name","type":"string"}}}`)),
		Holds("types after references", Dials, offering(`{"type":"object","$defs":{"Options":{"type":"object"},"Again":{"$ref":"#/$defs/Text"},"Text":{"type":"string"}},
			"properties":{"name":{"$ref":"#/$defs/Again"},"level":{"type":"integer"},"gain":{"type":"number"},"on":{"type":"boolean"},
				"options":{"allOf":[{"$ref":"#/$defs/Options"}]},"tags":{"type":"array","items":{"type":"string"}}}}`)),
		Holds("a text for an object without properties, where it may be refused", Dials.Under("gemini-3"), asking(`{"functionDeclarations":[{"name":"set_dials","parameters":`+textForObject+`}]}`)),
		Breaks("a text for such an object, where it is taken", Dials.Under("gemini-3"), asking(`{"functionDeclarations":[{"name":"set_dials","parametersJsonSchema":`+textForObject+`}]}`),
			Found(1, "/tools/0/functionDeclarations/0/parametersJsonSchema", "the parameter options of set_dials is not offered as it was given", `{"type":"object"}`, `{"type":"string"}`)),
		Holds("references, lists of types and schemas without one, as Gemini wants them", manyTypes.Under("gemini-2.5"), asking(`{"functionDeclarations":[{"name":"set_dials","parameters":{"type":"OBJECT","properties":{"place":{"type":"OBJECT","properties":{"name":{"type":"STRING"}}},"unit":{"type":"STRING","enum":["C","F"]},"note":{"type":"STRING","nullable":true},"any":{"type":"STRING"},"kind":{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}}}}]}`)),
		Holds("the same as one type of each", manyTypes, offering(`{"type":"object","properties":{"place":{"type":"object"},"unit":{"type":"string"},"note":{"type":"string"},"any":{},"kind":{"type":"string"}}}`)),
		Breaks("another type than those of the lists", manyTypes, offering(`{"type":"object","properties":{"place":{"type":"string"},"unit":{"type":"string"},"note":{},"kind":{"type":"boolean"}}}`),
			Found(1, "/tools/0/function/parameters", "the parameter place of set_dials is not offered as it was given", `{"$ref":"#/$defs/Place"}`, `{"type":"string"}`),
			Found(1, "/tools/0/function/parameters", "the parameter note of set_dials is not offered as it was given", `{"type":["string","null"]}`, `{}`),
			Found(1, "/tools/0/function/parameters", "the parameter any of set_dials is not offered as it was given", `{"description":"anything"}`, "nothing"),
			Found(1, "/tools/0/function/parameters", "the parameter kind of set_dials is not offered as it was given", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"type":"boolean"}`)),
		Breaks("an integer as a number", Dials, offering(`{"type":"object","properties":{"name":{"type":"string"},"level":{"type":"number"},"gain":{"type":"number"},"on":{"type":"boolean"},"options":{"type":"object"},"tags":{"type":"array"}}}`),
			Found(1, "/tools/0/function/parameters", "the parameter level of set_dials is not offered as it was given", `{"type":"integer"}`, `{"type":"number"}`).Only(trace.Should)),
		SeesNothing("the last turn that the limit allows, which has to be an answer", Scene("max-turns: 1\n"+OneCity.Scenario), `
			asks without tools
			completed: I cannot look.`),
		Breaks("the first of two turns", Limited, `
			asks without tools
			asks on
				calls oslo
				result oslo
			stopped: the limit`,
			Found(1, "/tools", "the tool get_weather is not offered", "get_weather", "none")),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		SeesNothing("the loop gave up before it used one", Dials, `
			asks
			failed: no idea`),
		Holds("in small letters, with underscores", twoSpellings, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"properties":{"city":{"type":"string"}}}}},{"type":"function","function":{"name":"getweather","parameters":{"properties":{"place":{"type":"string"}}}}}]}
			asks on
				calls oslo
				result oslo
			completed`),
		Breaks("in small letters, with underscores, and one for both", twoSpellings, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"properties":{"city":{"type":"string"}}}}}]}
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/tools", "the tool getWeather is not offered", "getWeather", "get_weather")),
		Breaks("the tool is not offered", Dials, `
			asks without tools
			asks on
				calls set
				result set
			completed`,
			Found(1, "/tools", "the tool set_dials is not offered", "set_dials", "none")),
		Breaks("under another name", Dials, `
			asks with {"tools":[{"type":"function","function":{"name":"my-set_dials","parameters":{}}},{"type":"function","function":{"name":"your-set_dials","parameters":{}}}]}
			asks on
				calls set
				result set
			completed`,
			Found(1, "/tools", "the tool set_dials is not offered", "set_dials", "my-set_dials, your-set_dials")),
		Breaks("optional parameters are lost", Dials, offering(`{"type":"object","required":["name","level"],"properties":{"name":{"type":"string"},"level":{"type":"integer"},"on":{"type":"boolean"},"gain":{"type":"number"},"options":{"type":"object"}}}`),
			Found(1, "/tools/0/function/parameters", "the parameter tags of set_dials is not offered as it was given", `{"type":"array","items":{}}`, "nothing")),
		Breaks("types are lost", Dials, offering(`{"type":"object","properties":{"name":{"type":"array","items":{"type":"string"}},"level":{"description":"an integer"},"gain":{"type":"number"},"on":{"type":"boolean"},"options":{"$ref":"#/$defs/Missing"},"tags":{"$ref":"#/properties/tags"}}}`),
			Found(1, "/tools/0/function/parameters", "the parameter name of set_dials is not offered as it was given", `{"type":"string"}`, `{"type":"array","items":{"type":"string"}}`),
			Found(1, "/tools/0/function/parameters", "the parameter level of set_dials is not offered as it was given", `{"type":"integer"}`, `{"description":"an integer"}`),
			Found(1, "/tools/0/function/parameters", "the parameter options of set_dials is not offered as it was given", `{"type":"object"}`, `{"$ref":"#/$defs/Missing"}`),
			Found(1, "/tools/0/function/parameters", "the parameter tags of set_dials is not offered as it was given", `{"type":"array","items":{}}`, `{"$ref":"#/properties/tags"}`)),
		Breaks("no parameters at all", OneCity, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather"}}]}
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/tools/0", "the parameter city of get_weather is not offered as it was given", `{"type":"string"}`, "nothing")),
	},
	"history/tools-stay": {
		Holds("the same tools", TwoRounds, TwoRoundsDone),
		Holds("the same tools with their keys in another order", OneCity, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]}
			asks on with {"tools":[{"function":{"parameters":{"properties":{"city":{"type":"string"}},"type":"object"},"name":"get_weather"},"type":"function"}]}
				calls oslo
				result oslo
			completed`),
		SeesNothing("the task has none", NoTools, NoToolsDone),
		SeesNothing("a single request", OneCity, `
			asks
			failed: no idea`),
		Breaks("they are dropped once they have run", TwoRounds, `
			asks with {"tools":[1]}
			asks on without tools
				calls oslo
				result oslo
			asks on without tools
				calls lima
				result lima
			completed`,
			Found(2, "/tools", "the tools are not those of request 1", "[1]", "nothing")),
		Breaks("a tool is added", OneCity, `
			asks with {"tools":[1]}
			asks on with {"tools":[1,2]}
				calls oslo
				result oslo
			completed`,
			Found(2, "/tools", "the tools are not those of request 1", "[1]", "[1,2]")),
		Holds("a deferred tool is added", OneCity.Under("anthropic"), `
			asks with {"tools":[{"name":"get_weather"}]}
			asks on with {"tools":[{"name":"get_weather"},{"name":"get_time","defer_loading":true}]}
				calls oslo
				result oslo
			completed`),
		Holds("deferred tools are in another order and one is gone", OneCity.Under("anthropic"), `
			asks with {"tools":[{"name":"get_time","defer_loading":true},{"name":"get_weather"},{"name":"get_date","defer_loading":true},{"name":"look","defer_loading":true}]}
			asks on with {"tools":[{"name":"get_weather"},{"name":"look","defer_loading":true},{"name":"get_time","defer_loading":true}]}
				calls oslo
				result oslo
			completed`),
		Breaks("a deferred tool is added, and another one that is not", OneCity.Under("anthropic"), `
			asks with {"tools":[{"name":"get_weather"}]}
			asks on with {"tools":[{"name":"get_weather"},{"name":"get_time","defer_loading":true},{"name":"get_date"}]}
				calls oslo
				result oslo
			completed`,
			Found(2, "/tools", "the tools are not those of request 1: get_time is new, get_date is new", "1 tool", "3 tools, get_time, get_date among them")),
		Breaks("a tool is missing, and another one is new", OneCity, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather"}},{"type":"function","function":{"name":"web_search"}}]}
			asks on with {"tools":[{"type":"function","function":{"name":"get_weather"}},{"type":"function","function":{"name":"web_fetch"}}]}
				calls oslo
				result oslo
			completed`,
			Found(2, "/tools", "the tools are not those of request 1: web_search is missing, web_fetch is new", "2 tools, web_search among them", "2 tools, web_fetch among them")),
		Breaks("a tool is described otherwise", OneCity, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string","description":"in the hour 7"}}}}}]}
			asks on with {"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string","description":"in the hour 8"}}}}}]}
				calls oslo
				result oslo
			completed`,
			Found(2, "/tools/0/function/parameters/properties/city/description", "the tools are not those of request 1: get_weather has changed", `"in the hour 7"`, `"in the hour 8"`)),
		Breaks("a key of a tool is gone", OneCity, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather","strict":true}}]}
			asks on with {"tools":[{"type":"function","function":{"name":"get_weather"}}]}
				calls oslo
				result oslo
			completed`,
			Found(2, "/tools/0/function", "the tools are not those of request 1: get_weather has changed", `{"name":"get_weather","strict":true}`, `{"name":"get_weather"}`)),
		Breaks("they are in another order", OneCity, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather"}},{"type":"function","function":{"name":"get_time"}}]}
			asks on with {"tools":[{"type":"function","function":{"name":"get_time"}},{"type":"function","function":{"name":"get_weather"}}]}
				calls oslo
				result oslo
			completed`,
			Found(2, "/tools", "the tools are not those of request 1: they are in another order", "get_weather, get_time", "get_time, get_weather")),
		Holds("no tools for the last turn that the limit allows", Limited, `
			asks
			asks on without tools
				calls oslo
				result oslo
			stopped: limit`),
		Breaks("no tools before the last turn", Limited, `
			asks with {"tools":[1]}
			asks on with {"tools":[2]}
				calls oslo
				result oslo
			stopped: limit`,
			Found(2, "/tools", "the tools are not those of request 1", "[1]", "[2]")),
	},
}

// twoSpellings has two tools whose names have the same letters.
var twoSpellings = Scene(`
prompt: What is the weather in Oslo?
tools:
  get-weather: {parameters: {city: string}, results: [{text: 4 C}]}
  getWeather: {parameters: {place: string}, results: [{text: 5 C}]}
model:
  - calls: [{as: oslo, tool: get-weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
