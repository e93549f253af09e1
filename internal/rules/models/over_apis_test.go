package models_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// crosses is a conversation whose user chooses a model of another provider for the second prompt, crossesToChat
// the same with a provider that has no seals, and crossesClouds with one that has the same models. In
// fails the first model goes down.
var (
	crossesText = `
needs: [model-switch, second-api, multi-prompt, reasoning]
models: [first, second, first]
prompts: [What is the weather in Oslo?, And in Lima?, Which is warmer?]
tools:
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - reasoning: I look it up.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - text: It is 19 C in Lima.
  - text: Lima is.
`
	crosses       = Scene(crossesText).Under("openai-responses").Over("anthropic")
	crossesToChat = Scene(`
needs: [model-switch, second-api, multi-prompt]
models: [first, second]
prompts: [What is the weather in Oslo?, And in Lima?]
tools:
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - text: It is 19 C in Lima.
`).Under("gemini-3").Over("openai")
	crossesClouds = Scene(crossesText).Under("anthropic").Over("anthropic-bedrock")
	fails         = Scene(`
needs: [model-fallback, second-api]
prompt: What is the weather in Oslo?
model:
  - {status: 503, model-down: true}
  - text: It is 4 C in Oslo.
`).Under("openai-responses").Over("anthropic")
)

// plans has what Cohere's models say beside calls.
var plans = Scene(`
needs: [model-switch, second-api, multi-prompt]
models: [first, second]
prompts: [What is the weather in Oslo?, And in Lima?]
tools:
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - text: I look it up.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - text: It is 19 C in Lima.
`).Under("cohere").Over("openai")

const (
	firstAnswers = `
	asks
	runs oslo
	asks on
		{{message 1}}
		result oslo`
	call     = `{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{"city":"Oslo"}}`
	result   = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"4 C"}]}`
	answered = `assistant: It is 4 C in Oslo.
		prompt 2`
	inPairs = `
		prompt 1
		{"role":"assistant","content":[` + call + `]}
		` + result + `
		` + answered
	toSecondAPI = firstAnswers + `
	second
	asks`
	allOfIt  = toSecondAPI + inPairs
	goesBack = `
	first
	asks
		prompt 1
		{{message 1}}
		result oslo
		assistant: It is 4 C in Oslo.
		prompt 2
		assistant: It is 19 C in Lima.
		prompt 3`
	withThinking = toSecondAPI + `
		prompt 1
		{"role":"assistant","content":[{"type":"thinking","thinking":"I look it up.","signature":"{{other data 1}}"},` + call + `]}
		` + result + `
		` + answered
)

var apiCases = Cases{
	"models/texts-go-along": {
		Holds("there and back", crosses, allOfIt+goesBack),
		Holds("in one message of the user", crosses, toSecondAPI+`
		user: What is the weather in Oslo? You said: 4 C. It is 4 C in Oslo. And in Lima?`),
		Holds("without the plan of Cohere, which its own API takes turns without", plans, `
	asks
	runs oslo
	asks on
		{"role":"assistant","tool_plan":"I look it up.","tool_calls":[{{oslo call}}]}
		result oslo
	second
	asks
		prompt 1
		{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
		{"role":"tool","tool_call_id":"call_1","content":"4 C"}
		`+answered),
		SeesNothing("nobody went to another API", crosses, firstAnswers),
		SeesNothing("there is only one API", falls, goesOn),
		Breaks("only the prompts go along", crosses, toSecondAPI+`
		prompt 1
		prompt 2`,
			Found(3, "/messages", "the text of a turn did not go along to the model over messages", `"It is 4 C in Oslo."`, "no message with it")),
		Breaks("the answer of the second model is lost on the way back", crosses, allOfIt+`
	first
	asks
		prompt 1
		{{message 1}}
		result oslo
		assistant: It is 4 C in Oslo.
		prompt 3`,
			Found(4, "/input", "the text of a turn did not go along to the model over responses", `"It is 19 C in Lima."`, "no message with it")),
	},
	"models/results-go-along": {
		Holds("under another id", crosses, allOfIt),
		Holds("there and back", crosses, allOfIt+goesBack),
		Holds("told in words", crosses, toSecondAPI+`
		prompt 1
		assistant: I called get_weather({"city":"Oslo"}).
		user: It returned 4 C.
		`+answered+goesBack),
		SeesNothing("the loop keeps no calls of answered prompts", crosses, toSecondAPI+`
		prompt 1
		`+answered+`
	first
	asks
		prompt 1
		assistant: It is 4 C in Oslo.
		prompt 2
		assistant: It is 19 C in Lima.
		prompt 3`),
		SeesNothing("nobody went to another API", crosses, firstAnswers),
		SeesNothing("there is only one API", falls, goesOn),
		Breaks("neither call nor result", crosses, toSecondAPI+`
		prompt 1
		`+answered+goesBack,
			Found(3, "/messages", "the call oslo and its result did not go along to the model over messages", `get_weather "{\"city\":\"Oslo\"}", with "4 C"`, "no call with this result, and no text that tells it")),
		Breaks("an empty result", crosses, toSecondAPI+`
		prompt 1
		{"role":"assistant","content":[`+call+`]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}
		`+answered+goesBack,
			Found(3, "/messages", "the call oslo and its result did not go along to the model over messages", `get_weather "{\"city\":\"Oslo\"}", with "4 C"`, "no call with this result, and no text that tells it")),
		Breaks("the result of another call", crosses, toSecondAPI+`
		prompt 1
		{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{"city":"Rome"}}]}
		`+result+`
		`+answered+goesBack,
			Found(3, "/messages", "the call oslo and its result did not go along to the model over messages", `get_weather "{\"city\":\"Oslo\"}", with "4 C"`, "no call with this result, and no text that tells it")),
	},
	"models/seals-stay-behind": {
		Holds("they stay behind", crosses, allOfIt),
		Holds("the words go along", crosses, toSecondAPI+`
		prompt 1
		{"role":"assistant","content":[{"type":"text","text":"I look it up."},`+call+`]}
		`+result+`
		`+answered),
		Holds("they are there again for the first one", crosses, allOfIt+goesBack),
		SeesNothing("nobody went to another API", crosses, firstAnswers),
		SeesNothing("nothing was sealed", fails, `
			asks
			second
			asks`),
		SeesNothing("there is only one API", falls, goesOn),
		SeesNothing("the other cloud has models of the same maker", crossesClouds, withThinking),
		Breaks("as the signature of a thought", crosses, withThinking,
			Found(3, "/messages/1/content/0/signature", "what another provider has sealed was sent over messages", "the turn without it", `"{{data 1}}"`)),
		Breaks("to a provider that has no seals", crossesToChat, `
	asks
	runs oslo
	asks on
		{{message 1}}
		result oslo
	second
	asks
		prompt 1
		{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"},"extra_content":{"google":{"thought_signature":"{{other signature 1}}"}}}]}
		{"role":"tool","tool_call_id":"call_1","content":"4 C"}
		assistant: It is 4 C in Oslo.
		prompt 2`,
			Found(3, "/messages/1/tool_calls/0/extra_content/google/thought_signature", "what another provider has sealed was sent over chat", "the turn without it", `"{{signature 1}}"`).Only(trace.Should)),
	},
}

// overAPIs are cases of rules that also are about one API.
var overAPIs = Cases{
	"models/fallback-asked": {
		Holds("in the other API", fails, `
			asks
			second
			asks`),
		Breaks("under the address of the first one", fails, `
			asks
			asks with {"model":"second-model"}
			failed: 503`,
			Found(1, "", "the first model failed, and the second one was not asked", "a request to second-model over messages", `the loop reported failed: "503"`)),
	},
	"models/switch-as-chosen": {
		Holds("each in its API", crosses, allOfIt+goesBack),
		Holds("by a name of the loop's own in its API", crosses.Of(protocol.OwnModel), allOfIt+goesBack),
		Breaks("in the API of the first one", crosses, firstAnswers+`
	asks on with {"model":"second-model"}
		`+answered,
			Found(3, "/model", "another model is asked than the one that the user has chosen for this prompt", `"second-model" over messages`, `"second-model" over responses`)),
	},
}
