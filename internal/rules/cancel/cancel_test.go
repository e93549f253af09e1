package cancel_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

var (
	// cancelledTools is cancelled while the tools of its second turn run.
	cancelledTools = Scene(Cancelling + `
prompt: Compare the weather in Oslo, Lima and Rome.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls:
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
      - {as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}
    cancel: {during: tool}
  - text: Lima is warmest.
`)
)

var coreCases = Cases{
	"cancel/run-ends": {
		Holds("at once", CancelledAnswer, BeforeCancel("cancels\nstopped: cancelled")),
		Holds("when a tool that cannot be aborted has ended", cancelledTools, BeforeCancel("runs lima\ncancels\nwaits 1s\nfailed: cancelled")),
		Holds("another prompt that is never asked", CancelledPrompt, BeforePrompt("cancels\nstopped: cancelled")),
		SeesNothing("nobody cancelled", OneCity, OneCityDone),
		SeesNothing("the conversation goes on", CancelledPrompt, BeforePrompt(`cancels
		asks on
			prompt 3
		completed`)),
		SeesNothing("no tool was used", CancelledAnswer, "asks\nasks on\ncancels\nstopped: cancelled"),
		SeesNothing("a hang is for outcome/run-ends", CancelledAnswer, BeforeCancel("cancels\nhung")),
		Breaks("late", CancelledAnswer, BeforeCancel("cancels\nwaits 8s\nstopped: cancelled"),
			Found(2, "", "the run went on for long after it was cancelled", "an outcome within 5s", "the loop reported stopped (reason: cancelled) after 8s")),
	},
	"cancel/not-completed": {
		Holds("stopped", CancelledAnswer, BeforeCancel("cancels\nstopped: cancelled")),
		Holds("failed", CancelledAnswer, BeforeCancel("cancels\nfailed: AbortError")),
		SeesNothing("nobody cancelled", OneCity, OneCityDone),
		SeesNothing("the conversation goes on", CancelledPrompt, BeforePrompt(`cancels
		asks on
			prompt 3
		completed`)),
		Breaks("nothing as the answer", CancelledAnswer, BeforeCancel("cancels\ncompleted:"),
			Found(2, "", "a run that was cancelled was reported as completed", "status stopped or failed", `status completed with the text ""`)),
		Breaks("the answer before", CancelledPrompt, BeforePrompt("cancels\ncompleted: It is 4 C in Oslo."),
			Found(3, "", "a run that was cancelled was reported as completed", "status stopped or failed", `status completed with the text "It is 4 C in Oslo."`)),
	},
	"cancel/no-request-after": {
		Holds("none", CancelledAnswer, BeforeCancel("cancels\nstopped: cancelled")),
		Holds("another prompt", CancelledPrompt, BeforePrompt(`cancels
		asks on
			prompt 3
		completed`)),
		Holds("another prompt, without the one that was cancelled", CancelledPrompt, BeforePrompt(`cancels
		asks
			prompt 1
			calls oslo
			result oslo
			assistant: It is 4 C in Oslo.
			prompt 3
		completed`)),
		Holds("one that was on its way while the loop seemed to wait", CancelledWait, BeforeCancel("cancels\nasks on\nstopped: cancelled")),
		SeesNothing("nobody cancelled", OneCity, OneCityDone),
		SeesNothing("no tool was used", CancelledAnswer, "asks\nasks on\ncancels\nstopped: cancelled"),
		Breaks("the same again", CancelledAnswer, BeforeCancel("cancels\nasks on\nstopped: cancelled"),
			Found(3, "", "a request 10ms after the cancel", "no request", `the last message is {"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`)),
		Breaks("after the wait", CancelledWait, BeforeCancel("cancels\nwaits 4s\nasks on\nstopped: cancelled"),
			Found(3, "", "a request 4.02s after the cancel", "no request", `the last message is {"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`)),
		Breaks("the prompt again that was cancelled", CancelledPrompt, BeforePrompt(`cancels
		asks on
		completed`),
			Found(4, "", "a request 10ms after the cancel", "no request", `the last message is {"role":"user","content":"And in Lima?"}`)),
	},
	"cancel/no-tool-after": {
		Holds("none", CancelledAnswer, BeforeCancel("cancels\nstopped: cancelled")),
		Holds("those that run may run to their end", cancelledTools, BeforeCancel("runs lima\nruns rome\ncancels\nwaits 1s\nstopped: cancelled")),
		Holds("those of another prompt", CancelledThenTool, BeforePrompt(`cancels
		asks on
			prompt 3
		runs rome
		asks on
			calls rome
			result rome
		completed`)),
		SeesNothing("nobody cancelled", OneCity, OneCityDone),
		SeesNothing("no tool ran before", cancelledTools, "asks\nasks on\ncancels\nstopped: cancelled"),
		Breaks("the next of the turn", cancelledTools, BeforeCancel("runs lima\ncancels\nruns rome\nstopped: cancelled"),
			Found(2, "", "the call rome was run after the cancel", "no run", `get_weather run with "{\"city\":\"Rome\"}"`)),
		Breaks("those of the answer that comes after all", CancelledAnswer, BeforeCancel("cancels in vain\nwaits 1s\nruns lima\nstopped: cancelled"),
			Found(2, "", "the call lima was run after the cancel", "no run", `get_weather run with "{\"city\":\"Lima\"}"`)),
	},
	"cancel/stream-closed": {
		Holds("closed", CancelledAnswer.By(wire.DeliverSSE), BeforeCancel("cancels\nstopped: cancelled")),
		SeesNothing("nobody cancelled", OneCity.By(wire.DeliverSSE), OneCityDone),
		SeesNothing("not streamed", CancelledAnswer, BeforeCancel("cancels in vain\nstopped: cancelled")),
		SeesNothing("the stream had ended", cancelledTools.By(wire.DeliverSSE), BeforeCancel("runs lima\ncancels in vain\nstopped: cancelled")),
		Breaks("open", CancelledAnswer.By(wire.DeliverSSE), BeforeCancel("cancels in vain\nstopped: cancelled"),
			Found(2, "", "the stream was not closed when it was cancelled", "a closed connection", "open until the answer had come to its end, 0s later")),
	},
	"cancel/half-calls-not-kept": {
		Holds("forgotten", CancelledPrompt.By(wire.DeliverSSE), BeforePrompt(`cancels
		asks on
			prompt 3
		completed`)),
		Holds("whole when it was cancelled, and answered", CancelledPrompt.By(wire.DeliverSSE), BeforePrompt(`cancels
		asks on
			calls lima
			result lima: cancelled
			prompt 3
		completed`)),
		SeesNothing("nobody cancelled", TwoPrompts, UntilPrompt+"completed"),
		SeesNothing("the conversation does not go on", CancelledPrompt.By(wire.DeliverSSE), BeforePrompt("cancels\nstopped: cancelled")),
		Breaks("kept, and answered", CancelledPrompt.By(wire.DeliverSSE), BeforePrompt(`cancels
		asks on
			{"role":"assistant","tool_calls":[{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{\"ci"}}]}
			result lima: cancelled
			prompt 3
		completed`),
			Found(4, "/messages/5/tool_calls", "a call that was cancelled before it was whole is in the history", "no call of that answer", `[{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{\"ci"}}]`)),
	},
}
