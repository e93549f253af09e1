package models_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// falls is a conversation whose first model goes down after its first turn, and chosen one whose
// user chooses another model for the second prompt, and the first one for the third.
var (
	falls = Scene(`
needs: [model-fallback, reasoning]
prompt: Which of Oslo and Lima is warmer?
tools:
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - reasoning-details: [{type: encrypted, format: openai-responses-v1, id: rs_1}]
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - {status: 503, model-down: true}
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`).Under("openrouter")
	chosen = Scene(`
needs: [model-switch, multi-prompt, reasoning]
models: [first, second, first]
prompts: [What is the weather in Oslo?, And in Lima?, And in Rome?]
model:
  - reasoning-details: [{type: encrypted, format: openai-responses-v1, id: rs_1}]
    text: It is 4 C in Oslo.
  - text: It is 19 C in Lima.
  - text: It is 11 C in Rome.
`).Under("openrouter")
)

const (
	toSecond = ` with {"model":"second-model"}`

	begins = `
	asks
	runs oslo
	asks on
		{{message 1}}
		result oslo`
	goesOn = begins + `
	asks` + toSecond + `
		prompt 1
		{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
		result oslo`
	sealed = `{"role":"assistant","content":null,"tool_calls":[{{oslo call}}],"reasoning_details":[{"type":"reasoning.encrypted","data":"{{data 1}}","format":"openai-responses-v1","id":"rs_1","index":0}]}`
	block  = `{"type":"reasoning.encrypted","data":"{{data 1}}","format":"openai-responses-v1","id":"rs_1","index":0}`
)

var coreCases = Cases{
	"models/fallback-asked": {
		Holds("at once", falls, goesOn),
		Holds("under another name, with the provider before it", falls, begins+`
			asks with {"model":"openai/second-model"}
				prompt 1
				{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
				result oslo`),
		SeesNothing("it did not fail", falls, `
			asks
			runs oslo`),
		SeesNothing("the time was over", falls, begins+`
			hung`),
		Breaks("the run fails instead", falls, begins+`
			failed: 503`,
			Found(2, "", "the first model failed, and the second one was not asked", "a request to second-model", `the loop reported failed: "503"`)),
	},
	"models/switch-as-chosen": {
		Holds("each prompt to its model", chosen, `
			asks
			asks on`+toSecond+`
				assistant: It is 4 C in Oslo.
				prompt 2
			asks on
				assistant: It is 19 C in Lima.
				prompt 3
			completed`),
		Holds("by a name of the loop's own", chosen.Of(protocol.OwnModel), `
			asks with {"model":"gpt-5"}
			asks on`+toSecond+`
				assistant: It is 4 C in Oslo.
				prompt 2
			asks on with {"model":"gpt-5"}
				assistant: It is 19 C in Lima.
				prompt 3`),
		SeesNothing("there is nothing to choose", falls, goesOn),
		SeesNothing("no model is named", chosen, `
			asks without model`),
		Breaks("the choice is ignored", chosen, `
			asks
			asks on
				assistant: It is 4 C in Oslo.
				prompt 2`,
			Found(2, "/model", "another model is asked than the one that the user has chosen for this prompt", `"second-model"`, `"loopproof"`)),
		Breaks("and stays ignored for the way back", chosen.Of(protocol.OwnModel), `
			asks
			asks on`+toSecond+`
				assistant: It is 4 C in Oslo.
				prompt 2
			asks on`+toSecond+`
				assistant: It is 19 C in Lima.
				prompt 3`,
			Found(3, "/model", "another model is asked than the one that the user has chosen for this prompt", `"loopproof"`, `"second-model"`)),
	},
	"models/reasoning-stays-behind": {
		Holds("it stays behind", falls, goesOn),
		Holds("the first model, chosen again, may have it back", chosen, `
			asks
			asks on`+toSecond+`
				assistant: It is 4 C in Oslo.
				prompt 2
			asks
				prompt 1
				{{message 1}}
				prompt 2
				assistant: It is 19 C in Lima.
				prompt 3`),
		SeesNothing("the same model", falls, begins),
		SeesNothing("a provider that does not refuse it", falls.Under("openai"), goesOn),
		Breaks("it is sent to the second model", falls, begins+`
			asks`+toSecond+`
				prompt 1
				`+sealed+`
				result oslo`,
			Found(3, "/messages/1/reasoning_details/0", "encrypted reasoning of another model was sent", "the turn without it", block)),
		Breaks("it is left out when it was refused", falls, begins+`
			asks`+toSecond+`
				prompt 1
				`+sealed+`
				result oslo
			asks`+toSecond+`
				prompt 1
				{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
				result oslo`,
			Found(3, "/messages/1/reasoning_details/0", "encrypted reasoning of another model was sent", "the turn without it", block).Only(trace.Should)),
	},
}
