package geminirules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var schemaCases = Cases{
	"egress/schema-type-is-one-word": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"city":{"type":["string","null"]}}}}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/parameters/properties/city/type", `a schema has a list of types`, `one type, and nullable`, `["string","null"]`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string","nullable":true}}}}]}]}`),
	),
	"egress/schema-array-has-items": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"rows":{"type":"array","items":{"type":"ARRAY"}}}}}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/parameters/properties/rows/items/items", `an array does not say what is in it`, `items`, `nothing`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"rows":{"type":"array","items":{"type":"STRING"}}}}}]}]}`),
	),
	"egress/schema-required-is-defined": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING"}},"required":["city","format"]}}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/parameters/required/1", `a schema requires what is none of its properties`, `the name of a property`, `"format"`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"format":{"type":"STRING"}},"required":["format"]}}]}]}`),
	),
	"egress/schema-enum-of-texts": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"STRING","enum":["a",3]}}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/parameters/enum/1", `a value of an enum is no text`, `a text`, `3`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"STRING","enum":["a","3"]}}]}]}`),
	),
	"egress/schema-enum-of-strings-alone": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"INTEGER","enum":["1"]}}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/parameters/enum", `an enum of another type than string`, `the type STRING`, `["1"]`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"string","enum":["1"]}}]}]}`),
	),
	"egress/schema-format-known": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"STRING","format":"uri"}}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/parameters/format", `a string has the format "uri"`, `enum, date-time or none`, `"uri"`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"STRING","format":"date-time"}}]}]}`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"INTEGER","format":"int64"}}]}]}`),
	),
	"egress/schema-properties-of-objects-alone": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"STRING","properties":{"a":{"type":"STRING"}}}}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/parameters/properties", `a schema that is of no object has properties`, `the type OBJECT`, `{"a":{"type":"STRING"}}`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"object","properties":{"a":{"type":"STRING"}},"required":["a"]}}]}]}`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":6,"properties":{"a":{"type":1,"enum":["b"]}},"required":["a"]}}]}]}`), // recorded: github.com/open-telemetry/opentelemetry-python-contrib, its instrumentation of Vertex AI
	),
	"egress/schema-object-has-properties": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{}}}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/parameters/properties", `an object has no properties`, `some properties, or no parameters`, `{}`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT"}}]}]}`),
	),
	"egress/parameters-given-once": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT"},"parametersJsonSchema":{"type":"object"}}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/parameters", "the parameters of a function are given twice", "parameters or parametersJsonSchema", `{"type":"OBJECT"}`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT"}}]}]}`),
	),
}
