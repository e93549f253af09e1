package steering_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// weather is a turn with two calls, while which the user says more.
var weather = Scene(`
needs: [steering, multi-prompt, parallel-calls]
prompts: [Compare Oslo and Lima., Only Lima matters.]
tools:
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
    steers: true
  - text: Both have 4 C.
    if-queued: true
  - text: Lima has 4 C.
`)

// again is a turn during which the user says more, and a later one with the same call.
var again = Scene(`
needs: [steering, multi-prompt]
prompts: [What is the weather in Oslo?, Look again.]
tools:
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    steers: true
  - text: It is 4 C.
    if-queued: true
  - calls: [{as: later, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is still 4 C.
`)

const begins = `
	asks
	steers
	runs oslo for 50ms given up
	`

var coreCases = Cases{
	"steering/behind-the-open-turn": {
		Holds("behind the results", weather, begins+`
			asks on
				calls oslo, lima
				result oslo: interrupted
				result lima: interrupted
				prompt 2`),
		Holds("behind the answer", weather, begins+`
			asks on
				calls oslo, lima
				result oslo: interrupted
				result lima: interrupted
			asks on
				assistant: Both have 4 C.
				prompt 2`),
		SeesNothing("the turn is not there", weather, begins+`
			asks on
				prompt 2`),
		Holds("a turn with the same calls is there instead", again, `
			asks
			steers
			runs oslo for 50ms given up
			asks on
				calls oslo
				result oslo: interrupted
			asks on
				assistant: It is 4 C.
				prompt 2
			runs later
			asks
				prompt 1
				assistant: It is 4 C.
				prompt 2
				calls later
				result later`),
		SeesNothing("the prompt is not there", weather, begins+`
			asks on
				calls oslo, lima
				result oslo: interrupted
				result lima: interrupted
			completed`),
		Breaks("before the turn", weather, begins+`
			asks on
				prompt 2
				calls oslo, lima
				result oslo: interrupted
				result lima: interrupted`,
			Found(2, "/messages/1", "a prompt that came while tools ran stands before the turn that called them", `behind the turn: "Only Lima matters."`, `{"role":"user","content":"Only Lima matters."}`)),
	},
	"steering/interruption-told": {
		Holds("in words", weather, begins+`
			asks on
				calls oslo, lima
				result oslo: interrupted
				result lima: not run
				prompt 2`),
		Holds("nothing was given up", weather, `
			asks
			steers
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				result oslo
				result lima
				prompt 2`),
		SeesNothing("the user says nothing", weather, `
			asks
			runs oslo for 50ms given up
			asks on
				calls oslo, lima
				{"role":"tool","tool_call_id":"{{oslo}}","content":""}
				{"role":"tool","tool_call_id":"{{lima}}","content":""}`),
		Breaks("an empty result", weather, begins+`
			asks on
				calls oslo, lima
				result oslo: interrupted
				{"role":"tool","tool_call_id":"{{lima}}","content":""}
				prompt 2`,
			Found(2, "/messages/3/content", "the call lima, which was given up for a prompt of the user, was answered with nothing", "words from which the model knows that it was interrupted", "an empty result")),
	},
}
