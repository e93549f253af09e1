package execution_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var coreCases = Cases{
	"execution/every-call-run": {
		Holds("a call that was made twice before is for polling-goes-on", polls, polled("first second", "asks on\n\tcalls third\n\tresult third: you repeat yourself\ncompleted")),
		Breaks("calls beyond the eighth are refused", tenCalls, `
			asks
			runs c1
			runs c2
			runs c3
			runs c4
			runs c5
			runs c6
			runs c7
			runs c8
			asks on
				calls c1, c2, c3, c4, c5, c6, c7, c8, c9, c10
				result c1
				result c2
				result c3
				result c4
				result c5
				result c6
				result c7
				result c8
				result c9: Error: eight calls are the limit
				result c10: Error: eight calls are the limit
			completed`,
			Found(1, "", "the call c9 was not run", `look is run with "{\"at\":9}"`, "no run").Only(trace.Should),
			Found(1, "", "the call c10 was not run", `look is run with "{\"at\":10}"`, "no run").Only(trace.Should)),
		Breaks("calls beyond the eighth are not heard", tenCalls, `
			asks
			runs c1
			runs c2
			runs c3
			runs c4
			runs c5
			runs c6
			runs c7
			runs c8
			asks on
				calls c1, c2, c3, c4, c5, c6, c7, c8
				result c1
				result c2
				result c3
				result c4
				result c5
				result c6
				result c7
				result c8
			completed`,
			Found(1, "", "the call c9 was not run", `look is run with "{\"at\":9}"`, "no run"),
			Found(1, "", "the call c10 was not run", `look is run with "{\"at\":10}"`, "no run")),
		Breaks("of a tool that had failed twice", keepsFailing, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn
			runs again
			asks on
				calls again
				result again
			asks on
				calls lima
				result lima: this tool is out of use
			completed`,
			Found(3, "", "the call lima was not run", `get_weather is run with "{\"city\":\"Lima\"}"`, "no run").Only(trace.Should)),
		Breaks("of a turn with the word stop, and a result is made up", Stopping, `
			asks
			asks on
				calls oslo
				result oslo: skipped
			completed`,
			Found(1, "", "the call oslo was not run", `get_weather is run with "{\"city\":\"Oslo\"}"`, "no run")),
		SeesNothing("of a turn with the word stop, which ended the run", Stopping, `
			asks
			completed: `),
		Holds("of an answer that was asked for after the user had cancelled", CancelledThenTool, BeforePrompt(`cancels
			asks
				prompt 1
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				prompt 2
			asks
				prompt 1
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				prompt 3
			completed`)),
		SeesNothing("beside one without any arguments, and the run ended with an error", equalBesideBlank, `
			asks
			failed: the arguments are null`),
		Holds("equal to one without any arguments that was refused", equalBehindBlank, `
			asks
			asks on
				calls blank
				result blank: Error: no JSON
			runs get_time {}
			asks on
				calls again
				result again
			completed`),
		Holds("equal to one at whose turn the loop gave up", equalBehindBroken, `
			asks
			asks
				prompt 2
			runs get_time {}
			asks on
				calls again
				result again
			completed`),
		SeesNothing("arguments that the offered schema refuses", bigNumber, offeringDoubles+`
			asks on
				calls delete
				result delete: Error: too big
			completed`),
		Holds("they are run anyway", bigNumber, offeringDoubles+`
			runs delete
			asks on
				calls delete
				result delete
			completed`),
		Breaks("arguments that it takes", Scene(strings.ReplaceAll(bigNumber.Scenario, "2512292042121000001", "9007199254740991")), offeringDoubles+`
			asks on
				calls delete
				result delete: Error: too big
			completed`,
			Found(1, "", "the call delete was not run", `delete_post is run with "{\"id\":9007199254740991}"`, "no run")),
		Holds("one call", OneCity, OneCityDone),
		Holds("two calls, without ids, the second first", TwoCities, `
			asks
			runs get_weather {"city":"Lima"}
			runs get_weather {"city":"Oslo"}
			asks on
				calls oslo, lima
				result oslo
				result lima
			completed`),
		Holds("equal calls, each once, without ids", TwoDice, `
			asks
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			completed`),
		Holds("the same call in two turns", SamePrice, `
			asks
			runs get_price {"share":"ACME"}
			asks on
				calls first
				result first
			runs get_price {"share":"ACME"}
			asks on
				calls again
				result again
			completed`),
		Holds("wrong arguments are for reach-the-tool", OneCity, `
			asks
			runs oslo with {"city":"Rome"}
			completed`),
		SeesNothing("the time of the task was over", OneCity, `
			asks held 10s
			failed: deadline exceeded`),
		Breaks("given up before the time was over", OneCity, `
			asks held 8s
			failed: deadline exceeded`,
			Found(1, "", "the call oslo was not run", `get_weather is run with "{\"city\":\"Oslo\"}"`, "no run")),
		Breaks("said to be done when the time was over", OneCity, `
			asks held 10s
			completed: Cold.`,
			Found(1, "", "the call oslo was not run", `get_weather is run with "{\"city\":\"Oslo\"}"`, "no run")),
		Holds("what would be run after the last turn that the limit allows may be left", Limited, LimitReached),
		SeesNothing("there was no call", NoTools, NoToolsDone),
		SeesNothing("no later request or outcome", OneCity, `
			asks
			crashed`),
		SeesNothing("a call that cannot be run", BrokenJSON, BrokenAnswered),
		SeesNothing("blank arguments are for blank-means-none", BlankTime, `
			asks
			failed: no JSON`),
		Holds("a bad sibling is for siblings-unaffected", OneFails, `
			asks
			runs bonn
			failed: the service is down`),
		SeesNothing("the word stop is for calls-decide", Stopping, `
			asks
			completed: nothing`),
		Holds("calls of a truncated turn may be left", CutAfterCall, ListedThenStopped),
		SeesNothing("text alongside calls in a stream is for text-beside-calls", Talking.By(wire.DeliverSSE), `
			asks
			completed: I look up both.`),
		Breaks("neither of two", TwoCities, `
			asks
			completed: 4 C and 19 C`,
			Found(1, "", "the call oslo was not run", `get_weather is run with "{\"city\":\"Oslo\"}"`, "no run"),
			Found(1, "", "the call lima was not run", `get_weather is run with "{\"city\":\"Lima\"}"`, "no run")),
		Breaks("one of two equal calls", TwoDice, `
			asks
			runs first
			asks on
				calls first, second
				result first
				result second
			completed`,
			Found(1, "", "the call second was not run", `throw_die is run with "{\"sides\":6}"`, "no run").Only(trace.Should)),
		Breaks("both of two equal calls", TwoDice, `
			asks
			asks on
				calls first, second
				result first: 4
				result second: 4
			completed`,
			Found(1, "", "the call first was not run", `throw_die is run with "{\"sides\":6}"`, "no run"),
			Found(1, "", "the call second was not run", `throw_die is run with "{\"sides\":6}"`, "no run")),
		Breaks("the second time is taken from memory", SamePrice, `
			asks
			runs first
			asks on
				calls first
				result first
			asks on
				calls again
				result again
			completed`,
			Found(2, "", "the call again was not run", `get_price is run with "{\"share\":\"ACME\"}"`, "no run")),
		Holds("the second time is taken from the cache of a loop that says so", SamePrice.Of(protocol.CachedResults), `
			asks
			runs first
			asks on
				calls first
				result first
			asks on
				calls again
				result again
			completed`),
		Holds("in the same turn, too", TwoDice.Of(protocol.CachedResults), `
			asks
			runs first
			asks on
				calls first, second
				result first
				result second
			completed`),
		Breaks("a cache that answers another call", TwoCities.Of(protocol.CachedResults), `
			asks
			runs oslo
			asks on
				calls oslo, lima
				result oslo
				result lima
			completed`,
			Found(1, "", "the call lima was not run", `get_weather is run with "{\"city\":\"Lima\"}"`, "no run")),
		Breaks("a cache with nothing in it", SamePrice.Of(protocol.CachedResults), `
			asks
			asks on
				calls first
				result first
			runs again
			asks on
				calls again
				result again
			completed`,
			Found(1, "", "the call first was not run", `get_price is run with "{\"share\":\"ACME\"}"`, "no run")),
		Breaks("another design than a cache", SamePrice.Of(protocol.WindowedHistory), `
			asks
			runs first
			asks on
				calls first
				result first
			asks on
				calls again
				result again
			completed`,
			Found(2, "", "the call again was not run", `get_price is run with "{\"share\":\"ACME\"}"`, "no run")),
		Breaks("before the last turn that the limit allows", Limited, `
			asks
			asks on
				calls oslo
				result oslo: not now
			stopped: the limit of 2 turns is reached`,
			Found(1, "", "the call oslo was not run", `get_weather is run with "{\"city\":\"Oslo\"}"`, "no run")),
	},
}

// bigNumber has an argument that no double holds.
var bigNumber = Scene(`
prompt: Delete the post.
tools:
  delete_post:
    parameters: {id: integer}
    results: [{text: deleted}]
model:
  - calls: [{as: delete, tool: delete_post, arguments: '{"id":2512292042121000001}'}]
  - text: Deleted.
`)

// offeringDoubles offers the tool with the bounds that a double has.
const offeringDoubles = `
	asks with {"tools":[{"type":"function","function":{"name":"delete_post","parameters":{"type":"object","properties":{"id":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}},"required":["id"]}}}]}`

// tenCalls is a turn with more calls than some loops run.
var tenCalls = Scene(`
prompt: Look everywhere.
needs: [parallel-calls]
tools:
  look:
    parameters: {at: integer}
    results: [{text: seen}]
model:
  - calls:
      - {as: c1, tool: look, arguments: '{"at":1}'}
      - {as: c2, tool: look, arguments: '{"at":2}'}
      - {as: c3, tool: look, arguments: '{"at":3}'}
      - {as: c4, tool: look, arguments: '{"at":4}'}
      - {as: c5, tool: look, arguments: '{"at":5}'}
      - {as: c6, tool: look, arguments: '{"at":6}'}
      - {as: c7, tool: look, arguments: '{"at":7}'}
      - {as: c8, tool: look, arguments: '{"at":8}'}
      - {as: c9, tool: look, arguments: '{"at":9}'}
      - {as: c10, tool: look, arguments: '{"at":10}'}
  - text: I have looked.
`)
