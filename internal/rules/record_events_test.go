package rules

import "github.com/loopproof/loopproof/internal/record"

// osloTold are the events of oneCity, diceTold those of twoDice, failTold those of a tool that failed.
var (
	osloTold = oneCityDone + tellsOf("oslo", "get_weather", `{"city":"Oslo"}`, `"4 C"`, false)
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

func tellsOf(call, tool, args, results string, failed bool) string {
	mark := "false"
	if failed {
		mark = "true"
	}
	return `
		tells adk-turn-events
			` + requested(call, tool, args, "000") + `
			{"event":"toolExecutionStart","data":{"toolName":"` + tool + `","turnId":"t","callId":"` + record.Checksum(tool, args) + `","args":` + args + `,"startedAt":"2026-11-21T12:00:00.001Z"}}
			{"event":"toolExecutionEnd","data":{"toolName":"` + tool + `","turnId":"t","callId":"` + record.Checksum(tool, args) + `","startedAt":"2026-11-21T12:00:00.001Z","endedAt":"2026-11-21T12:00:00.002Z","durationMs":1,"isError":` + mark + `}}
			` + done(call, tool, args, results, mark, "000", "003")
}

func head(call, tool, args, created, updated string) string {
	return `{"event":"toolCall","data":{"id":"{{` + call + `}}","tool":"` + tool + `","args":` + args + `,"checksum":"` + record.Checksum(tool, args) +
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

var recordEventsCases = ruleCases{
	"record/call-announced": {
		holds("before it is done", oneCity, osloTold),
		holds("equal calls", twoDice, diceTold),
		seesNothing("no events", oneCity, oneCityDone),
		seesNothing("no tool was used", noTools, noToolsDone+"\ntells adk-turn-events"),
		breaks("only when it is done", oneCity, but(osloTold, osloRequested, ""),
			finding{0, "", "the call oslo was done before it was told of", "an event with isComplete false first", data("/2/data", osloDone)}),
		breaks("not at all", oneCity, oneCityDone+"\ntells adk-turn-events",
			finding{0, "", "the events tell nothing of the call oslo", "an event with isComplete false", "no such event"}),
	},
	"record/call-completed": {
		holds("with results", oneCity, osloTold),
		holds("under an id of the loop's own", oneCity, but(osloTold, "{{oslo}}\",\"tool", "own\",\"tool", "{{oslo}}\",\"tool", "own\",\"tool")),
		seesNothing("no events", oneCity, oneCityDone),
		breaks("only announced", oneCity, but(osloTold, osloDone, ""),
			finding{0, "", "the events do not tell that the call oslo is done", "an event with isComplete true under the same id", "no such event"}),
		breaks("without results", oneCity, but(osloTold, `"results":"4 C",`, ""),
			finding{0, "", "the call oslo is done and has no results", "results", data("/3/data", but(osloDone, `"results":"4 C",`, ""))}),
	},
	"record/call-sealed": {
		holds("nothing more", oneCity, osloTold),
		seesNothing("never done", oneCity, but(osloTold, osloDone, "")),
		breaks("told again", oneCity, osloTold+"\n"+osloDone,
			finding{0, "", "more was told of the call oslo after it was done", "nothing more under its id", data("/4/data", osloDone)}),
	},
	"record/announcement-bare": {
		holds("bare", oneCity, osloTold),
		seesNothing("no announcement", oneCity, but(osloTold, osloRequested, "")),
		breaks("with empty results", oneCity, but(osloTold, `"isComplete":false`, `"results":null,"isComplete":false`),
			finding{0, "", "the call oslo is not done and tells of its end", "neither results nor an error nor completedAt", data("/0/data", but(osloRequested, `"isComplete":false`, `"results":null,"isComplete":false`))}),
	},
	"record/event-arguments": {
		holds("as the model supplied them", oneCity, osloTold),
		seesNothing("no object", oneCall(`{as: list, tool: get_weather, arguments: '[5]'}`), `
			asks
			asks on
				calls list
				result list: Error: no object
			completed
			tells adk-turn-events
				`+requested("list", "get_weather", `{}`, "000")),
		breaks("with a default", oneCity, but(osloTold, `"args":{"city":"Oslo"}`, `"args":{"city":"Oslo","units":"metric"}`),
			finding{0, "", "the events tell of other arguments of the call oslo than the model supplied", `{"city":"Oslo"}`, data("/0/data", but(osloRequested, `"args":{"city":"Oslo"}`, `"args":{"city":"Oslo","units":"metric"}`))}),
	},
	"record/event-carries-result": {
		holds("as a text", oneCity, osloTold),
		holds("inside an artifact", oneCity, but(osloTold, `"results":"4 C"`, `"results":[{"kind":"text","text":"4 C"}]`)),
		seesNothing("the tool failed", bonnFails, failTold),
		breaks("something else", oneCity, but(osloTold, `"results":"4 C"`, `"results":"see the log"`),
			finding{0, "", "the results of the call oslo are not what the tool returned", `"4 C"`, data("/3/data", but(osloDone, `"results":"4 C"`, `"results":"see the log"`))}),
	},
	"record/event-failure-marked": {
		holds("marked", bonnFails, failTold),
		seesNothing("nothing failed", oneCity, osloTold),
		breaks("not marked", bonnFails, but(failTold, `"isComplete":true,"isError":true`, `"isComplete":true,"isError":false`),
			finding{0, "", "the call bonn failed and is not told of as an error", "isError true", data("/3/data", but(bonnTold, `"isError":true`, `"isError":false`))}),
	},
	"record/event-success-not-marked": {
		holds("not marked", oneCity, osloTold),
		seesNothing("the tool failed", bonnFails, failTold),
		breaks("marked", oneCity, but(osloTold, `"isComplete":true,"isError":false`, `"isComplete":true,"isError":true`),
			finding{0, "", "the call oslo went well and is told of as an error", "isError false", data("/3/data", but(osloDone, `"isError":false`, `"isError":true`))}),
	},
	"record/event-says-why": {
		holds("the message of the tool", bonnFails, failTold),
		holds("something, of arguments that were refused", badArguments, numberDone+tellsOf("number", "get_weather", `{"city":5}`, `{"code":"E_ARGS"}`, true)),
		seesNothing("nothing failed", oneCity, osloTold),
		breaks("something else", bonnFails, but(failTold, `"results":"Error: the service is down"`, `"results":"Error"`),
			finding{0, "", "the results of the call bonn, which failed, do not say why", `the error detail "the service is down"`, data("/3/data", but(bonnTold, `"results":"Error: the service is down"`, `"results":"Error"`))}),
	},
	"record/checksum": {
		holds("of the canonical form", oneCity, osloTold),
		seesNothing("no events", oneCity, oneCityDone),
		breaks("another one", oneCity, but(osloTold, record.Checksum("get_weather", `{"city":"Oslo"}`), record.Checksum("x", `{}`)),
			finding{0, "", "the checksum of the call oslo is another one", record.Checksum("get_weather", `{"city":"Oslo"}`), data("/0/data", but(osloRequested, record.Checksum("get_weather", `{"city":"Oslo"}`), record.Checksum("x", `{}`)))}),
	},
	"record/checksum-joins-executions": {
		holds("equal", oneCity, osloTold),
		holds("left empty at one end", oneCity, but(osloTold, `"callId":"`+record.Checksum("get_weather", `{"city":"Oslo"}`), `"callId":"`)),
		seesNothing("no executions are told of", twoDice, diceTold),
		breaks("the id of the call", oneCity, but(osloTold, `"callId":"`+record.Checksum("get_weather", `{"city":"Oslo"}`), `"callId":"{{oslo}}`),
			finding{0, "", "an execution has a callId that is the checksum of no call", record.Checksum("get_weather", `{"city":"Oslo"}`), `/1/data {"toolName":"get_weather","turnId":"t","callId":"{{oslo}}","args":{"city":"Oslo"},"startedAt":"2026-11-21T12:00:00.001Z"}`}),
	},
	"record/executions-as-run": {
		holds("one run, one start, one end", oneCity, osloTold),
		seesNothing("no executions are told of", twoDice, diceTold),
		breaks("of a call that was never run", badArguments, numberDone+tellsOf("number", "get_weather", `{"city":5}`, `"Error"`, true),
			finding{0, "", "the events do not tell of every run of a tool that it starts, or of one that never was", "0 events", "1 event"},
			finding{0, "", "the events do not tell of every run of a tool that it ends, or of one that never was", "0 events", "1 event"}),
	},
	"record/equal-calls-counted": {
		holds("two", twoDice, diceTold),
		seesNothing("no equal calls", oneCity, osloTold),
		breaks("one for two", twoDice, but(diceTold, requested("second", "throw_die", `{"sides":6}`, "001"), "", done("second", "throw_die", `{"sides":6}`, `"4"`, "false", "001", "004"), ""),
			finding{0, "", "the events do not tell of the call second apart from an equal one", "events under an id of its own", "no such event"}),
	},
}

var recordTimesCases = ruleCases{
	"record/created-once": {
		holds("once", oneCity, osloTold),
		holds("in another zone", oneCity, but(osloTold, `"createdAt":"2026-11-21T12:00:00.000Z"`, `"createdAt":"2026-11-21T13:00:00.000+01:00"`)),
		seesNothing("one event", oneCity, but(osloTold, osloDone, "")),
		breaks("again when it is done", oneCity, but(osloTold, `"createdAt":"2026-11-21T12:00:00.000Z","updatedAt":"2026-11-21T12:00:00.003Z"`, `"createdAt":"2026-11-21T12:00:00.003Z","updatedAt":"2026-11-21T12:00:00.003Z"`),
			finding{0, "", "the call oslo was created twice", "createdAt 2026-11-21T12:00:00.000Z", data("/3/data", but(osloDone, "00.000Z", "00.003Z"))}),
	},
	"record/event-times-in-order": {
		holds("in order", oneCity, osloTold),
		seesNothing("no events", oneCity, oneCityDone),
		breaks("updated before it was created", oneCity, but(osloTold, `"updatedAt":"2026-11-21T12:00:00.000Z"`, `"updatedAt":"2026-11-21T11:00:00.000Z"`),
			finding{0, "", "the call oslo was updated before it was created", "createdAt, then updatedAt", data("/0/data", but(osloRequested, `"updatedAt":"2026-11-21T12`, `"updatedAt":"2026-11-21T11`))}),
		breaks("completed before it was updated", oneCity, but(osloTold, `"completedAt":"2026-11-21T12:00:00.003Z"`, `"completedAt":"2026-11-21T12:00:00.001Z"`),
			finding{0, "", "the call oslo was completed before it was last updated", "updatedAt, then completedAt", data("/3/data", but(osloDone, `"completedAt":"2026-11-21T12:00:00.003Z"`, `"completedAt":"2026-11-21T12:00:00.001Z"`))}),
		breaks("done, and no time", oneCity, but(osloTold, `,"completedAt":"2026-11-21T12:00:00.003Z"`, ""),
			finding{0, "", "the call oslo is done and does not say when", "completedAt", data("/3/data", but(osloDone, `,"completedAt":"2026-11-21T12:00:00.003Z"`, ""))}),
	},
	"record/equal-calls-told-apart": {
		holds("by their times", twoDice, diceTold),
		seesNothing("no equal calls", oneCity, osloTold),
		breaks("at the same time", twoDice, but(diceTold, `"createdAt":"2026-11-21T12:00:00.001Z","updatedAt":"2026-11-21T12:00:00.004Z"`, `"createdAt":"2026-11-21T12:00:00.000Z","updatedAt":"2026-11-21T12:00:00.003Z"`),
			finding{0, "", "nothing tells the call second from an equal one", "other times than created 2026-11-21T12:00:00.000Z, updated 2026-11-21T12:00:00.003Z", data("/3/data", but(done("second", "throw_die", `{"sides":6}`, `"4"`, "false", "001", "004"), `"createdAt":"2026-11-21T12:00:00.001Z","updatedAt":"2026-11-21T12:00:00.004Z"`, `"createdAt":"2026-11-21T12:00:00.000Z","updatedAt":"2026-11-21T12:00:00.003Z"`))}),
	},
}
