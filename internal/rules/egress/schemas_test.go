package egress_test

import . "github.com/loopproof/loopproof/internal/rules/rulestest"

// offering is a run that offers a tool with these parameters.
func offering(parameters string) string {
	return OfferingTools(`{"type":"function","function":{"name":"look","parameters":` + parameters + `}}`)
}

var schemaCases = Cases{
	"egress/schema-not-combined": {
		Holds("a schema", OneCity, OneCityDone),
		Holds("below the top", OneCity, offering(`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`)),
		Holds("a parameter of that name", OneCity, offering(`{"type":"object","properties":{"anyOf":{"type":"string"}}}`)),
		SeesNothing("no tools", OneCity, Toolless),
		Breaks("one of several forms", OneCity, offering(`{"anyOf":[{"type":"object"},{"type":"object"}]}`),
			Found(2, "/tools/0/function/parameters/anyOf", "the schema of the tool look has anyOf at its top", `"type":"object" with properties`, `{"anyOf":[{"type":"object"},{"type":"object"}]}`)),
		Breaks("an object that needs one of its properties", OneCity, offering(`{"type":"object","properties":{},"oneOf":[]}`),
			Found(2, "/tools/0/function/parameters/oneOf", "the schema of the tool look has oneOf at its top", `"type":"object" with properties`, `{"type":"object","properties":{},"oneOf":[]}`)),
	},
	"egress/schema-of-2020-12": {
		Holds("a schema", OneCity, OneCityDone),
		Holds("a tuple, and a bound", OneCity, offering(`{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"number"}]},"b":{"type":"number","exclusiveMinimum":0}}}`)),
		Holds("a property of that name", OneCity, offering(`{"type":"object","properties":{"items":{"type":"string"}}}`)),
		SeesNothing("no tools", OneCity, Toolless),
		Breaks("the tuple of draft 7", OneCity, offering(`{"type":"object","properties":{"a":{"type":"array","items":[{"type":"number"}]}}}`),
			Found(2, "/tools/0/function/parameters/properties/a/items", "the schema of the tool look has items of an older draft", "a schema of draft 2020-12", `[{"type":"number"}]`)),
		Breaks("the bound of draft 4", OneCity, offering(`{"type":"object","properties":{"a":{"type":"number","minimum":0,"exclusiveMinimum":true}}}`),
			Found(2, "/tools/0/function/parameters/properties/a/exclusiveMinimum", "the schema of the tool look has exclusiveMinimum of an older draft", "a schema of draft 2020-12", "true")),
	},
	"egress/schema-valid": {
		Holds("a schema", OneCity, OneCityDone),
		Holds("all that a schema may say", OneCity, offering(`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null],"minLength":1},"b":true,"c":{"type":"array","items":[{"type":"number"}]},"d":{"description":null},"type":{"type":"number","minimum":1.5}},"required":[],"additionalProperties":false,"$defs":{"e":{"anyOf":[{"const":1},{"not":{}}]}}}`)),
		Holds("what the rule about the parameters says", OneCity, offering(`{"type":"dict","properties":{}}`)),
		SeesNothing("no tools", OneCity, Toolless),
		Breaks("a word in the place of a schema", OneCity, offering(`{"type":"object","properties":{"left":"number"}}`),
			Found(2, "/tools/0/function/parameters/properties/left", "the schema of the tool look is not valid here", "a schema", `"number"`)),
		Breaks("what a property says of itself", OneCity, offering(`{"type":"object","properties":{"a":{"type":"string","required":true}}}`),
			Found(2, "/tools/0/function/parameters/properties/a/required", "the schema of the tool look is not valid here", "a list of names", "true")),
		Breaks("a type of another language", OneCity, offering(`{"type":"object","properties":{"a":{"type":"array","items":{"type":"int"}}}}`),
			Found(2, "/tools/0/function/parameters/properties/a/items/type", "the schema of the tool look is not valid here", "one of array, boolean, integer, null, number, object, string", `"int"`)),
		Breaks("a number in a string", OneCity, offering(`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer","minimum":"1"}]}}}`),
			Found(2, "/tools/0/function/parameters/properties/a/anyOf/0/minimum", "the schema of the tool look is not valid here", "a number", `"1"`)),
		Breaks("a list in the place of the properties", OneCity, offering(`{"type":"object","properties":[]}`),
			Found(2, "/tools/0/function/parameters/properties", "the schema of the tool look is not valid here", "an object of schemas", `[]`)),
	},
	"egress/schema-complete": {
		Holds("a schema", OneCity, OneCityDone),
		Holds("no parameters, and empty ones", OneCity, OfferingTools(`{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"b","parameters":{}}},{"type":"function","function":{"name":"c","parameters":{"type":"object","properties":{}}}}`)),
		Holds("an array of anything, and one of places", OneCity, offering(`{"type":"object","properties":{"a":{"type":"array","items":{}},"b":{"type":"array","prefixItems":[]},"c":{"type":"object"}}}`)),
		Holds("any properties", OneCity, offering(`{"type":"object","additionalProperties":{"type":"string"}}`)),
		SeesNothing("no tools", OneCity, Toolless),
		Breaks("no properties", OneCity, offering(`{"type":"object","additionalProperties":false}`),
			Found(2, "/tools/0/function/parameters", "the schema of the tool look has no properties here", "properties", `{"type":"object","additionalProperties":false}`)),
		Breaks("an array within one", OneCity, offering(`{"type":"object","properties":{"rows":{"type":"array","items":{"type":"array"}}}}`),
			Found(2, "/tools/0/function/parameters/properties/rows/items", "the schema of the tool look has no items here", "items", `{"type":"array"}`)),
	},
	"egress/strict-schema": {
		Holds("not strict", OneCity, OneCityDone),
		Holds("closed, and all of it required", OneCity, OfferingTools(`{"type":"function","function":{"name":"a","strict":true,"parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}}}`)),
		Holds("without parameters", OneCity, OfferingTools(`{"type":"function","function":{"name":"a","strict":true}}`)),
		Breaks("an object that may be null", OneCity, OfferingTools(`{"type":"function","function":{"name":"a","strict":true,"parameters":{"type":"object","properties":{"at":{"type":["object","null"]}},"required":["at"],"additionalProperties":false}}}`),
			Found(2, "/tools/0/function/parameters/properties/at", "the tool a is sent as strict with a schema that is not", `"additionalProperties":false and all properties required`, `{"type":["object","null"]}`)),
		SeesNothing("no tools", OneCity, Toolless),
		Breaks("open", OneCity, OfferingTools(`{"type":"function","function":{"name":"a","strict":true,"parameters":{"type":"object","properties":{}}}}`),
			Found(2, "/tools/0/function/parameters", "the tool a is sent as strict with a schema that is not", `"additionalProperties":false and all properties required`, `{"type":"object","properties":{}}`)),
		Breaks("an optional property, deep inside", OneCity, OfferingTools(`{"type":"function","function":{"name":"a","strict":true,"parameters":{"type":"object","properties":{"at":{"type":"object","properties":{"x":{"type":"number"}},"required":[],"additionalProperties":false}},"required":["at"],"additionalProperties":false}}}`),
			Found(2, "/tools/0/function/parameters/properties/at", "the tool a is sent as strict with a schema that is not", `"additionalProperties":false and all properties required`, `{"type":"object","properties":{"x":{"type":"number"}},"required":[],"additionalProperties":false}`)),
	},
}
