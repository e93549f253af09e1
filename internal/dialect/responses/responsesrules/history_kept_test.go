package responsesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// storedRounds is a conversation of two rounds with a system prompt that the provider keeps.
var storedRounds = Scene(WeatherTool + `
system: You are terse.
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`).Under("openai-responses-stored")

const wholeAgain = `
			asks on
				calls oslo
				result oslo
			runs lima
			asks on
				calls lima
				result lima
			completed`

const secondStored = `
			asks
			runs oslo
			asks on with {"previous_response_id":"resp_1"}
			keeps 3
				calls oslo
				result oslo
			completed`

var historyKeptCases = Cases{
	"history/only-what-is-new": {
		Holds("the result alone", storedRounds, secondStored),
		Holds("a reminder of the loop's own", storedRounds, `
			asks
			runs oslo
			asks on with {"previous_response_id":"resp_1"}
			keeps 3
				calls oslo
				result oslo
				user: Two turns are left.
			completed`),
		SeesNothing("nothing is left to the provider", storedRounds, `
			asks
			runs oslo`+wholeAgain),
		Breaks("the prompt again", storedRounds, `
			asks
			runs oslo
			asks on with {"previous_response_id":"resp_1"}
			keeps 3
				calls oslo
				result oslo
				prompt 1
			completed`,
			Found(2, "/input/3", "the request goes on from a response, and says again what that holds", "only what is new",
				`{"role":"user","content":"Compare the weather in Oslo and Lima."}`)),
	},
	"history/tools-with-each-request": {
		Holds("with each", storedRounds, secondStored),
		SeesNothing("nothing is left to the provider", storedRounds, `
			asks
			runs oslo`+wholeAgain),
		Breaks("with the first alone", storedRounds, `
			asks
			runs oslo
			asks on without tools with {"previous_response_id":"resp_1"}
			keeps 3
				calls oslo
				result oslo
			runs lima
			asks on with {"previous_response_id":"resp_2"}
			keeps 5
				calls lima
				result lima
			completed`,
			Found(2, "/tools", "the request goes on from a response, and offers no tools", "the tools of the task", "nothing")),
	},
	"history/named-response-is-stored": {
		Holds("stored", storedRounds, `
			asks without store
			runs oslo
			asks on without store with {"previous_response_id":"resp_1"}
			keeps 3
				calls oslo
				result oslo
			completed`),
		SeesNothing("nothing is left to the provider", storedRounds, `
			asks
			runs oslo`+wholeAgain),
		SeesNothing("the provider lost it", storedRounds, `
			asks without store
			runs oslo
			continues resp_1: previous_response_not_found lost
			failed: 400`),
		Breaks("not stored", storedRounds, `
			asks with {"store":false}
			runs oslo
			continues resp_1: previous_response_not_found
			failed: 400`,
			Found(2, "", "the request goes on from a response that was not stored", "a response whose request did not say store: false", "resp_1, which is refused with previous_response_not_found")),
	},
}
