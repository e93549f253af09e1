package responsesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

// failing fails in its answer after a round.
var failing = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
    in-band-error: {after: 6 events}
    times: 3
`)

var responsesFailedCases = Cases{
	"failure/failed-responses": {
		Holds("reported", failing.Answering("failed-alone"), AfterRound("failed: it fell over")),
		Holds("asked again", failing.Answering("failed-alone"), AfterRound("asks on\nfailed: it fell over")),
		SeesNothing("an ordinary answer", OneCity.By(wire.DeliverSSE), OneCityDone),
		Breaks("its part is reported as an answer", failing.Answering("failed-alone"), AfterRound("completed: It is"),
			Found(2, "", Does("failed-alone")+"the broken answer was reported as completed", "status failed or stopped", `status completed with the text "It is"`)),
		Breaks("nothing is reported", failing.Answering("failed-alone"), AfterRound("completed:"),
			Found(2, "", Does("failed-alone")+"the broken answer was reported as completed", "status failed or stopped", `status completed with the text ""`)),
	},
}
