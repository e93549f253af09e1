package rules

import "strings"

// dials has a tool with a parameter of every type, some of them optional.
var dials = scene(`
prompt: Set the dials.
tools:
  set_dials:
    description: Set the dials.
    parameters: {name: string, level: integer, gain: number?, on: boolean?, options: object?, tags: array?}
    results: [{text: set}]
model:
  - calls: [{as: set, tool: set_dials, arguments: '{"name":"a","level":1}'}]
  - text: Set.
`)

// limited may ask the model twice.
var limited = scene(weatherTool + `
max-turns: 2
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}]
  - text: Lima is warmer.
`)

// offering are the requests of dials with these properties in the schema of the tool.
func offering(schema string) string {
	tools := `with {"tools":[{"type":"function","function":{"name":"set_dials","parameters":` + strings.Join(strings.Fields(schema), " ") + `}}]}`
	return `
		asks ` + tools + `
			prompt 1
		asks on ` + tools + `
			calls set
			result set
		completed`
}

var historyToolsCases = ruleCases{
	"history/tools-as-given": {
		holds("as given", dials, `
			asks
			asks on
				calls set
				result set
			completed`),
		holds("strict mode: all required, optional ones nullable, more keys", dials, offering(`{
			"$schema":"http://json-schema.org/draft-07/schema#","additionalProperties":false,"type":"object","title":"Dials",
			"required":["name","level","gain","on","options","tags"],
			"properties":{
				"tags":{"type":["array","null"],"items":{}},
				"options":{"anyOf":[{"type":"object","properties":{}},{"type":"null"}]},
				"on":{"oneOf":[{"type":"null"},{"type":"boolean"}],"default":null},
				"gain":{"type":["number","null"]},
				"level":{"type":"integer","title":"Level"},
				"name":{"description":"its name","type":"string"}}}`)),
		holds("types behind references", dials, offering(`{"type":"object","$defs":{"Options":{"type":"object"},"Again":{"$ref":"#/$defs/Text"},"Text":{"type":"string"}},
			"properties":{"name":{"$ref":"#/$defs/Again"},"level":{"type":"integer"},"gain":{"type":"number"},"on":{"type":"boolean"},
				"options":{"allOf":[{"$ref":"#/$defs/Options"}]},"tags":{"type":"array","items":{"type":"string"}}}}`)),
		seesNothing("the last turn that the limit allows, which has to be an answer", scene("max-turns: 1\n"+oneCity.scenario), `
			asks without tools
			completed: I cannot look.`),
		breaks("the first of two turns", limited, `
			asks without tools
			asks on
				calls oslo
				result oslo
			stopped: the limit`,
			finding{1, "/tools", "the tool get_weather is not offered", "get_weather", "none"}),
		seesNothing("no tool was used", noTools, noToolsDone),
		seesNothing("the loop gave up before it used one", dials, `
			asks
			failed: no idea`),
		breaks("the tool is not offered", dials, `
			asks without tools
			asks on
				calls set
				result set
			completed`,
			finding{1, "/tools", "the tool set_dials is not offered", "set_dials", "none"}),
		breaks("under another name", dials, `
			asks with {"tools":[{"type":"function","function":{"name":"set-dials","parameters":{}}},{"type":"function","function":{"name":"SetDials","parameters":{}}}]}
			asks on
				calls set
				result set
			completed`,
			finding{1, "/tools", "the tool set_dials is not offered", "set_dials", "set-dials, SetDials"}),
		breaks("optional parameters are lost", dials, offering(`{"type":"object","required":["name","level"],"properties":{"name":{"type":"string"},"level":{"type":"integer"},"on":{"type":"boolean"},"gain":{"type":"number"},"options":{"type":"object"}}}`),
			finding{1, "/tools/0/function/parameters", "the parameter tags of set_dials is not offered as it was given", `{"type":"array"}`, "nothing"}),
		breaks("types are lost", dials, offering(`{"type":"object","properties":{"name":{"type":"array","items":{"type":"string"}},"level":{"description":"an integer"},"gain":{"type":"number"},"on":{"type":"boolean"},"options":{"$ref":"#/$defs/Missing"},"tags":{"$ref":"#/properties/tags"}}}`),
			finding{1, "/tools/0/function/parameters", "the parameter name of set_dials is not offered as it was given", `{"type":"string"}`, `{"type":"array","items":{"type":"string"}}`},
			finding{1, "/tools/0/function/parameters", "the parameter level of set_dials is not offered as it was given", `{"type":"integer"}`, `{"description":"an integer"}`},
			finding{1, "/tools/0/function/parameters", "the parameter options of set_dials is not offered as it was given", `{"type":"object"}`, `{"$ref":"#/$defs/Missing"}`},
			finding{1, "/tools/0/function/parameters", "the parameter tags of set_dials is not offered as it was given", `{"type":"array"}`, `{"$ref":"#/properties/tags"}`}),
		breaks("no parameters at all", oneCity, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather"}}]}
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/tools/0", "the parameter city of get_weather is not offered as it was given", `{"type":"string"}`, "nothing"}),
	},
	"history/tools-stay": {
		holds("the same tools", twoRounds, twoRoundsDone),
		holds("the same tools with their keys in another order", oneCity, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]}
			asks on with {"tools":[{"function":{"parameters":{"properties":{"city":{"type":"string"}},"type":"object"},"name":"get_weather"},"type":"function"}]}
				calls oslo
				result oslo
			completed`),
		seesNothing("the task has none", noTools, noToolsDone),
		seesNothing("a single request", oneCity, `
			asks
			failed: no idea`),
		breaks("they are dropped once they have run", twoRounds, `
			asks with {"tools":[1]}
			asks on without tools
				calls oslo
				result oslo
			asks on without tools
				calls lima
				result lima
			completed`,
			finding{2, "/tools", "the tools are not those of request 1", "[1]", "nothing"}),
		breaks("a tool is added", oneCity, `
			asks with {"tools":[1]}
			asks on with {"tools":[1,2]}
				calls oslo
				result oslo
			completed`,
			finding{2, "/tools", "the tools are not those of request 1", "[1]", "[1,2]"}),
		holds("no tools for the last turn that the limit allows", limited, `
			asks
			asks on without tools
				calls oslo
				result oslo
			stopped: limit`),
		breaks("no tools before the last turn", limited, `
			asks with {"tools":[1]}
			asks on with {"tools":[2]}
				calls oslo
				result oslo
			stopped: limit`,
			finding{2, "/tools", "the tools are not those of request 1", "[1]", "[2]"}),
	},
}
