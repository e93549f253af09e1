package stream_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

var callCases = Cases{
	"stream/index-huge": hugeIndexCases,
	"stream/id-changing": append(CallQuirkCases("call-id-changing"),
		Holds("under the id of another piece", OneCity.Showing("call-id-changing"), otherID),
		Breaks("under an id that nobody gave", OneCity.Showing("call-id-changing"), strings.ReplaceAll(otherID, "{{oslo}}2", "a"),
			Found(2, "/messages/1/tool_calls/0", Does("call-id-changing")+"the call oslo came back under another id", `the id "{{oslo}}"`,
				`{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`))),
}

// twiceAsked asks for the weather in Oslo, and then for that in two cities with an odd index.
var twiceAsked = Scene(WeatherTool + `
prompt: What is the weather?
model:
  - calls: [{as: first, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
    quirks: [call-index-huge]
  - text: Lima is warmer.
`).Under("gateway").By(wire.DeliverSSE)

const untilTwo = `
	asks
	runs first
	asks on
		calls first
		result first
`

var hugeIndexCases = []Case{
	Holds("taken", twiceAsked, untilTwo+`
		runs oslo
		runs lima
		asks on
			calls oslo, lima
			result oslo
			result lima
		completed`),
	Holds("reported", twiceAsked, untilTwo+"failed: a call has the index 1000000"),
	SeesNothing("reported by a loop that fails at everything", TwoCities.Showing("call-index-huge"), `
		asks
		failed: no`),
	SeesNothing("no quirk", TwoCities.By(wire.DeliverSSE), TwoCitiesDone),
	Breaks("lost in silence", twiceAsked, untilTwo+`
		runs oslo
		asks on
			calls oslo
			result oslo
		completed`,
		Found(2, "", Does("call-index-huge")+"the call lima was not run", `one run with "{\"city\":\"Lima\"}"`, "none")),
	Breaks("a crash", twiceAsked, untilTwo+"crashed",
		Found(2, "", Does("call-index-huge")+"the loop ended at a turn with tool calls", BothCities, "the loop crashed")),
}
