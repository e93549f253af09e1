package geminirules_test

import (
	"fmt"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	geminiCity = OneCity.Under("gemini-3")
	geminiTwo  = TwoCities.Under("gemini-3")
	geminiNone = NoTools.Under("gemini-3")

	// geminiTwoPrompts answers two prompts with texts alone.
	geminiTwoPrompts = Scene(`
needs: [multi-prompt]
prompts: [How is the weather?, Since when?]
model:
  - text: "It is cold.\n"
  - text: Since yesterday.
`).Under("gemini-3")
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
	return SecondRequest(`{"role":"model","parts":[` + part + `]}
		result oslo`)
}

func responseAs(said string) string {
	return SecondRequest(`calls oslo
		{"role":"user","parts":[{"functionResponse":` + said + `}]}`)
}

// contentRule are cases of a rule of the dialect gemini: dialogues that are right, and one that is
// wrong, with what is found.
func contentRule(wrong string, found Finding, right ...string) []Case {
	cases := []Case{
		Holds("as the reference has it", geminiCity, OneCityDone),
		SeesNothing("no tool was used", geminiNone, NoToolsDone),
		Breaks("wrong", geminiCity, wrong, found),
	}
	for n, dialogue := range right {
		cases = append(cases, Holds(fmt.Sprint("right ", n+1), geminiCity, dialogue))
	}
	return cases
}

var geminiCases = Cases{
	"pairing/calls-follow-a-prompt": append(contentRule(`
		asks
		runs oslo
		asks
			{"role":"model","parts":[{"functionCall":{"name":"get_weather","args":{}}}]}
			{"role":"user","parts":[{"functionResponse":{"name":"get_weather","response":{}}}]}
			user: What is the weather in Oslo?
			calls oslo
			result oslo
		completed`,
		Found(2, "/contents/0", "function calls before anything that the user said", "a content of the user first", `{"role":"model","parts":[{"functionCall":{"name":"get_weather","args":{}}}]}`)),
		Breaks("calls and responses in one content", geminiCity, partBefore(`{"functionCall":{"name":"get_weather","args":{}}},{"functionResponse":{"name":"get_weather","response":{}}}`),
			Found(2, "/contents/0", "function calls and function responses in one content", "a content of the model with the calls, then one of the user with the responses", `{"role":"user","parts":[{"text":"What is the weather in Oslo?"},{"functionCall":{"name":"get_weather","args":{}}},{"functionResponse":{"name":"get_weather","response":{}}}]}`))),
	"egress/instruction-of-texts": contentRule(AskingWith(`{"systemInstruction":{"parts":[{"text":"Be brief."},{"inlineData":{"mimeType":"image/png","data":"iVBORw0="}}]}}`),
		Found(2, "/systemInstruction/parts/1", "the system instruction has a part that is no text", "texts alone", `{"inlineData":{"mimeType":"image/png","data":"iVBORw0="}}`),
		AskingWith(`{"systemInstruction":{"parts":[{"text":"Be brief."},{"text":"Be kind."}]}}`),
	),
	"egress/schema-required-is-defined": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING"}},"required":["city","format"]}}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/parameters/required/1", `a schema requires what is none of its properties`, `the name of a property`, `"format"`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"format":{"type":"STRING"}},"required":["format"]}}]}]}`),
	),
	"egress/response-named-as-its-call": contentRule(responseAs(`{"id":"{{oslo}}","name":"{{oslo}}","response":{"output":"4 C"}}`),
		Found(2, "/contents/2/parts/0/functionResponse/name", "a function response has another name than its call", `"get_weather"`, `"{{oslo}}"`)),
	"egress/calling-needs-functions": contentRule(AskingWith(`{"tools":[{"googleSearch":{}}],"tool_config":{"function_calling_config":{"mode":"AUTO"}}}`),
		Found(2, "/tool_config/function_calling_config", "how functions are called is said without any", "no functionCallingConfig", `{"mode":"AUTO"}`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}}`),
		AskingWith(`{"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}`),
		AskingWith(`{"toolConfig":{"functionCallingConfig":{}}}`),
		AskingWith(`{"toolConfig":{"functionCallingConfig":{"mode":"required"}}}`),
		AskingWith(`{"tools":[{"googleSearch":{}}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"},"includeServerSideToolInvocations":true}}`),
		AskingWith(`{"toolConfig":{"retrievalConfig":{"languageCode":"en"}}}`),
	),
	"egress/allowed-names-declared": contentRule(AskingWith(`{"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["get_time"]}}}`),
		Found(2, "/toolConfig/functionCallingConfig/allowedFunctionNames/0", "an allowed name is that of no function", "the name of a declared function", `"get_time"`),
		AskingWith(`{"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED","allowedFunctionNames":["get_weather"]}}}`),
		AskingWith(`{"toolConfig":{"functionCallingConfig":{"mode":"any","allowedFunctionNames":"get_weather"}}}`)),
	"pairing/response-has-the-id": contentRule(responseAs(`{"name":"get_weather","response":{"output":"4 C"}}`),
		Found(2, "/contents/2/parts/0/functionResponse/id", "a function response without the id of its call", `"{{oslo}}"`, "nothing")),
	"pairing/responses-in-one-content": {
		Holds("in one", geminiTwo, `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				results oslo, lima
			completed`),
		SeesNothing("one call", geminiCity, OneCityDone),
		Breaks("in two", geminiTwo, TwoCitiesDone,
			Found(2, "/contents/3", "the responses to the calls of one turn are in several contents", "2 responses in one content", `{"role":"user","parts":[{"functionResponse":{"name":"get_weather","response":{"output":"19 C"},"id":"{{lima}}"}}]}`)),
	},
	"reasoning/signatures-untouched": {
		Holds("as it came", geminiCity, OneCityDone),
		Holds("one that stands for none", geminiCity, callAs(`{"functionCall":{"name":"get_weather","args":{"city":"Oslo"},"id":"{{oslo}}"},"thoughtSignature":"{{signature 1}}"},{"text":"So.","thoughtSignature":"skip_thought_signature_validator"}`)),
		Holds("each part in a content of its own", geminiCity, SecondRequest(`{"role":"model","parts":[{{oslo call}}]}
			{"role":"model","parts":[{"text":""}]}
			result oslo`)),
		SeesNothing("on a text without the spaces at its ends", geminiTwoPrompts, `
			asks
			asks
				prompt 1
				{"role":"model","parts":[{"text":"It is cold.","thoughtSignature":"{{signature 1}}"}]}
				prompt 2
			completed`),
		Breaks("on another text", geminiTwoPrompts, `
			asks
			asks
				prompt 1
				{"role":"model","parts":[{"text":"It is warm.","thoughtSignature":"{{signature 1}}"}]}
				prompt 2
			completed`,
			Found(2, "/contents/1/parts/0/thoughtSignature", "a thought signature is not that of this part", "the signature as it was given", `"{{signature 1}}"`)),
		SeesNothing("no tool was used", geminiNone, NoToolsDone),
		Breaks("on a text", geminiCity, callAs(`{"text":"So.","thoughtSignature":"{{signature 1}}"},{"functionCall":{"name":"get_weather","args":{"city":"Oslo"},"id":"{{oslo}}"}}`),
			Found(2, "/contents/1/parts/0/thoughtSignature", "a thought signature is not that of this part", "the signature as it was given", `"{{signature 1}}"`)),
	},
}
