package rules

import "fmt"

var (
	geminiCity = oneCity.under("gemini-3")
	geminiTwo  = twoCities.under("gemini-3")
	geminiNone = noTools.under("gemini-3")

	// geminiThoughts is a turn that shows a thought before it calls.
	geminiThoughts = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: I look it up.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).under("gemini-3")
)

// partBefore is a round of geminiCity whose prompt has another part.
func partBefore(part string) string {
	return `
		asks
		runs oslo
		asks
			{"role":"user","parts":[{"text":"What is the weather in Oslo?"},` + part + `]}
			calls oslo
			result oslo
		completed`
}

// callAs and responseAs are rounds whose call or response goes back as it is given here.
func callAs(part string) string {
	return secondRequest(`{"role":"model","parts":[` + part + `]}
		result oslo`)
}

func responseAs(said string) string {
	return secondRequest(`calls oslo
		{"role":"user","parts":[{"functionResponse":` + said + `}]}`)
}

func bodyWith(keys string) string {
	return `
		asks
		runs oslo
		asks on with ` + keys + `
			calls oslo
			result oslo
		completed`
}

// contentRule are cases of a rule of the dialect gemini: dialogues that are right, and one that is wrong, with what is found.
func contentRule(wrong string, found finding, right ...string) []ruleCase {
	cases := []ruleCase{
		holds("as the reference has it", geminiCity, oneCityDone),
		seesNothing("no tool was used", geminiNone, noToolsDone),
		breaks("wrong", geminiCity, wrong, found),
	}
	for n, dialogue := range right {
		cases = append(cases, holds(fmt.Sprint("right ", n+1), geminiCity, dialogue))
	}
	return cases
}

const (
	oneOfData = "one of text, functionCall, functionResponse, inlineData and their like"
	answered  = `"name":"get_weather","id":"{{oslo}}"`
)

var geminiCases = ruleCases{
	"egress/part-says-one-thing": contentRule(partBefore(`{}`),
		finding{2, "/contents/0/parts/1", "a part says 0 things", oneOfData, "{}"},
		partBefore(`{"inline_data":{"mime_type":"image/png","data":"iVBORw0="}}`), partBefore(`{"text":""}`)),
	"egress/part-keys": contentRule(partBefore(`{"text":"So.","type":"text"}`),
		finding{2, "/contents/0/parts/1/type", `a part has the key "type"`, "only " + list(partKeysTaken), `"text"`},
		partBefore(`{"text":"So.","thought_signature":"c2k="}`)),
	"egress/response-is-object": contentRule(responseAs(`{`+answered+`,"response":"4 C"}`),
		finding{2, "/contents/2/parts/0/functionResponse/response", "what a tool returned is no object", `an object, such as {"output": ...}`, `"4 C"`},
		responseAs(`{`+answered+`,"response":{"result":[1,2]}}`)),
	"egress/response-named": contentRule(responseAs(`{"id":"{{oslo}}","response":{"output":"4 C"}}`),
		finding{2, "/contents/2/parts/0/functionResponse/name", "a function response without a name", "the name of the function", "nothing"}),
	"egress/response-named-as-its-call": contentRule(responseAs(`{"id":"{{oslo}}","name":"{{oslo}}","response":{"output":"4 C"}}`),
		finding{2, "/contents/2/parts/0/functionResponse/name", "a function response has another name than its call", `"get_weather"`, `"{{oslo}}"`}),
	"egress/args-are-object": contentRule(callAs(`{"functionCall":{"name":"get_weather","args":"{}","id":"{{oslo}}"}}`),
		finding{2, "/contents/1/parts/0/functionCall/args", "the args of a call are no object", "an object", `"{}"`},
		callAs(`{"functionCall":{"name":"get_weather","id":"{{oslo}}"}}`)),
	"egress/declaration-keys": contentRule(
		bodyWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","strict":true}]}]}`),
		finding{2, "/tools/0/functionDeclarations/0/strict", `a function has the key "strict"`, "only name, description, behavior, parameters, parametersJsonSchema, response, responseJsonSchema", "true"},
		bodyWith(`{"tools":[{"function_declarations":[{"name":"get_weather","parameters_json_schema":{}}]}]}`)),
	"egress/schema-keys": contentRule(
		bodyWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING","const":"Oslo"}}}}]}]}`),
		finding{2, "/tools/0/functionDeclarations/0/parameters/properties/city/const", `a schema has the key "const"`, "only " + list(schemaKeysTaken), `"Oslo"`},
		bodyWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING"}}}}]}]}`)),
	"egress/instruction-form": contentRule(bodyWith(`{"systemInstruction":"Be brief."}`),
		finding{2, "/systemInstruction", "the system instruction is no content", `{"parts":[{"text":"..."}]}`, `"Be brief."`},
		bodyWith(`{"system_instruction":{"role":"user","parts":[{"text":"Be brief."}]}}`)),
	"egress/config-keys": contentRule(bodyWith(`{"generationConfig":{"max_tokens":100}}`),
		finding{2, "/generationConfig/max_tokens", `generationConfig has the key "max_tokens"`, "only " + list(configKeysTaken), "100"},
		bodyWith(`{"generationConfig":{"max_output_tokens":100,"topP":0.5}}`)),
	"egress/calling-mode": contentRule(bodyWith(`{"toolConfig":{"functionCallingConfig":{"mode":"auto"}}}`),
		finding{2, "/toolConfig/functionCallingConfig/mode", "a mode that the API does not know", "one of " + joinedWords(callingModes), `"auto"`},
		bodyWith(`{"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}}`)),
	"egress/allowed-names-declared": contentRule(bodyWith(`{"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["get_time"]}}}`),
		finding{2, "/toolConfig/functionCallingConfig/allowedFunctionNames/0", "an allowed name is that of no function", "the name of a declared function", `"get_time"`},
		bodyWith(`{"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED","allowedFunctionNames":["get_weather"]}}}`)),
	"pairing/response-has-the-id": contentRule(responseAs(`{"name":"get_weather","response":{"output":"4 C"}}`),
		finding{2, "/contents/2/parts/0/functionResponse/id", "a function response without the id of its call", `"{{oslo}}"`, "nothing"}),
	"pairing/calls-behind-the-user": contentRule(`
		asks
		runs oslo
		asks
			calls oslo
			result oslo
		completed`,
		finding{2, "/contents/0", "a turn with calls does not stand behind the user", "a content of the user before it", `{"role":"model","parts":[{{oslo call}}]}`}),
	"pairing/responses-in-one-content": {
		holds("in one", geminiTwo, `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				results oslo, lima
			completed`),
		seesNothing("one call", geminiCity, oneCityDone),
		breaks("in two", geminiTwo, twoCitiesDone,
			finding{2, "/contents/3", "the responses to the calls of one turn stand in several contents", "2 responses in one content", `{"role":"user","parts":[{"functionResponse":{"name":"get_weather","response":{"output":"19 C"},"id":"{{lima}}"}}]}`}),
	},
	"reasoning/signatures-untouched": {
		holds("as it came", geminiCity, oneCityDone),
		holds("one that stands for none", geminiCity, callAs(`{"functionCall":{"name":"get_weather","args":{"city":"Oslo"},"id":"{{oslo}}"},"thoughtSignature":"{{signature 1}}"},{"text":"So.","thoughtSignature":"skip_thought_signature_validator"}`)),
		seesNothing("no tool was used", geminiNone, noToolsDone),
		breaks("on a text", geminiCity, callAs(`{"text":"So.","thoughtSignature":"{{signature 1}}"},{"functionCall":{"name":"get_weather","args":{"city":"Oslo"},"id":"{{oslo}}"}}`),
			finding{2, "/contents/1/parts/0/thoughtSignature", "a thought signature is not that of this part", "the signature as it was given", `"{{signature 1}}"`}),
	},
	"reasoning/thoughts-stay-thoughts": {
		holds("left out", geminiThoughts, oneCityDone),
		holds("as one", geminiThoughts, callAs(`{"text":"I look it up.","thought":true},{{oslo call}}`)),
		seesNothing("none was shown", geminiCity, oneCityDone),
		breaks("as a text", geminiThoughts, callAs(`{"text":"I look it up."},{{oslo call}}`),
			finding{2, "/contents/1/parts/0", "a thought came back as a text", `"thought": true, or no such part`, `{"text":"I look it up."}`}),
	},
}
