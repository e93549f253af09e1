package failure_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

// damagedBy has this step, whose answer comes damaged, instead of its answer.
func damagedBy(step string) Setting {
	return Scene(`
needs: [streaming]
deliveries: [sse]` + WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - {` + step + `, cut: {after: 2 events}, damaged: message, times: 3}
`).By(wire.DeliverSSE)
}

var damagedCases = Cases{
	"failure/damaged-stream-reported": {
		Holds("reported", damagedBy(`text: It is 4 C`), AfterRound("failed: a wrong checksum")),
		Holds("asked for again", damagedBy(`calls: [{as: pay, tool: get_weather, arguments: '{"city":"Lima"}'}]`), AfterRound(`asks on
		failed: a wrong checksum`)),
		SeesNothing("whole", OneCity.By(wire.DeliverSSE), OneCityDone),
		SeesNothing("cut is for others", BrokenAnswer.By(wire.DeliverSSE), AfterRound("completed: no")),
		Breaks("taken for the answer", damagedBy(`text: It is 4 C`), AfterRound("completed: Ht is 4 C"),
			Found(2, "", "the run ended with a stream whose checksum was wrong and was reported as completed", notCompleted, `status completed with the text "Ht is 4 C"`)),
		Breaks("run", damagedBy(`calls: [{as: pay, tool: get_weather, arguments: '{"city":"Lima"}'}]`), AfterRound(`runs pay
		failed: a wrong checksum`),
			Found(2, "", "the call pay was run although a message of its answer was damaged", "no run", `get_weather run with "{\"city\":\"Lima\"}"`)),
	},
}
