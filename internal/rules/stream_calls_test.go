package rules

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

var streamCallsCases = ruleCases{
	"stream/index-missing":  callQuirkCases("call-index-missing", "fragment-index-missing"),
	"stream/index-odd":      callQuirkCases("call-index-from-one", "call-index-sparse", "call-index-negative"),
	"stream/index-huge":     hugeIndexCases,
	"stream/index-shared":   callQuirkCases("call-index-shared"),
	"stream/id-empty-later": callQuirkCases("call-id-empty-later", "call-id-null-later"),
	"stream/id-repeated":    callQuirkCases("call-id-repeated"),
	"stream/id-changing": append(callQuirkCases("call-id-changing"),
		holds("under the id of another piece", oneCity.showing("call-id-changing"), otherID),
		breaks("under an id that nobody gave", oneCity.showing("call-id-changing"), strings.ReplaceAll(otherID, "{{oslo}}2", "a"),
			finding{2, "/messages/1/tool_calls/0", does("call-id-changing") + "the call oslo came back under another id", `the id "{{oslo}}"`,
				`{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`})),
	"stream/id-missing":       callQuirkCases("call-id-missing", "call-id-empty"),
	"stream/ids-of-any-form":  callQuirkCases("call-id-long", "call-id-punctuated"),
	"stream/name-not-doubled": callQuirkCases("call-name-repeated", "call-name-empty-later"),
	"stream/name-in-pieces":   callQuirkCases("call-name-in-pieces", "call-name-late"),
	"stream/type-missing":     callQuirkCases("call-type-missing", "call-type-null"),
}

// twiceAsked asks for the weather in Oslo, and then for that in two cities with an odd index.
var twiceAsked = scene(weatherTool + `
prompt: What is the weather?
model:
  - calls: [{as: first, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
    quirks: [call-index-huge]
  - text: Lima is warmer.
`).under("gateway").by(wire.DeliverSSE)

const untilTwo = `
	asks
	runs first
	asks on
		calls first
		result first
`

var hugeIndexCases = []ruleCase{
	holds("taken", twiceAsked, untilTwo+`
		runs oslo
		runs lima
		asks on
			calls oslo, lima
			result oslo
			result lima
		completed`),
	holds("reported", twiceAsked, untilTwo+"failed: a call has the index 1000000"),
	seesNothing("reported by a loop that fails at everything", twoCities.showing("call-index-huge"), `
		asks
		failed: no`),
	seesNothing("no quirk", twoCities.by(wire.DeliverSSE), twoCitiesDone),
	breaks("lost in silence", twiceAsked, untilTwo+`
		runs oslo
		asks on
			calls oslo
			result oslo
		completed`,
		finding{2, "", does("call-index-huge") + "the call lima was not run", `one run with "{\"city\":\"Lima\"}"`, "none"}),
	breaks("a crash", twiceAsked, untilTwo+"crashed",
		finding{2, "", does("call-index-huge") + "the loop ended at a turn with tool calls", bothCities, "the loop crashed"}),
}
