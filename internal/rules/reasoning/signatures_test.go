package reasoning_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	// signedCalls calls twice in a turn of which the first call is signed.
	signedCalls = TwoCities.Under("gemini-compat")
	twoModels   = Scene(`
needs: [model-fallback, reasoning]
prompt: What is the weather in Oslo?
tools:
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - {status: 503, model-down: true}
  - text: It is 4 C.
`).Under("gemini-compat")
)

// signatureCases are about rules that Gemini alone asks for.
var signatureCases = Cases{
	"reasoning/call-signature-returned": {
		Holds("as it came", signedCalls, twoRuns(`
			{{message 1}}
			result oslo
			result lima`)),
		SeesNothing("OpenAI signs none", TwoCities, TwoCitiesDone),
		SeesNothing("a lost turn is for calls-come-back", signedCalls, twoRuns(`
			result oslo
			result lima`)),
		Breaks("dropped", signedCalls, twoRuns(`
			calls oslo, lima
			result oslo
			result lima`),
			Found(2, "/messages/1/tool_calls/0/extra_content", "the signature of a call did not come back as it was given", "{{signed oslo}}", "nothing")),
		Holds("a placeholder for another model", twoModels, toSecond(`{"role":"assistant","content":null,"tool_calls":[`+placeholder+`]}`)),
		Breaks("dropped for another model", twoModels, toSecond(`calls oslo`),
			Found(3, "/messages/1/tool_calls/0/extra_content", "the signature of a call did not come back as it was given", "{{signed oslo}}", "nothing")),
		Breaks("another one", signedCalls, twoRuns(`
			{"role":"assistant","content":null,"tool_calls":[{"extra_content":{"google":{"thought_signature":"c2ln"}},"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{{lima call}}]}
			result oslo
			result lima`),
			Found(2, "/messages/1/tool_calls/0/extra_content", "the signature of a call did not come back as it was given", "{{signed oslo}}", `"c2ln"`)),
	},
	"reasoning/call-signature-not-made-up": {
		Holds("the second of two calls has none", signedCalls, twoRuns(`
			{{message 1}}
			result oslo
			result lima`)),
		Holds("one that stands for none", signedCalls, twoRuns(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}},"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
			result oslo
			result lima`)),
		SeesNothing("OpenAI signs none", TwoCities, TwoCitiesDone),
		SeesNothing("a lost turn is for calls-come-back", signedCalls, twoRuns(`
			result oslo
			result lima`)),
		Breaks("another one's", signedCalls, twoRuns(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{"extra_content":{"google":{"thought_signature":"c2ln"}},"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
			result oslo
			result lima`),
			Found(2, "/messages/1/tool_calls/1/extra_content/google/thought_signature", "a call that came without a signature came back with one", "no signature", `"c2ln"`)),
	},
}

// twoRuns is a dialogue in which both tools of a turn run, and the next request has these messages.
func twoRuns(messages string) string {
	return `
		asks
		runs oslo
		runs lima
		asks on
			` + messages + `
		completed`
}

const placeholder = `{"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}},"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`

// toSecond is a dialogue in which the first model fails once it has called a tool, and the second one
// is sent the call as this.
func toSecond(turn string) string {
	return `
		asks
		runs oslo
		asks on
			{{message 1}}
			result oslo
		asks with {"model":"second-model"}
			prompt 1
			` + turn + `
			result oslo`
}
