package stream_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

// equalCalls makes the same call twice, with its arguments in another order.
var equalCalls = Scene(`
prompt: How do I get from Rome to Oslo?
tools:
  find_trains:
    parameters: {from: string, to: string}
    results: [{text: none}]
model:
  - calls:
      - {as: first, tool: find_trains, arguments: '{"from":"Rome","to":"Oslo"}'}
      - {as: second, tool: find_trains, arguments: '{"to":"Oslo","from":"Rome"}'}
  - text: There is none.
`)

var (
	// interleaved mixes the fragments of two calls.
	interleaved = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
    stream: {interleaved: true}
  - text: Lima is warmer.
`).By(wire.DeliverSSE)
	// streamedTalk says something alongside its calls, as a stream.
	streamedTalk = Talking.By(wire.DeliverSSE)
	// talkingBroken has arguments that are not JSON.
	talkingBroken = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: I look it up.
    calls: [{as: broken, tool: get_weather, arguments: '{city: Oslo}'}]
  - text: It is 4 C in Oslo.
`).By(wire.DeliverSSE)
	// talkingList has arguments that are a list.
	talkingList = Scene(strings.Replace(talkingBroken.Scenario, "'{city: Oslo}'", `'["Oslo"]'`, 1)).By(wire.DeliverSSE)
	// talkingHalfBroken has a call that is no JSON beside a good one.
	talkingHalfBroken = Scene(WeatherTool + `
prompt: What is the weather in Oslo and in Lima?
model:
  - text: I look it up.
    calls:
      - {as: broken, tool: get_weather, arguments: '{city: Oslo}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: It is 19 C in Lima.
`).By(wire.DeliverSSE)
	// sameCalls makes a call with empty arguments, and one with null for them.
	sameCalls = Scene(ClockTool + `
prompt: What is the time?
model:
  - calls:
      - {as: time, tool: get_time, arguments: '{}'}
      - {as: none, tool: get_time, arguments: 'null'}
  - text: It is 12:00.
`)
	// talkingStopped ends its turn with the word stop.
	talkingStopped = Scene(strings.Replace(Stopping.Scenario, "  - calls", "  - text: I look it up.\n    calls", 1)).By(wire.DeliverSSE)
	// talkingLimited may ask the model once.
	talkingLimited = Scene("max-turns: 1\n" + Talking.Scenario).By(wire.DeliverSSE)
	// talkingInVain calls a tool that fails.
	talkingInVain = Scene(WeatherTool + `
prompt: What is the weather in Bonn?
model:
  - text: I look it up.
    calls: [{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}]
  - text: I do not know.
`).By(wire.DeliverSSE)
	// talkingAmiss makes a call without its arguments, of a tool that fails.
	talkingAmiss = Scene(`
prompt: What is the weather?
tools:
  get_weather:
    parameters: {city: string}
    results: [{fail: the service is down}]
model:
  - text: I look it up.
    calls: [{as: nowhere, tool: get_weather, arguments: '{}'}]
  - text: I do not know.
`).By(wire.DeliverSSE)
	// talkingBlank makes a call without arguments, not even {}.
	talkingBlank = Scene(ClockTool + `
prompt: What is the time?
model:
  - text: I look it up.
    calls: [{as: time, tool: get_time}]
  - text: It is 12:00.
`).By(wire.DeliverSSE)
	// talkingCancelled is cancelled while its tool runs.
	talkingCancelled = Scene("needs: [cancel]\n" + WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: I look it up.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    cancel: {during: tool}
  - text: It is 4 C in Oslo.
`).By(wire.DeliverSSE)
	// cologne has letters of two to four bytes.
	cologne = Scene(`
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
	// how a loop handles mixed fragments that appends them to the call that was opened last
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

// steeredBehind is a loop that gives up the tools of the turn behind these runs.
func steeredBehind(runs ...string) string {
	return `
		asks
		steers
		` + strings.Join(runs, "\n\t\t") + `
		asks on
			calls oslo, lima
			result oslo: interrupted
			result lima: interrupted
			prompt 2
		completed`
}

var coreCases = Cases{
	"stream/fragments-by-index": {
		Holds("put together", interleaved, TwoCitiesDone),
		Holds("put together, in another order", interleaved, Reordered),
		Holds("put together, and split over two messages", interleaved, TurnInTwo),
		Holds("put together, under new ids", interleaved, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"get_weather","arguments":"{\"city\": \"Oslo\"}"}},{"id":"2","type":"function","function":{"name":"get_weather","arguments":"{\"city\": \"Lima\"}"}}]}
				{"role":"tool","tool_call_id":"1","content":"4 C"}
				{"role":"tool","tool_call_id":"2","content":"19 C"}
			completed`),
		Holds("misread without a stream as well is for other rules", interleaved.Alongside(mixedUp), mixedUp),
		SeesNothing("not streamed", interleaved.By(wire.DeliverJSON), TwoCitiesDone),
		SeesNothing("an ordinary stream", TwoCities.By(wire.DeliverSSE), TwoCitiesDone),
		SeesNothing("no later request or outcome", interleaved, `
			asks
			crashed`),
		Breaks("fragments go to the call that was opened last", interleaved.Alongside(TwoCitiesDone), mixedUp,
			Found(2, "/messages/1/tool_calls/0", "the call oslo was put together wrongly", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`,
				`{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":""}}`)),
		Breaks("put together, and run with the arguments of another", interleaved.Alongside(TwoCitiesDone), `
			asks
			runs oslo
			runs lima with {"city":"Oslo"}
			asks on
				calls oslo, lima
				results oslo, lima
			completed`,
			Found(2, "", "the call lima was run with other arguments", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, `get_weather "{\"city\":\"Oslo\"}"`)),
		Breaks("put together, and not run", interleaved.Alongside(TwoCitiesDone), `
			asks
			runs oslo
			asks on
				calls oslo, lima
				results oslo, lima
			completed`,
			Found(2, "", "the call lima was not run", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, "no execution")),
		Breaks("one call is lost", interleaved, `
			asks
			runs lima
			asks on
				calls lima
				result lima
			completed`,
			Found(2, "/messages/1", "not all calls of a turn came back", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`,
				`{"role":"assistant","content":null,"tool_calls":[{{lima call}}]}`)),
		Breaks("the end of the run", interleaved, `
			asks
			failed: no JSON`,
			Found(1, "", "the loop ended at a turn with tool calls", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, `the loop reported failed: "no JSON"`)),
	},
	"stream/text-beside-calls": {
		Holds("both were read", streamedTalk, TwoCitiesDone),
		Holds("only the calls, which text-comes-back is about", streamedTalk, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}
				result oslo
				result lima
			completed`),
		SeesNothing("not streamed", Talking, TwoCitiesDone),
		SeesNothing("arguments that are not JSON ended the run, and its caller was told", talkingBroken, `
			asks
			failed: Unable to parse tool parameter JSON from model.`),
		Holds("arguments that are not JSON were told in other words", talkingBroken, `
			asks
			asks on
				user: Your last answer had a call that is no JSON.
			completed`),
		Holds("a call that is no JSON was dropped, which is for the rules about such calls", talkingHalfBroken, `
			asks
			asks on
				calls lima
				result lima
			completed`),
		Holds("arguments that are no object came back as an empty one", talkingList, `
			asks
			asks
				prompt 1
				{"role":"assistant","content":"I look it up.","tool_calls":[{"id":"{{broken}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
				{"role":"tool","tool_call_id":"{{broken}}","content":"The arguments are wrong."}
			completed`),
		SeesNothing("a call without any arguments ended the run, and its caller was told", talkingBlank, `
			asks
			failed: unexpected end of JSON input`),
		SeesNothing("a call without its arguments ended the run, whose tool would have failed", talkingAmiss, `
			asks
			failed: city is required`),
		SeesNothing("a tool failed, and its caller was told", talkingInVain, `
			asks
			runs bonn
			failed: the service is down`),
		Breaks("a tool failed, and nobody was told", talkingInVain, `
			asks
			runs bonn
			completed:`,
			Found(1, "", "the loop ended at a turn with tool calls", `get_weather "{\"city\":\"Bonn\"}"`, "the loop reported completed")),
		SeesNothing("the word stop ended the run, which calls-decide is about", talkingStopped, `
			asks
			completed: I look it up.`),
		SeesNothing("the user cancelled", talkingCancelled, `
			asks
			runs oslo
			cancels
			stopped: cancelled`),
		Breaks("arguments that are not JSON ended the run in silence", talkingBroken, `
			asks
			completed:`,
			Found(1, "", "the loop ended at a turn with tool calls", `get_weather "{city: Oslo}"`, "the loop reported completed")),
		SeesNothing("no text", TwoCities.By(wire.DeliverSSE), TwoCitiesDone),
		SeesNothing("the turn limit is reached", talkingLimited, `
			asks
			stopped: the limit of 1 turn is reached`),
		Breaks("the text is treated as the answer", streamedTalk.Alongside(TwoCitiesDone), `
			asks
			completed: I look up both.`,
			Found(1, "", "the loop ended at a turn with tool calls", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, "the loop reported completed")),
		Breaks("the text is treated as the answer, and the loop asks on", streamedTalk, `
			asks
			asks on
				assistant: I look up both.
			completed`,
			Found(2, "/messages/1", "not all calls of a turn came back", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`,
				`{"role":"assistant","content":"I look up both."}`)),
		Breaks("nothing of the turn came back", streamedTalk, `
			asks
			asks on
			completed`,
			Found(2, "", "not all calls of a turn came back", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, "no assistant message for this turn")),
	},
	"stream/any-cut": {
		Holds("the same in bytes", cologne.By(wire.DeliverBytes).Alongside(cologneDone), cologneDone),
		Holds("the same in one write", cologne.By(wire.DeliverMerged).Alongside(cologneDone), cologneDone),
		Holds("wrong in the same way is for other rules", cologne.By(wire.DeliverSplit).Alongside(cologneBroken), cologneBroken),
		SeesNothing("an ordinary stream", cologne.By(wire.DeliverSSE).Alongside(cologneDone), cologneDone),
		SeesNothing("comments are for comments-skipped", cologne.By(wire.DeliverComments).Alongside(cologneDone), cologneBroken),
		SeesNothing("nothing to compare with", cologne.By(wire.DeliverBytes), cologneBroken),
		SeesNothing("an ordinary stream that crashed the loop", cologne.By(wire.DeliverBytes).Alongside("crashed"), cologneDone),
		SeesNothing("answers that break off", BrokenAnswer.By(wire.DeliverBytes).Alongside(AfterRound("failed: cut")), AfterRound("completed: no")),
		SeesNothing("no tool was used", NoTools.By(wire.DeliverBytes).Alongside(NoToolsDone), NoToolsDone),
		SeesNothing("a call that was run while its sibling ended the run", TwoCities.By(wire.DeliverMerged).Alongside(`
			asks
			runs lima
			failed: there is no such tool`), `
			asks
			failed: there is no such tool`),
		Holds("calls that mean the same, run in another order", sameCalls.By(wire.DeliverBytes).Alongside(`
			asks
			runs get_time {}
			runs get_time {"raw":null}
			asks on
				calls time, none
				result time
				result none
			completed`), `
			asks
			runs get_time {"raw":null}
			runs get_time {}
			asks on
				calls time, none
				result time
				result none
			completed`),
		Holds("equal calls that are written in two ways, run in another order", equalCalls.By(wire.DeliverBytes).Alongside(`
			asks
			runs first with {"from":"Rome","to":"Oslo"}
			runs second with {"to":"Oslo","from":"Rome"}
			asks on
				calls first, second
				result first
				result second
			completed`), `
			asks
			runs first with {"to":"Oslo","from":"Rome"}
			runs second with {"from":"Rome","to":"Oslo"}
			asks on
				calls first, second
				result first
				result second
			completed`),
		Breaks("a call that was run, and then an answer", TwoCities.By(wire.DeliverMerged).Alongside(`
			asks
			failed: there is no such tool`), `
			asks
			runs lima
			completed`,
			Found(0, "", "the delivery sse-merged led to something else than an ordinary stream", `the answer "" failed`, `lima runs get_weather with "{\"city\":\"Lima\"}"`)),
		Breaks("letters cut apart are lost", cologne.By(wire.DeliverSplit).Alongside(cologneDone), cologneBroken,
			Found(0, "", "the delivery sse-split led to something else than an ordinary stream",
				`koeln runs get_weather with "{\"city\":\"Köln 東京 😀\"}"`, `koeln runs get_weather with "{\"city\":\"K\\ufffdln 東京 😀\"}"`)),
		Breaks("the answer is cut", cologne.By(wire.DeliverMerged).Alongside(cologneDone), `
			asks
			runs koeln
			asks on
				calls koeln
				result koeln
			completed: In Köln`,
			Found(0, "", "the delivery sse-merged led to something else than an ordinary stream", `the answer "In Köln sind es 12 °C 🌧." completed`, `the answer "In Köln" completed`)),
		Breaks("a crash", cologne.By(wire.DeliverBytes).Alongside(cologneDone), `
			asks
			crashed`,
			Found(0, "", "the delivery sse-bytes led to something else than an ordinary stream", `koeln runs get_weather with "{\"city\":\"Köln 東京 😀\"}"`, "the loop crashed")),
		Breaks("one request more", cologne.By(wire.DeliverBytes).Alongside(cologneDone), `
			asks
			runs koeln
			asks on
				calls koeln
				result koeln
			asks on
			completed`,
			Found(0, "", "the delivery sse-bytes led to something else than an ordinary stream", "2 requests", "3 requests")),
		Breaks("nothing is said", cologne.By(wire.DeliverBytes).Alongside(cologneDone), "completed:",
			Found(0, "", "the delivery sse-bytes led to something else than an ordinary stream", `koeln runs get_weather with "{\"city\":\"Köln 東京 😀\"}"`, `the answer "" completed`)),
	},
	"stream/comments-skipped": {
		Holds("the same", OneCity.By(wire.DeliverComments).Alongside(OneCityDone), OneCityDone),
		Holds("a prompt came earlier while the tools ran", Steered.By(wire.DeliverComments).Alongside(steeredBehind("runs oslo", "runs lima")), steeredBehind("runs oslo")),
		Breaks("another answer to it", Steered.By(wire.DeliverComments).Alongside(steeredBehind("runs oslo")), steeredBehind("runs lima")+": It is late.",
			Found(0, "", "the delivery sse-comments led to something else than an ordinary stream", `the answer "Both have 4 C." completed`, `the answer "It is late." completed`)),
		SeesNothing("no comments", OneCity.By(wire.DeliverSSE).Alongside(OneCityDone), OneCityDone),
		SeesNothing("cuts are for any-cut", OneCity.By(wire.DeliverBytes).Alongside(OneCityDone), OneCityDone),
		SeesNothing("nothing to compare with", OneCity.By(wire.DeliverComments), OneCityDone),
		Breaks("treated as data", OneCity.By(wire.DeliverComments).Alongside(OneCityDone), `
			asks
			failed: Unexpected token k in JSON`,
			Found(0, "", "the delivery sse-comments led to something else than an ordinary stream", `oslo runs get_weather with "{\"city\":\"Oslo\"}"`, `the answer "" failed; the loop reported failed: "Unexpected token k in JSON"`)),
	},
}
