package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var egressModelCases = Cases{
	"egress/model-takes-settings": {
		Holds("not said", BlockCity, OneCityDone),
		Holds("an older model", BlockCity, Asking(`"model":"claude-opus-4-5","max_tokens":64000,"temperature":0.2,"thinking":{"type":"enabled","budget_tokens":2000}`)),
		Holds("a newer one", BlockCity, Asking(`"model":"claude-opus-4-8","max_tokens":128000,"temperature":1,"top_p":0.99,"thinking":{"type":"adaptive"}`)),
		Holds("one that is not known", BlockCity, Asking(`"model":"claude-next","max_tokens":900000,"temperature":0`)),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("too many tokens", BlockCity, Asking(`"model":"claude-opus-4-5-20251101","max_tokens":128001`),
			Found(2, "/max_tokens", "the model claude-opus-4-5-20251101 does not take this max_tokens", "at most 64000", "128001")),
		Breaks("a temperature and a top_k", BlockCity, Asking(`"model":"claude-opus-4-7","temperature":0,"top_k":5`),
			Found(2, "/temperature", "the model claude-opus-4-7 does not take this temperature", "no such key", "0"),
			Found(2, "/top_k", "the model claude-opus-4-7 does not take this top_k", "no such key", "5")),
		Breaks("a budget", BlockCity, Asking(`"model":"claude-opus-5","thinking":{"type":"enabled","budget_tokens":2000}`),
			Found(2, "/thinking/type", "the model claude-opus-5 does not take this form of thinking", "adaptive, with an effort in output_config", `"enabled"`)),
		Holds("levels of effort", BlockCity, Asking(`"model":"claude-sonnet-4-6","output_config":{"effort":"max"}`)),
		Breaks("an effort of a model without", BlockCity, Asking(`"model":"claude-haiku-4-5","output_config":{"effort":"low"}`),
			Found(2, "/output_config/effort", "the model claude-haiku-4-5 does not take this effort", "no such key", `"low"`)),
		Breaks("a level of newer models", BlockCity, Asking(`"model":"claude-opus-4-5","output_config":{"effort":"max"}`),
			Found(2, "/output_config/effort", "the model claude-opus-4-5 does not take this effort", "one of high, low, medium", `"max"`)),
		Breaks("thinking of a model without", BlockCity, Asking(`"model":"claude-3-5-haiku-latest","thinking":{"type":"enabled","budget_tokens":1024}`),
			Found(2, "/thinking/type", "the model claude-3-5-haiku-latest does not take this thinking", "no such key", `"enabled"`)),
	},
	"egress/document-source": {
		Holds("not said", BlockCity, OneCityDone),
		Holds("a PDF, a text and what is no base64", BlockCity, SecondRequest(CalledOslo+`
			`+resultOf(`,"content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjQKJQ=="}},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"a b"}}]`))),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("a table", BlockCity, SecondRequest(CalledOslo+`
			`+resultOf(`,"content":[{"type":"document","source":{"type":"base64","media_type":"text/csv","data":"YQ=="}}]`)),
			Found(2, "/messages/2/content/0/content/0/source/media_type", "a document in base64 is no PDF", "application/pdf", `"text/csv"`)),
		Breaks("a page under the name of a PDF", BlockCity, SecondRequest(CalledOslo+`
			`+resultOf(`,"content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"PGh0bWw+"}}]`)),
			Found(2, "/messages/2/content/0/content/0/source/data", "the data of a document is no PDF", "the bytes of a PDF, in base64", `"PGh0bWw+"`)),
	},
	"egress/closed-schemas": {
		Holds("not said", BlockCity, OneCityDone),
		Holds("a tool that is not strict", BlockCity, Asking(`"tools":[{"name":"look","input_schema":{"type":"object"}}]`)),
		Holds("closed", BlockCity, Asking(`"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}},"additionalProperties":false}}}`)),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("a strict tool", BlockCity, Asking(`"tools":[{"name":"look","strict":true,"input_schema":{"type":"object"}}]`),
			Found(2, "/tools/0/input_schema/additionalProperties", "an object in a strict schema may have more properties", "false", "nothing")),
		Breaks("within the schema of an answer", BlockCity, Asking(`"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"a":{"anyOf":[{"type":"object","additionalProperties":true}]}},"additionalProperties":false}}}`),
			Found(2, "/output_config/format/schema/properties/a/anyOf/0/additionalProperties", "an object in a strict schema may have more properties", "false", "true")),
		Holds("what is no limit, or one that is taken", BlockCity, Asking(`"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"minimum":{"type":"array","minItems":1,"items":{"type":"string","pattern":"^a"}}},"additionalProperties":false}}}`)),
		Breaks("limits", BlockCity, Asking(`"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"a":{"type":"integer","minimum":0}},"additionalProperties":false}}},"tools":[{"name":"look","strict":true,"input_schema":{"type":"object","properties":{"a":{"type":"array","minItems":2}},"additionalProperties":false}}]`),
			Found(2, "/tools/0/input_schema/properties/a/minItems", "a strict schema has limits", "a schema without them", "2"),
			Found(2, "/output_config/format/schema/properties/a/minimum", "a strict schema has limits", "a schema without them", "0")),
	},
}
