package failure_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

var placeCases = Cases{
	"failure/error-line-reported": {
		Holds("reported", failingLate("error-without-data"), AfterRound("failed: it fell over")),
		Holds("asked again", failingLate("error-without-data"), AfterRound("asks on\nfailed: it fell over")),
		SeesNothing("an ordinary answer", OneCity.By(wire.DeliverSSE), OneCityDone),
		SeesNothing("no tool was used", failingLate("error-without-data"), "asks\nfailed: no"),
		Breaks("reported as completed", failingLate("error-without-data"), AfterRound("completed: It is"),
			Found(2, "", Does("error-without-data")+"the broken answer was reported as completed", "status failed or stopped", `status completed with the text "It is"`)),
	},
	"failure/error-objects": {
		Holds("reported", failingLate("error-as-text"), AfterRound("failed: it fell over")),
		Holds("asked again", failingLate("error-in-choice"), AfterRound("asks on\nfailed: it fell over")),
		SeesNothing("an ordinary error", OneCity.By(wire.DeliverSSE), OneCityDone),
		SeesNothing("no tool was used", failingLate("error-as-text"), `
			asks
			failed: no`),
		Breaks("reported as completed", failingLate("error-beside-choices"), AfterRound("completed: It is"),
			Found(2, "", Does("error-beside-choices")+"the broken answer was reported as completed", "status failed or stopped", `status completed with the text "It is"`)),
		Breaks("a crash", failingLate("error-named-event"), AfterRound("crashed"),
			Found(2, "", Does("error-named-event")+"the loop did not survive it", "a failure that is reported, or another attempt", "the loop crashed")),
		Breaks("a call of it is run", failingCall, AfterRound("runs lima\nfailed: it fell over"),
			Found(2, "", Does("error-as-text")+"the call lima of the broken answer was run", "no run", `get_weather with "{\"city\":\"Lima\"}"`)),
	},
}

// failingLate fails after a round, in an odd place.
func failingLate(quirk string) Setting {
	return Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
    in-band-error: {after: 2 events}
    times: 3
`).Answering(quirk)
}

// failingCall fails after a call.
var failingCall = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    in-band-error: {before: done}
`).Answering("error-as-text")
