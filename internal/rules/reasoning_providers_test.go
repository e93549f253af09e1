package rules

var (
	// thinkingTwice is a conversation in which the user goes on, with a model that thinks at every turn.
	thinkingTwice = scene(weatherTool + `
prompts: [What is the weather in Oslo?, Is that warm?]
model:
  - reasoning: I ask for Oslo.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: The tool says 4 C.
    text: It is 4 C in Oslo.
  - text: No, it is cold.
`).under("moonshot")
	// signedCalls calls twice in a turn of which the first call is signed.
	signedCalls = twoCities.under("gemini-compat")
)

// onTheWay is a dialogue about thinkingTwice in which the first answer goes back in this way.
func onTheWay(answer string) string {
	return `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		asks on
			` + answer + `
			prompt 2
		completed`
}

// reasoningProviderCases are about rules that a single provider asks for.
var reasoningProviderCases = ruleCases{
	"reasoning/resent-on-all-turns": {
		holds("with the answer", thinkingTwice, onTheWay(`{"role":"assistant","content":"It is 4 C in Oslo.","reasoning_content":"The tool says 4 C."}`)),
		seesNothing("DeepSeek ignores that of answers", thinkingTwice.under("deepseek"), onTheWay(`assistant: It is 4 C in Oslo.`)),
		seesNothing("one prompt only", oneCity.under("moonshot"), oneCityDone),
		breaks("left out", thinkingTwice, onTheWay(`assistant: It is 4 C in Oslo.`),
			finding{3, "/messages/3/reasoning_content", "the reasoning of an answer did not go back", `"reasoning_content": "The tool says 4 C."`, "only role, content"}),
	},
	"reasoning/call-signature-returned": {
		holds("as it came", signedCalls, twoRuns(`
			{{message 1}}
			result oslo
			result lima`)),
		seesNothing("OpenAI signs none", twoCities, twoCitiesDone),
		seesNothing("a lost turn is for calls-come-back", signedCalls, twoRuns(`
			result oslo
			result lima`)),
		breaks("dropped", signedCalls, twoRuns(`
			calls oslo, lima
			result oslo
			result lima`),
			finding{2, "/messages/1/tool_calls/0/extra_content", "the signature of a call did not come back as it was given", "{{signed oslo}}", "nothing"}),
		breaks("another one", signedCalls, twoRuns(`
			{"role":"assistant","content":null,"tool_calls":[{"extra_content":{"google":{"thought_signature":"c2ln"}},"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{{lima call}}]}
			result oslo
			result lima`),
			finding{2, "/messages/1/tool_calls/0/extra_content", "the signature of a call did not come back as it was given", "{{signed oslo}}", `"c2ln"`}),
	},
	"reasoning/call-signature-not-made-up": {
		holds("the second of two calls has none", signedCalls, twoRuns(`
			{{message 1}}
			result oslo
			result lima`)),
		holds("one that stands for none", signedCalls, twoRuns(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}},"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
			result oslo
			result lima`)),
		seesNothing("OpenAI signs none", twoCities, twoCitiesDone),
		seesNothing("a lost turn is for calls-come-back", signedCalls, twoRuns(`
			result oslo
			result lima`)),
		breaks("another one's", signedCalls, twoRuns(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{"extra_content":{"google":{"thought_signature":"c2ln"}},"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
			result oslo
			result lima`),
			finding{2, "/messages/1/tool_calls/1/extra_content/google/thought_signature", "a call that came without a signature came back with one", "no signature", `"c2ln"`}),
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
