package rules

import (
	"maps"

	"github.com/loopproof/loopproof/internal/wire"
)

var argumentsInStreamsCases = ruleCases{
	"arguments/null-piece":          callQuirkCases("arguments-null-first", "arguments-missing-first", "arguments-empty-pieces"),
	"arguments/as-object":           callQuirkCases("arguments-object"),
	"arguments/empty-braces-first":  callQuirkCases("arguments-braces-first"),
	"arguments/cut-anywhere":        callQuirkCases("arguments-by-letter"),
	"arguments/read-to-the-end":     callQuirkCases("arguments-parse-early"),
	"arguments/no-piece-means-none": callQuirkCases("fragments-none"),
	"arguments/in-the-start":        callQuirkCases("input-in-the-start"),
}

var streamTogetherCases = ruleCases{
	"stream/calls-together":         callQuirkCases("call-in-one-delta", "calls-in-one-delta", "call-ends-in-nothing"),
	"stream/text-and-call-together": callQuirkCases("text-beside-call", "empty-text-beside-call", "text-inside-call"),
	"stream/empty-call-list":        everyQuirkCase("call-list-empty", "call-list-null"),
	"stream/no-choices":             everyQuirkCase("choices-empty-first", "choices-null", "choices-missing", "chunk-null"),
	"stream/no-delta":               everyQuirkCase("delta-missing", "delta-null"),
	"stream/nulls":                  everyQuirkCase("nulls", "finish-key-missing"),
	"stream/unknown-keys":           everyQuirkCase("unknown-keys", "role-in-every-chunk"),
	"stream/text-to-the-end":        answerQuirkCases("text-on-finish", "empty-text-after-finish"),
}

var streamBytesCases = ruleCases{
	"stream/line-ends":         everyQuirkCase("line-ends-cr", "line-ends-crlf"),
	"stream/byte-order-mark":   everyQuirkCase("byte-order-mark"),
	"stream/space-is-optional": everyQuirkCase("no-space-after-colon"),
	"stream/data-lines":        everyQuirkCase("data-lines"),
	"stream/named-events":      everyQuirkCase("named-events"),
	"stream/idle-events":       everyQuirkCase("events-without-data", "data-empty", "slow"),
	"stream/long-lines":        everyQuirkCase("long-line"),
	"stream/ends-at-done": append(everyQuirkCase("done-unfinished", "left-open", "more-after-done", "done-after-stop"),
		breaks("the loop waits for the connection to close", oneCity.showing("left-open"), `
			asks
			outwaited
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "", does("left-open") + "the loop waited for its end", "the connection is left at the end mark", "it was still read when we closed it"})),
	"stream/usage-optional": everyQuirkCase("usage-missing"),
	"stream/usage-last-wins": {
		holds("counted once", oneCity.showing("usage-three-times"), oneCityDone+"\ncounts 100 in, 32 out"),
		holds("counted wrongly without the quirk too", oneCity.showing("usage-three-times").beside(oneCityDone+"\ncounts 3 in, 3 out"), oneCityDone+"\ncounts 3 in, 3 out"),
		seesNothing("no counts are reported", oneCity.showing("usage-three-times"), oneCityDone),
		seesNothing("an ordinary stream", oneCity.by(wire.DeliverSSE), oneCityDone+"\ncounts 3 in, 3 out"),
		breaks("counted three times", oneCity.showing("usage-three-times").beside(oneCityDone+"\ncounts 100 in, 32 out"), oneCityDone+"\ncounts 300 in, 96 out",
			finding{1, "", does("usage-three-times") + "the tokens were not counted once", "100 in, 32 out", "300 in, 96 out"}),
	},
}

// otherID returns a call under the id of its second piece.
const otherID = `
	asks
	runs oslo as -
	asks on
		{"role":"assistant","tool_calls":[{"id":"{{oslo}}2","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
		{"role":"tool","tool_call_id":"{{oslo}}2","content":"4 C"}
	completed`

var streamEventsCases = ruleCases{
	"stream/unknown-blocks":     everyQuirkCase("unknown-blocks"),
	"stream/message-start-bare": everyQuirkCase("message-start-bare"),
	"stream/blank-text-blocks":  callQuirkCases("empty-text-block", "white-text-block"),
	"stream/message-start-again": {
		holds("the last one is taken", twoCities.showing("message-start-spliced"), twoCitiesDone),
		holds("one message is taken", oneCity.answering("message-start-twice"), oneCityDone),
		holds("asked for again", oneCity.answering("message-start-spliced"), afterRound("asks\ncalls oslo\nresult oslo\ncompleted: It is 4 C in Oslo.")),
		holds("reported", oneCity.answering("message-start-twice"), afterRound("failed: unexpected event order")),
		seesNothing("an ordinary stream", oneCity.by(wire.DeliverSSE), oneCityDone),
		seesNothing("reported before a tool was run", twoCities.showing("message-start-spliced"), "asks\nfailed: unexpected event order"),
		breaks("two texts in one", oneCity.answering("message-start-spliced"), afterRound("completed: It isIt is 4 C in Oslo."),
			finding{2, "", does("message-start-spliced") + "the reported answer is not the model's", `the answer "It is 4 C in Oslo."`, `"It isIt is 4 C in Oslo."`}),
		breaks("a call is lost", twoCities.showing("message-start-twice"), `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "", does("message-start-twice") + "the call lima was not run", `one run with "{\"city\":\"Lima\"}"`, "none"}),
	},
	"stream/input-tokens-stay": {
		holds("as at the start", oneCity.showing("end-usage-null"), oneCityDone+"\ncounts 100 in, 32 out"),
		seesNothing("no counts are reported", oneCity.showing("end-usage-output-only"), oneCityDone),
		seesNothing("an ordinary stream", blockCity.by(wire.DeliverSSE), oneCityDone+"\ncounts 3 in, 3 out"),
		breaks("none", oneCity.showing("end-usage-output-only").beside(oneCityDone+"\ncounts 100 in, 32 out"), oneCityDone+"\ncounts 60 in, 32 out",
			finding{1, "", does("end-usage-output-only") + "the tokens were not counted once", "100 in, 32 out", "60 in, 32 out"}),
	},
	"stream/unknown-events":     everyQuirkCase("unknown-events", "unknown-deltas", "citations"),
	"stream/payloads-no-object": everyQuirkCase("payloads-no-object"),
	"stream/pings-anywhere":     everyQuirkCase("pings-anywhere"),
	"stream/payloads-are-json":  everyQuirkCase("spaces-in-payloads"),
}

var finishWordsCases = ruleCases{
	"finish/unknown-word":       everyQuirkCase("finish-unknown"),
	"finish/empty-word-is-none": everyQuirkCase("finish-empty-before-the-end"),
	"finish/twice":              everyQuirkCase("finish-twice"),
	"finish/calls-without-call": {
		holds("taken", oneCity.answering("finish-calls-without-call"), oneCityDone),
		holds("reported", oneCity.answering("finish-calls-without-call"), afterRound("failed: tool_calls without a call")),
		seesNothing("an ordinary stream", oneCity.by(wire.DeliverSSE), oneCityDone),
		breaks("the text is lost", oneCity.answering("finish-calls-without-call"), afterRound("completed:"),
			finding{2, "", does("finish-calls-without-call") + "the reported answer is not the model's", `the answer "It is 4 C in Oslo.", or a failure`, `""`}),
		breaks("the loop asks again", oneCity.answering("finish-calls-without-call"), afterRound("asks on\ncompleted"),
			finding{2, "", does("finish-calls-without-call") + "the loop asked again without end", `the answer "It is 4 C in Oslo.", or a failure`, "3 requests"}),
	},
	"finish/unknown-stop-reason": {
		holds("taken", oneCity.answering("stop-reason-unknown"), oneCityDone),
		holds("reported", oneCity.answering("stop-reason-unknown"), afterRound("failed: unhandled stop reason")),
		seesNothing("an ordinary stream", blockCity.by(wire.DeliverSSE), oneCityDone),
		breaks("the loop asks again", oneCity.answering("stop-reason-unknown"), afterRound("asks on\ncompleted"),
			finding{2, "", does("stop-reason-unknown") + "the loop asked again without end", `the answer "It is 4 C in Oslo.", or a failure`, "3 requests"}),
	},
	"finish/no-word": {
		holds("taken", oneCity.answering("finish-missing"), oneCityDone),
		holds("reported", oneCity.answering("finish-null"), afterRound("failed: the answer broke off")),
		seesNothing("an ordinary stream", oneCity.by(wire.DeliverSSE), oneCityDone),
		breaks("the text is lost", oneCity.answering("finish-empty"), afterRound("completed:"),
			finding{2, "", does("finish-empty") + "the reported answer is not the model's", `the answer "It is 4 C in Oslo.", or a failure`, `""`}),
		breaks("the loop asks again", oneCity.answering("finish-missing"), afterRound("asks on\ncompleted"),
			finding{2, "", does("finish-missing") + "the loop asked again without end", `the answer "It is 4 C in Oslo.", or a failure`, "3 requests"}),
		breaks("a crash", oneCity.answering("finish-missing"), afterRound("crashed"),
			finding{2, "", does("finish-missing") + "the loop did not survive it", `the answer "It is 4 C in Oslo.", or a failure`, "the loop crashed"}),
	},
}

var failurePlacesCases = ruleCases{
	"failure/no-error-is-none": everyQuirkCase("error-null", "error-empty"),
	"failure/error-objects": {
		holds("reported", failingLate("error-as-text"), afterRound("failed: it fell over")),
		holds("asked again", failingLate("error-in-choice"), afterRound("asks on\nfailed: it fell over")),
		seesNothing("an ordinary error", oneCity.by(wire.DeliverSSE), oneCityDone),
		seesNothing("no tool was used", failingLate("error-as-text"), `
			asks
			failed: no`),
		breaks("reported as completed", failingLate("error-beside-choices"), afterRound("completed: It is"),
			finding{2, "", does("error-beside-choices") + "the broken answer was reported as completed", "status failed or stopped", `status completed with the text "It is"`}),
		breaks("a crash", failingLate("error-named-event"), afterRound("crashed"),
			finding{2, "", does("error-named-event") + "the loop did not survive it", "a failure that is reported, or another attempt", "the loop crashed"}),
		breaks("a call of it is run", failingCall, afterRound("runs lima\nfailed: it fell over"),
			finding{2, "", does("error-as-text") + "the call lima of the broken answer was run", "no run", `get_weather with "{\"city\":\"Lima\"}"`}),
	},
}

// failingLate fails after a round, in an odd place.
func failingLate(quirk string) setting {
	return scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
    in-band-error: {after: 2 events}
    times: 3
`).answering(quirk)
}

// failingCall fails behind a call.
var failingCall = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    in-band-error: {before: done}
`).answering("error-as-text")

// everyQuirkCase are the cases of quirks that show in calls and in answers.
func everyQuirkCase(quirks ...string) []ruleCase {
	cases := callQuirkCases(quirks...)
	return append(cases, answerQuirkCases(quirks...)...)
}

// quirkCases are those of all rules about quirks.
func quirkCases() ruleCases {
	all := ruleCases{}
	for _, some := range []ruleCases{streamCallsCases, argumentsInStreamsCases, streamTogetherCases, streamBytesCases, finishWordsCases, failurePlacesCases} {
		maps.Copy(all, some)
	}
	return all
}
