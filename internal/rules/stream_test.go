package rules

import "github.com/loopproof/loopproof/internal/wire"

var (
	// interleaved mixes the fragments of two calls.
	interleaved = scene(weatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
    stream: {interleaved: true}
  - text: Lima is warmer.
`).by(wire.DeliverSSE)
	// streamedTalk says something beside its calls, as a stream.
	streamedTalk = talking.by(wire.DeliverSSE)
	// talkingLimited may ask the model once.
	talkingLimited = scene("max-turns: 1\n" + talking.scenario).by(wire.DeliverSSE)
	// cologne has letters of two to four bytes.
	cologne = scene(`
prompt: Wie wird das Wetter in Köln?
tools:
  get_weather:
    parameters: {city: string}
    results: [{text: "12 °C 🌧"}]
model:
  - calls: [{as: koeln, tool: get_weather, arguments: '{"city":"Köln 東京 😀"}'}]
  - text: In Köln sind es 12 °C 🌧.
`)
)

const (
	cologneDone = `
		asks
		runs koeln
		asks on
			calls koeln
			result koeln
		completed`
	cologneBroken = `
		asks
		runs koeln with {"city":"K\ufffdln 東京 😀"}
		asks on
			calls koeln
			result koeln
		completed`

	// what a loop makes of mixed fragments that appends them to the call that was opened last
	mixedUp = `
		asks
		runs oslo with
		runs lima with {"c{"ciity"ty"::"O"Lislo"ma"}}
		asks on
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":""}},{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{\"c{\"ci"}}]}
			result oslo: Error: no city
			result lima: Error: no JSON
		completed`
)

var streamCases = ruleCases{
	"stream/fragments-by-index": {
		holds("put together", interleaved, twoCitiesDone),
		holds("put together, in another order", interleaved, reordered),
		holds("put together, and split over two messages", interleaved, turnInTwo),
		holds("put together, under new ids", interleaved, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"get_weather","arguments":"{\"city\": \"Oslo\"}"}},{"id":"2","type":"function","function":{"name":"get_weather","arguments":"{\"city\": \"Lima\"}"}}]}
				{"role":"tool","tool_call_id":"1","content":"4 C"}
				{"role":"tool","tool_call_id":"2","content":"19 C"}
			completed`),
		holds("misread without a stream as well is for other rules", interleaved.beside(mixedUp), mixedUp),
		seesNothing("not streamed", interleaved.by(wire.DeliverJSON), twoCitiesDone),
		seesNothing("an ordinary stream", twoCities.by(wire.DeliverSSE), twoCitiesDone),
		seesNothing("nobody knows what became of it", interleaved, `
			asks
			crashed`),
		breaks("fragments go to the call that was opened last", interleaved.beside(twoCitiesDone), mixedUp,
			finding{2, "/messages/1/tool_calls/0", "the call oslo was put together wrongly", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`,
				`{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":""}}`}),
		breaks("put together, and run with the arguments of another", interleaved.beside(twoCitiesDone), `
			asks
			runs oslo
			runs lima with {"city":"Oslo"}
			asks on
				calls oslo, lima
				results oslo, lima
			completed`,
			finding{2, "", "the call lima was run with other arguments", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, `get_weather "{\"city\":\"Oslo\"}"`}),
		breaks("put together, and not run", interleaved.beside(twoCitiesDone), `
			asks
			runs oslo
			asks on
				calls oslo, lima
				results oslo, lima
			completed`,
			finding{2, "", "the call lima was not run", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, "no execution"}),
		breaks("one call is lost", interleaved, `
			asks
			runs lima
			asks on
				calls lima
				result lima
			completed`,
			finding{2, "/messages/1", "not all calls of a turn came back", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`,
				`{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`}),
		breaks("the end of the run", interleaved, `
			asks
			failed: no JSON`,
			finding{1, "", "the loop ended at a turn with tool calls", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, `the loop reported failed: "no JSON"`}),
	},
	"stream/text-beside-calls": {
		holds("both were read", streamedTalk, twoCitiesDone),
		holds("only the calls, which text-comes-back is about", streamedTalk, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}
				result oslo
				result lima
			completed`),
		seesNothing("not streamed", talking, twoCitiesDone),
		seesNothing("no text", twoCities.by(wire.DeliverSSE), twoCitiesDone),
		seesNothing("the turn limit is reached", talkingLimited, `
			asks
			stopped: the limit of 1 turn is reached`),
		breaks("the text is taken for the answer", streamedTalk.beside(twoCitiesDone), `
			asks
			completed: I look up both.`,
			finding{1, "", "the loop ended at a turn with tool calls", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, "the loop reported completed"}),
		breaks("the text is taken for the answer, and the loop asks on", streamedTalk, `
			asks
			asks on
				assistant: I look up both.
			completed`,
			finding{2, "/messages/1", "not all calls of a turn came back", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`,
				`{"role":"assistant","content":"I look up both."}`}),
		breaks("nothing of the turn came back", streamedTalk, `
			asks
			asks on
			completed`,
			finding{2, "", "not all calls of a turn came back", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, "no assistant message for this turn"}),
	},
	"stream/any-cut": {
		holds("the same in bytes", cologne.by(wire.DeliverBytes).beside(cologneDone), cologneDone),
		holds("the same in one write", cologne.by(wire.DeliverMerged).beside(cologneDone), cologneDone),
		holds("wrong in the same way is for other rules", cologne.by(wire.DeliverSplit).beside(cologneBroken), cologneBroken),
		seesNothing("an ordinary stream", cologne.by(wire.DeliverSSE).beside(cologneDone), cologneDone),
		seesNothing("comments are for comments-skipped", cologne.by(wire.DeliverComments).beside(cologneDone), cologneBroken),
		seesNothing("nothing to compare with", cologne.by(wire.DeliverBytes), cologneBroken),
		seesNothing("an ordinary stream that crashed the loop", cologne.by(wire.DeliverBytes).beside("crashed"), cologneDone),
		seesNothing("answers that break off", brokenAnswer.by(wire.DeliverBytes).beside(afterRound("failed: cut")), afterRound("completed: no")),
		seesNothing("no tool was used", noTools.by(wire.DeliverBytes).beside(noToolsDone), noToolsDone),
		breaks("letters cut apart are lost", cologne.by(wire.DeliverSplit).beside(cologneDone), cologneBroken,
			finding{0, "", "the delivery sse-split led to something else than an ordinary stream",
				`koeln runs get_weather with "{\"city\":\"Köln 東京 😀\"}"`, `koeln runs get_weather with "{\"city\":\"K\\ufffdln 東京 😀\"}"`}),
		breaks("the answer is cut", cologne.by(wire.DeliverMerged).beside(cologneDone), `
			asks
			runs koeln
			asks on
				calls koeln
				result koeln
			completed: In Köln`,
			finding{0, "", "the delivery sse-merged led to something else than an ordinary stream", `the answer "In Köln sind es 12 °C 🌧." completed`, `the answer "In Köln" completed`}),
		breaks("a crash", cologne.by(wire.DeliverBytes).beside(cologneDone), `
			asks
			crashed`,
			finding{0, "", "the delivery sse-bytes led to something else than an ordinary stream", `koeln runs get_weather with "{\"city\":\"Köln 東京 😀\"}"`, "the loop crashed"}),
		breaks("one request more", cologne.by(wire.DeliverBytes).beside(cologneDone), `
			asks
			runs koeln
			asks on
				calls koeln
				result koeln
			asks on
			completed`,
			finding{0, "", "the delivery sse-bytes led to something else than an ordinary stream", "2 requests", "3 requests"}),
		breaks("nothing is said", cologne.by(wire.DeliverBytes).beside(cologneDone), "completed:",
			finding{0, "", "the delivery sse-bytes led to something else than an ordinary stream", `koeln runs get_weather with "{\"city\":\"Köln 東京 😀\"}"`, `the answer "" completed`}),
	},
	"stream/comments-skipped": {
		holds("the same", oneCity.by(wire.DeliverComments).beside(oneCityDone), oneCityDone),
		seesNothing("no comments", oneCity.by(wire.DeliverSSE).beside(oneCityDone), oneCityDone),
		seesNothing("cuts are for any-cut", oneCity.by(wire.DeliverBytes).beside(oneCityDone), oneCityDone),
		seesNothing("nothing to compare with", oneCity.by(wire.DeliverComments), oneCityDone),
		breaks("taken for data", oneCity.by(wire.DeliverComments).beside(oneCityDone), `
			asks
			failed: Unexpected token k in JSON`,
			finding{0, "", "the delivery sse-comments led to something else than an ordinary stream", `oslo runs get_weather with "{\"city\":\"Oslo\"}"`, `the answer "" failed`}),
	},
}
