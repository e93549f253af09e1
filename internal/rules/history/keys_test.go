package history_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// withSchema asks with a schema of get_weather whose keys are in this order.
func withSchema(schema string) string {
	return `with {"tools":[{"type":"function","function":{"name":"get_weather","parameters":` + schema + `}}]}`
}

const (
	typeFirst = `{"type":"object","properties":{"city":{"type":"string","description":"a city"}},"required":["city"]}`
	typeLast  = `{"properties":{"city":{"type":"string","description":"a city"}},"required":["city"],"type":"object"}`
	deepMoved = `{"type":"object","properties":{"city":{"description":"a city","type":"string"}},"required":["city"]}`
)

// flights has a call with two arguments, and one after it.
var flights = Scene(`
prompt: Fly me to Lima.
tools:
  fly: {parameters: {from: string, to: string}, results: [{text: booked}]}
model:
  - calls: [{as: there, tool: fly, arguments: '{"from":"Oslo","to":"Lima"}'}]
  - calls: [{as: back, tool: fly, arguments: '{"from":"Lima","to":"Oslo"}'}]
  - text: Booked.
`).Under("anthropic")

const (
	flewThere = `{"role":"assistant","content":[{"type":"tool_use","id":"{{there}}","name":"fly","input":{"from":"Oslo","to":"Lima"}}]}`
	flewMoved = `{"role":"assistant","content":[{"type":"tool_use","id":"{{there}}","name":"fly","input":{"to":"Lima","from":"Oslo"}}]}`
)

// flying returns the first turn in two requests.
func flying(then, later string) string {
	return `
		asks with {"tools":[{"name":"fly","input_schema":{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}}}}]}
		asks on with {"tools":[{"name":"fly","input_schema":{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}}}}]}
			` + then + `
			results there
		asks with {"tools":[{"name":"fly","input_schema":{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}}}}]}
			prompt 1
			` + later + `
			results there
			calls back
			results back
		completed`
}

var keyCases = Cases{
	"history/keys-keep-their-order": {
		Holds("the same order", OneCity, `
			asks `+withSchema(typeFirst)+`
			asks on `+withSchema(typeFirst)+`
				calls oslo
				result oslo
			completed`),
		Holds("another order outside of the schema", OneCity, `
			asks `+withSchema(typeFirst)+`
			asks on with {"tools":[{"function":{"parameters":`+typeFirst+`,"name":"get_weather"},"type":"function"}]}
				calls oslo
				result oslo
			completed`),
		Holds("another schema, which is for tools-stay", OneCity, `
			asks `+withSchema(typeFirst)+`
			asks on `+withSchema(`{"properties":{"city":{"type":"string"}},"type":"object"}`)+`
				calls oslo
				result oslo
			completed`),
		Holds("the arguments as they were", flights, flying(flewThere, flewThere)),
		Holds("from the first time on in an order of the loop's own", flights, flying(flewMoved, flewMoved)),
		SeesNothing("a tool without parameters", OneCity, `
			asks with {"tools":[{"type":"function","function":{"name":"get_weather"}}]}
			asks on with {"tools":[{"type":"function","function":{"name":"get_weather"}}]}
				calls oslo
				result oslo
			completed`),
		SeesNothing("a single request", OneCity, `
			asks `+withSchema(typeFirst)+`
			failed: no idea`),
		Breaks("the keys of a schema", OneCity, `
			asks `+withSchema(typeFirst)+`
			asks on `+withSchema(typeLast)+`
				calls oslo
				result oslo
			completed`,
			Found(2, "/tools/0/function/parameters", "the parameters of get_weather have the keys in another order than in request 1", "type, properties, required", "properties, required, type")),
		Breaks("the keys of a part of it", OneCity, `
			asks `+withSchema(typeFirst)+`
			asks on `+withSchema(deepMoved)+`
				calls oslo
				result oslo
			completed`,
			Found(2, "/tools/0/function/parameters/properties/city", "the parameters of get_weather have the keys in another order than in request 1", "type, description", "description, type")),
		Breaks("the arguments of a call", flights, flying(flewThere, flewMoved),
			Found(3, "/messages/1/content/0/input", "the arguments of fly have the keys in another order than in request 2", "from, to", "to, from")),
	},
}
