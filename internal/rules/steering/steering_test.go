package steering_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

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
		Holds("behind the results", Steered, begins+`
			asks on
				calls oslo, lima
				result oslo: interrupted
				result lima: interrupted
				prompt 2`),
		Holds("behind the answer", Steered, begins+`
			asks on
				calls oslo, lima
				result oslo: interrupted
				result lima: interrupted
			asks on
				assistant: Both have 4 C.
				prompt 2`),
		SeesNothing("the turn is not there", Steered, begins+`
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
		SeesNothing("the prompt is not there", Steered, begins+`
			asks on
				calls oslo, lima
				result oslo: interrupted
				result lima: interrupted
			completed`),
		Breaks("before the turn", Steered, begins+`
			asks on
				prompt 2
				calls oslo, lima
				result oslo: interrupted
				result lima: interrupted`,
			Found(2, "/messages/1", "a prompt that came while tools ran stands before the turn that called them", `behind the turn: "Only Lima matters."`, `{"role":"user","content":"Only Lima matters."}`)),
	},
	"steering/interruption-told": {
		Holds("in words", Steered, begins+`
			asks on
				calls oslo, lima
				result oslo: interrupted
				result lima: not run
				prompt 2`),
		Holds("nothing was given up", Steered, `
			asks
			steers
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				result oslo
				result lima
				prompt 2`),
		SeesNothing("the user says nothing", Steered, `
			asks
			runs oslo for 50ms given up
			asks on
				calls oslo, lima
				{"role":"tool","tool_call_id":"{{oslo}}","content":""}
				{"role":"tool","tool_call_id":"{{lima}}","content":""}`),
		Breaks("an empty result", Steered, begins+`
			asks on
				calls oslo, lima
				result oslo: interrupted
				{"role":"tool","tool_call_id":"{{lima}}","content":""}
				prompt 2`,
			Found(2, "/messages/3/content", "the call lima, which was given up for a prompt of the user, was answered with nothing", "words from which the model knows that it was interrupted", "an empty result")),
	},
}
