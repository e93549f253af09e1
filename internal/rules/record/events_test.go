package record_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/transcript"
)

// osloTold are the events of OneCity, diceTold those of TwoDice, failTold those of a tool that
// failed.
var (
	osloTold = OneCityDone + tellsOf("oslo", "get_weather", `{"city":"Oslo"}`, `"4 C"`, false)
	failTold = bonnDone + tellsOf("bonn", "get_weather", `{"city":"Bonn"}`, `"Error: the service is down"`, true)
	diceTold = `
		asks
		runs first
		runs second
		asks on
			calls first, second
			result first
			result second
		completed
		tells adk-turn-events
			` + requested("first", "throw_die", `{"sides":6}`, "000") + `
			` + requested("second", "throw_die", `{"sides":6}`, "001") + `
			` + done("first", "throw_die", `{"sides":6}`, `"4"`, "false", "000", "003") + `
			` + done("second", "throw_die", `{"sides":6}`, `"4"`, "false", "001", "004")
)

// lateTold are the events of a loop that starts its second tool when its time is over: the tool is
// not reached.
var lateTold = `
		asks
		runs lima
		asks on
			calls lima
			result lima
		waits 2s
		failed` + tellsOf("lima", "get_weather", `{"city":"Lima"}`, `"19 C"`, false) + `
			` + requested("oslo", "get_weather", `{"city":"Oslo"}`, "004") + `
			{"event":"toolExecutionStart","data":{"toolName":"get_weather","turnId":"t","callId":"` + transcript.Checksum("get_weather", `{"city":"Oslo"}`) + `","args":{"city":"Oslo"},"startedAt":"2026-11-21T12:00:00.005Z"}}`

// lateEnded are those of a loop that also tells that this tool ended, as its request failed with
// the time.
var lateEnded = lateTold + `
			{"event":"toolExecutionEnd","data":{"toolName":"get_weather","turnId":"t","callId":"` + transcript.Checksum("get_weather", `{"city":"Oslo"}`) + `","startedAt":"2026-11-21T12:00:00.005Z","endedAt":"2026-11-21T12:00:00.006Z","durationMs":1,"isError":true}}`

// cancelledInTools is cancelled when the first of two tools runs.
var cancelledInTools = Scene(Cancelling + `
prompts: [What is the weather in Oslo?, And in Lima and Bonn?, And in Rome?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - calls:
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
      - {as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}
    cancel: {during: tool, scope: prompt}
  - text: It is 11 C in Rome.
`)

// cutTold are the events of a loop that starts both tools, of which the second is not reached before
// the cancel.
var cutTold = BeforePrompt(`
		runs lima
		cancels
		stopped: cancelled`) + tellsOf("oslo", "get_weather", `{"city":"Oslo"}`, `"4 C"`, false) + executionOf("get_weather", `{"city":"Lima"}`, "true") + executionOf("get_weather", `{"city":"Bonn"}`, "true")

// executionOf are the events of a run of a tool. failed is what they say of it: true or false.
func executionOf(tool, args, failed string) string {
	return `
			{"event":"toolExecutionStart","data":{"toolName":"` + tool + `","turnId":"t","callId":"` + transcript.Checksum(tool, args) + `","args":` + args + `,"startedAt":"2026-11-21T12:00:00.001Z"}}
			{"event":"toolExecutionEnd","data":{"toolName":"` + tool + `","turnId":"t","callId":"` + transcript.Checksum(tool, args) + `","startedAt":"2026-11-21T12:00:00.001Z","endedAt":"2026-11-21T12:00:00.002Z","durationMs":1,"isError":` + failed + `}}`
}

func tellsOf(call, tool, args, results string, failed bool) string {
	mark := "false"
	if failed {
		mark = "true"
	}
	return `
		tells adk-turn-events
			` + requested(call, tool, args, "000") + executionOf(tool, args, mark) + `
			` + done(call, tool, args, results, mark, "000", "003")
}

func head(call, tool, args, created, updated string) string {
	return `{"event":"toolCall","data":{"id":"{{` + call + `}}","tool":"` + tool + `","args":` + args + `,"checksum":"` + transcript.Checksum(tool, args) +
		`","createdAt":"2026-11-21T12:00:00.` + created + `Z","updatedAt":"2026-11-21T12:00:00.` + updated + `Z",`
}

func requested(call, tool, args, at string) string {
	return head(call, tool, args, at, at) + `"isComplete":false,"isError":false}}`
}

func done(call, tool, args, results, failed, created, at string) string {
	return head(call, tool, args, created, at) + `"results":` + results + `,"isComplete":true,"isError":` + failed + `,"completedAt":"2026-11-21T12:00:00.` + at + `Z"}}`
}

// data is an event as findings show it.
func data(place, event string) string {
	return place + " " + event[len(`{"event":"toolCall","data":`):len(event)-1]
}

var (
	osloRequested = requested("oslo", "get_weather", `{"city":"Oslo"}`, "000")
	osloDone      = done("oslo", "get_weather", `{"city":"Oslo"}`, `"4 C"`, "false", "000", "003")
	bonnTold      = done("bonn", "get_weather", `{"city":"Bonn"}`, `"Error: the service is down"`, "true", "000", "003")
)

var eventCases = Cases{
	"record/call-announced": {
		Holds("before it is done", OneCity, osloTold),
		Holds("equal calls", TwoDice, diceTold),
		SeesNothing("no events", OneCity, OneCityDone),
		SeesNothing("no tool was used", NoTools, NoToolsDone+"\ntells adk-turn-events"),
		Breaks("only when it is done", OneCity, But(osloTold, osloRequested, ""),
			Found(0, "", "the call oslo was done before its first event", "an event with isComplete false first", data("/2/data", osloDone))),
		Breaks("not at all", OneCity, OneCityDone+"\ntells adk-turn-events",
			Found(0, "", "the events tell nothing of the call oslo", "an event with isComplete false", "no such event")),
	},
	"record/call-completed": {
		Holds("with results", OneCity, osloTold),
		Holds("under an id of the loop's own", OneCity, But(osloTold, "{{oslo}}\",\"tool", "own\",\"tool", "{{oslo}}\",\"tool", "own\",\"tool")),
		SeesNothing("no events", OneCity, OneCityDone),
		Breaks("only announced", OneCity, But(osloTold, osloDone, ""),
			Found(0, "", "the events do not tell that the call oslo is done", "an event with isComplete true under the same id", "no such event")),
		Breaks("without results", OneCity, But(osloTold, `"results":"4 C",`, ""),
			Found(0, "", "the call oslo is done and has no results", "results", data("/3/data", But(osloDone, `"results":"4 C",`, "")))),
	},
	"record/call-sealed": {
		Holds("nothing more", OneCity, osloTold),
		SeesNothing("never done", OneCity, But(osloTold, osloDone, "")),
		Breaks("told again", OneCity, osloTold+"\n"+osloDone,
			Found(0, "", "there was another event for the call oslo after it was done", "nothing more under its id", data("/4/data", osloDone))),
	},
	"record/announcement-bare": {
		Holds("bare", OneCity, osloTold),
		SeesNothing("no announcement", OneCity, But(osloTold, osloRequested, "")),
		Breaks("with empty results", OneCity, But(osloTold, `"isComplete":false`, `"results":null,"isComplete":false`),
			Found(0, "", "the call oslo is not done and tells of its end", "neither results nor an error nor completedAt", data("/0/data", But(osloRequested, `"isComplete":false`, `"results":null,"isComplete":false`)))),
	},
	"record/event-arguments": {
		Holds("as the model supplied them", OneCity, osloTold),
		SeesNothing("no object", oneCall(`{as: list, tool: get_weather, arguments: '[5]'}`), `
			asks
			asks on
				calls list
				result list: Error: no object
			completed
			tells adk-turn-events
				`+requested("list", "get_weather", `{}`, "000")),
		Breaks("with a default", OneCity, But(osloTold, `"args":{"city":"Oslo"}`, `"args":{"city":"Oslo","units":"metric"}`),
			Found(0, "", "the events tell of other arguments of the call oslo than the model supplied", `{"city":"Oslo"}`, data("/0/data", But(osloRequested, `"args":{"city":"Oslo"}`, `"args":{"city":"Oslo","units":"metric"}`)))),
	},
	"record/event-carries-result": {
		Holds("as a text", OneCity, osloTold),
		Holds("inside an artifact", OneCity, But(osloTold, `"results":"4 C"`, `"results":[{"kind":"text","text":"4 C"}]`)),
		SeesNothing("the tool failed", bonnFails, failTold),
		Breaks("something else", OneCity, But(osloTold, `"results":"4 C"`, `"results":"see the log"`),
			Found(0, "", "the results of the call oslo are not what the tool returned", `"4 C"`, data("/3/data", But(osloDone, `"results":"4 C"`, `"results":"see the log"`)))),
	},
	"record/event-failure-marked": {
		Holds("marked", bonnFails, failTold),
		SeesNothing("nothing failed", OneCity, osloTold),
		Breaks("not marked", bonnFails, But(failTold, `"isComplete":true,"isError":true`, `"isComplete":true,"isError":false`),
			Found(0, "", "the event of the failed call bonn is not marked as an error", "isError true", data("/3/data", But(bonnTold, `"isError":true`, `"isError":false`)))),
	},
	"record/event-success-not-marked": {
		Holds("not marked", OneCity, osloTold),
		SeesNothing("the tool failed", bonnFails, failTold),
		Breaks("marked", OneCity, But(osloTold, `"isComplete":true,"isError":false`, `"isComplete":true,"isError":true`),
			Found(0, "", "the event of the successful call oslo is marked as an error", "isError false", data("/3/data", But(osloDone, `"isError":false`, `"isError":true`)))),
	},
	"record/event-says-why": {
		Holds("the message of the tool", bonnFails, failTold),
		Holds("something, of arguments that were refused", badArguments, numberDone+tellsOf("number", "get_weather", `{"city":5}`, `{"code":"E_ARGS"}`, true)),
		SeesNothing("nothing failed", OneCity, osloTold),
		Breaks("something else", bonnFails, But(failTold, `"results":"Error: the service is down"`, `"results":"Error"`),
			Found(0, "", "the results of the call bonn, which failed, do not say why", `the error detail "the service is down"`, data("/3/data", But(bonnTold, `"results":"Error: the service is down"`, `"results":"Error"`)))),
	},
	"record/checksum": {
		Holds("of the canonical form", OneCity, osloTold),
		SeesNothing("no events", OneCity, OneCityDone),
		Breaks("another one", OneCity, But(osloTold, transcript.Checksum("get_weather", `{"city":"Oslo"}`), transcript.Checksum("x", `{}`)),
			Found(0, "", "the checksum of the call oslo is another one", transcript.Checksum("get_weather", `{"city":"Oslo"}`), data("/0/data", But(osloRequested, transcript.Checksum("get_weather", `{"city":"Oslo"}`), transcript.Checksum("x", `{}`))))),
	},
	"record/checksum-joins-executions": {
		Holds("equal", OneCity, osloTold),
		Holds("left empty at one end", OneCity, But(osloTold, `"callId":"`+transcript.Checksum("get_weather", `{"city":"Oslo"}`), `"callId":"`)),
		Holds("a start that the time did not let through", Hanging, lateTold),
		SeesNothing("no executions are told of", TwoDice, diceTold),
		Breaks("the id of the call", OneCity, But(osloTold, `"callId":"`+transcript.Checksum("get_weather", `{"city":"Oslo"}`), `"callId":"{{oslo}}`),
			Found(0, "", "an execution has a callId that is the checksum of no call", transcript.Checksum("get_weather", `{"city":"Oslo"}`), `/1/data {"toolName":"get_weather","turnId":"t","callId":"{{oslo}}","args":{"city":"Oslo"},"startedAt":"2026-11-21T12:00:00.001Z"}`)),
	},
	"record/executions-as-run": {
		Holds("one run, one start, one end", OneCity, osloTold),
		Holds("a start that the time did not let through", Hanging, lateTold),
		Holds("a run that the time did not let through", Hanging, lateEnded),
		Holds("a run that was cancelled before it reached the tool", cancelledInTools, cutTold),
		Breaks("more runs than calls that were cancelled", cancelledInTools, cutTold+executionOf("get_weather", `{"city":"Oslo"}`, "true"),
			Found(0, "", "the events do not tell of every run of a tool that it starts, or of one that never was", "2 events", "4 events"),
			Found(0, "", "the events do not tell of every run of a tool that it ends, or of one that never was", "2 events", "4 events")),
		SeesNothing("no executions are told of", TwoDice, diceTold),
		Breaks("of a call that was never run", badArguments, numberDone+tellsOf("number", "get_weather", `{"city":5}`, `"Error"`, true),
			Found(0, "", "the events do not tell of every run of a tool that it starts, or of one that never was", "0 events", "1 event"),
			Found(0, "", "the events do not tell of every run of a tool that it ends, or of one that never was", "0 events", "1 event")),
	},
	"record/equal-calls-counted": {
		Holds("two", TwoDice, diceTold),
		SeesNothing("no equal calls", OneCity, osloTold),
		Breaks("one for two", TwoDice, But(diceTold, requested("second", "throw_die", `{"sides":6}`, "001"), "", done("second", "throw_die", `{"sides":6}`, `"4"`, "false", "001", "004"), ""),
			Found(0, "", "the events do not tell of the call second apart from an equal one", "events under an id of its own", "no such event")),
	},
}

var timeCases = Cases{
	"record/created-once": {
		Holds("once", OneCity, osloTold),
		Holds("in another zone", OneCity, But(osloTold, `"createdAt":"2026-11-21T12:00:00.000Z"`, `"createdAt":"2026-11-21T13:00:00.000+01:00"`)),
		SeesNothing("one event", OneCity, But(osloTold, osloDone, "")),
		Breaks("again when it is done", OneCity, But(osloTold, `"createdAt":"2026-11-21T12:00:00.000Z","updatedAt":"2026-11-21T12:00:00.003Z"`, `"createdAt":"2026-11-21T12:00:00.003Z","updatedAt":"2026-11-21T12:00:00.003Z"`),
			Found(0, "", "the call oslo was created twice", "createdAt 2026-11-21T12:00:00.000Z", data("/3/data", But(osloDone, "00.000Z", "00.003Z")))),
	},
	"record/event-times-in-order": {
		Holds("in order", OneCity, osloTold),
		SeesNothing("no events", OneCity, OneCityDone),
		Breaks("updated before it was created", OneCity, But(osloTold, `"updatedAt":"2026-11-21T12:00:00.000Z"`, `"updatedAt":"2026-11-21T11:00:00.000Z"`),
			Found(0, "", "the call oslo was updated before it was created", "createdAt, then updatedAt", data("/0/data", But(osloRequested, `"updatedAt":"2026-11-21T12`, `"updatedAt":"2026-11-21T11`)))),
		Breaks("completed before it was updated", OneCity, But(osloTold, `"completedAt":"2026-11-21T12:00:00.003Z"`, `"completedAt":"2026-11-21T12:00:00.001Z"`),
			Found(0, "", "the call oslo was completed before it was last updated", "updatedAt, then completedAt", data("/3/data", But(osloDone, `"completedAt":"2026-11-21T12:00:00.003Z"`, `"completedAt":"2026-11-21T12:00:00.001Z"`)))),
		Breaks("done, and no time", OneCity, But(osloTold, `,"completedAt":"2026-11-21T12:00:00.003Z"`, ""),
			Found(0, "", "the call oslo is done and does not say when", "completedAt", data("/3/data", But(osloDone, `,"completedAt":"2026-11-21T12:00:00.003Z"`, "")))),
	},
	"record/equal-calls-told-apart": {
		Holds("by their times", TwoDice, diceTold),
		SeesNothing("no equal calls", OneCity, osloTold),
		Breaks("at the same time", TwoDice, But(diceTold, `"createdAt":"2026-11-21T12:00:00.001Z","updatedAt":"2026-11-21T12:00:00.004Z"`, `"createdAt":"2026-11-21T12:00:00.000Z","updatedAt":"2026-11-21T12:00:00.003Z"`),
			Found(0, "", "nothing tells the call second from an equal one", "other times than created 2026-11-21T12:00:00.000Z, updated 2026-11-21T12:00:00.003Z", data("/3/data", But(done("second", "throw_die", `{"sides":6}`, `"4"`, "false", "001", "004"), `"createdAt":"2026-11-21T12:00:00.001Z","updatedAt":"2026-11-21T12:00:00.004Z"`, `"createdAt":"2026-11-21T12:00:00.000Z","updatedAt":"2026-11-21T12:00:00.003Z"`)))),
	},
}
