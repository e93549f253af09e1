package limits_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

// limitedDown may ask the model twice, and calls a tool that fails.
var limitedDown = Scene("max-turns: 2\n" + Down.Scenario)

var (
	// limitedAndBusy may ask the model twice; the provider is busy once.
	limitedAndBusy = Scene(WeatherTool + `
max-turns: 2
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - status: 429
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`)
	// limitedAndCut may ask the model twice; the second answer is cut off.
	limitedAndCut = Scene(WeatherTool + `
max-turns: 2
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is
    finish: length
  - text: 4 C in Oslo.
`)
)

var coreCases = Cases{
	"limits/silent-tool-given-up": {
		Holds("given up, and the run with it", Hanging, HungAt("for 1900ms given up")+"failed: deadline exceeded"),
		Holds("given up, and the model told", Hanging, HungAt("for 1s given up")+`asks on
				calls oslo
				result oslo: Error: the tool does not answer
			completed`),
		SeesNothing("the first tool of all", Scene(strings.Replace(Hanging.Scenario, "Lima\"}'}]", "Oslo\"}'}]", 1)), `
			asks
			runs lima for 4s
			asks on
				calls lima
				result lima
			completed`),
		SeesNothing("no tool that hangs", OneCity, OneCityDone),
		SeesNothing("no later request or outcome", Hanging, HungAt("for 1900ms")+"crashed"),
		Breaks("waited for", Hanging, HungAt("for 4s")+`asks on
				calls oslo
				result oslo
			completed`,
			Found(0, "", "the loop waited until the tool returned", "an end after the 2s that the task has", "get_weather run for 4s")),
	},
	"limits/turn-limit-respected": {
		Holds("as many as allowed", Limited, LimitReached),
		Holds("attempts that failed are no turns", limitedAndBusy, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks on
			stopped: the limit of 2 turns is reached`),
		SeesNothing("no limit was set", OneCity, OneCityDone),
		SeesNothing("fewer than allowed", Limited, `
			asks
			failed: no idea`),
		SeesNothing("no tool was used", Limited, `
			asks
			asks
			asks
			stopped: what now?`),
		Breaks("one more", Limited, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
			stopped: enough`,
			Found(3, "", "the loop went past its limit of 2 turns", "at most 2 turns", "3 turns")),
		Holds("one more for a summary, without tools", Limited, `
			asks
			asks on
				calls oslo
				result oslo
			asks on without tools
				calls lima
				result lima
			completed: Rome`),
		Holds("one more for a summary, with tools that cannot be called", Limited, `
			asks
			asks on
				calls oslo
				result oslo
			asks on with {"tool_choice":"none"}
				calls lima
				result lima
			completed: Rome`),
		Breaks("a second summary", Limited, `
			asks
			asks on
				calls oslo
				result oslo
			asks on without tools
				calls lima
				result lima
			asks on without tools
				calls rome
				result rome
			completed: Rome`,
			Found(4, "", "the loop went past its limit of 2 turns", "at most 2 turns", "4 turns")),
		Breaks("the rest of an answer that was cut off", limitedAndCut, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is
			completed: It is 4 C in Oslo.`,
			Found(3, "", "the loop went past its limit of 2 turns", "at most 2 turns", "3 turns").Only(trace.Should)),
		Breaks("a turn more than that for one that said nothing", Scene(WeatherTool+`
max-turns: 1
prompt: What is the weather in Oslo?
model:
  - text: ""
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`), `
			asks
			asks on
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			Found(3, "", "the loop went past its limit of 1 turn", "at most 1 turn", "3 turns")),
	},
	"limits/answer-asked-for-once": {
		Holds("each answer once", OneCity, OneCityDone),
		Holds("the last one again is for no-request-after-the-end", OneCity, `
			asks
			asks on
				calls oslo
				result oslo
			repeats
			completed`),
		Holds("an attempt in the moment in which the wait is cancelled", CancelledWait, AfterRound("cancels\nrepeats\nstopped: cancelled")),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("each request twice", OneCity, `
			asks
			repeats
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			Found(2, "", "the same as request 1, whose answer came whole", "a request that goes on from the answer", "the same request once more")),
	},
	"limits/limit-is-told": {
		Holds("stopped", Limited, LimitReached),
		Holds("failed", limitedAndBusy, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
			failed: the limit of 2 turns is reached`),
		SeesNothing("the answer came in time", JustEnough, OneCityDone),
		SeesNothing("no limit was set", OneCity, OneCityDone),
		SeesNothing("past the limit is for turn-limit-respected", Limited, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
			completed: Lima`),
		Breaks("completed", Limited, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			completed: I looked everywhere.`,
			Found(2, "", "a run that ended at its turn limit was reported as completed", "status stopped or failed", `status completed with the text "I looked everywhere."`)),
	},
	"limits/all-turns-allowed": {
		Holds("the answer in the last turn", JustEnough, OneCityDone),
		Holds("the limit is reached", Limited, LimitReached),
		SeesNothing("no limit was set", OneCity, OneCityDone),
		SeesNothing("no tool was used", Limited, `
			asks
			failed: no idea`),
		SeesNothing("a tool that fails is for bad-call-survived", limitedDown, `
			asks
			runs bonn
			failed: a tool failed`),
		Breaks("one turn early, as an error", Limited, `
			asks
			runs oslo
			failed: too many turns`,
			Found(1, "", "the loop ended before its limit of 2 turns", "another request", `the loop reported failed: "too many turns" after 1 turn`)),
		Breaks("one turn early", Limited, `
			asks
			runs oslo
			stopped: the limit is reached`,
			Found(1, "", "the loop ended before its limit of 2 turns", "another request", "the loop reported stopped (reason: the limit is reached) after 1 turn")),
	},
	"limits/no-request-after-the-end": {
		Holds("the answer is the end", OneCity, OneCityDone),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		SeesNothing("half an answer may be asked on", Half, AfterRound(`asks on
			assistant: The weather in Oslo is not
			user: Go on.
		completed: The weather in Oslo is not bad.`)),
		SeesNothing("no later request or outcome", OneCity, AfterRound("crashed")),
		SeesNothing("an answer in another form may not be known for one", PlainText, AfterRound("asks on\nasks on\nasks on\nfailed: no answer")),
		SeesNothing("a loop that reads no refusals sees a blank answer, and may ask again", Refusing, AfterRound("asks on\ncompleted: There is nothing more to say.")),
		Breaks("once more", OneCity, AfterRound(`asks on
			assistant: It is 4 C in Oslo.
		completed: It is 4 C in Oslo.`),
			Found(3, "", "a request after the model's last answer", "2 requests", "3 requests")),
		Breaks("the same again, twice", OneCity, AfterRound(`asks on
		asks on
		completed: It is 4 C in Oslo.`),
			Found(3, "", "a request after the model's last answer", "2 requests", "4 requests")),
	},
}
