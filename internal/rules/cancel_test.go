package rules

import "github.com/loopproof/loopproof/internal/wire"

const cancelling = "needs: [cancel, multi-prompt, streaming, retries]\n" + weatherTool

var (
	// cancelledAnswer is cancelled when the model was asked for the second time.
	cancelledAnswer = scene(cancelling + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    cancel: {during: answer}
  - text: Lima is warmer.
`)
	// cancelledTools is cancelled while the tools of its second turn run.
	cancelledTools = scene(cancelling + `
prompt: Compare the weather in Oslo, Lima and Rome.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls:
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
      - {as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}
    cancel: {during: tool}
  - text: Lima is warmest.
`)
	// cancelledWait is cancelled while the loop waits to ask again.
	cancelledWait = scene(cancelling + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - status: 429
    retry-after: 4s
    cancel: {during: wait}
  - text: It is 4 C in Oslo.
`)
	// cancelledPrompt goes on after its second prompt is cancelled in the middle of a call.
	cancelledPrompt = scene(cancelling + `
prompts: [What is the weather in Oslo?, And in Lima?, And in Rome?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    cancel: {during: stream, after: 3 events, scope: prompt}
  - text: It is 11 C in Rome.
`)
	// cancelledThenTool is the same, with a tool for the prompt after it.
	cancelledThenTool = scene(cancelling + `
prompts: [What is the weather in Oslo?, And in Lima?, And in Rome?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    cancel: {during: tool, scope: prompt}
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}]
  - text: It is 11 C in Rome.
`)
)

// untilCancel is how a cancelled run begins, up to the request whose answer the user does not wait for.
const untilCancel = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		`

func beforeCancel(rest string) string { return untilCancel + rest }

// untilPrompt is how a conversation begins in which the second prompt is cancelled.
const untilPrompt = untilCancel + `
		asks on
			assistant: It is 4 C in Oslo.
			prompt 2
		`

func beforePrompt(rest string) string { return untilPrompt + rest }

var cancelCases = ruleCases{
	"cancel/run-ends": {
		holds("at once", cancelledAnswer, beforeCancel("cancels\nstopped: cancelled")),
		holds("when a tool that cannot be aborted has ended", cancelledTools, beforeCancel("runs lima\ncancels\nwaits 1s\nfailed: cancelled")),
		holds("another prompt that is never asked", cancelledPrompt, beforePrompt("cancels\nstopped: cancelled")),
		seesNothing("nobody cancelled", oneCity, oneCityDone),
		seesNothing("the conversation goes on", cancelledPrompt, beforePrompt(`cancels
		asks on
			prompt 3
		completed`)),
		seesNothing("no tool was used", cancelledAnswer, "asks\nasks on\ncancels\nstopped: cancelled"),
		seesNothing("a hang is for outcome/run-ends", cancelledAnswer, beforeCancel("cancels\nhung")),
		breaks("late", cancelledAnswer, beforeCancel("cancels\nwaits 8s\nstopped: cancelled"),
			finding{2, "", "the run went on for long after it was cancelled", "an outcome within 5s", "the loop reported stopped (reason: cancelled) after 8s"}),
	},
	"cancel/not-completed": {
		holds("stopped", cancelledAnswer, beforeCancel("cancels\nstopped: cancelled")),
		holds("failed", cancelledAnswer, beforeCancel("cancels\nfailed: AbortError")),
		seesNothing("nobody cancelled", oneCity, oneCityDone),
		seesNothing("the conversation goes on", cancelledPrompt, beforePrompt(`cancels
		asks on
			prompt 3
		completed`)),
		breaks("nothing as the answer", cancelledAnswer, beforeCancel("cancels\ncompleted:"),
			finding{2, "", "a run that was cancelled was reported as completed", "status stopped or failed", `status completed with the text ""`}),
		breaks("the answer before", cancelledPrompt, beforePrompt("cancels\ncompleted: It is 4 C in Oslo."),
			finding{3, "", "a run that was cancelled was reported as completed", "status stopped or failed", `status completed with the text "It is 4 C in Oslo."`}),
	},
	"cancel/no-request-after": {
		holds("none", cancelledAnswer, beforeCancel("cancels\nstopped: cancelled")),
		holds("another prompt", cancelledPrompt, beforePrompt(`cancels
		asks on
			prompt 3
		completed`)),
		holds("another prompt, without the one that was cancelled", cancelledPrompt, beforePrompt(`cancels
		asks
			prompt 1
			calls oslo
			result oslo
			assistant: It is 4 C in Oslo.
			prompt 3
		completed`)),
		holds("one that was on its way while the loop seemed to wait", cancelledWait, beforeCancel("cancels\nasks on\nstopped: cancelled")),
		seesNothing("nobody cancelled", oneCity, oneCityDone),
		seesNothing("no tool was used", cancelledAnswer, "asks\nasks on\ncancels\nstopped: cancelled"),
		breaks("the same again", cancelledAnswer, beforeCancel("cancels\nasks on\nstopped: cancelled"),
			finding{3, "", "a request 10ms after the cancel", "no request", `the last message is {"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`}),
		breaks("after the wait", cancelledWait, beforeCancel("cancels\nwaits 4s\nasks on\nstopped: cancelled"),
			finding{3, "", "a request 4.02s after the cancel", "no request", `the last message is {"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`}),
		breaks("the prompt again that was cancelled", cancelledPrompt, beforePrompt(`cancels
		asks on
		completed`),
			finding{4, "", "a request 10ms after the cancel", "no request", `the last message is {"role":"user","content":"And in Lima?"}`}),
	},
	"cancel/no-tool-after": {
		holds("none", cancelledAnswer, beforeCancel("cancels\nstopped: cancelled")),
		holds("those that run may run to their end", cancelledTools, beforeCancel("runs lima\nruns rome\ncancels\nwaits 1s\nstopped: cancelled")),
		holds("those of another prompt", cancelledThenTool, beforePrompt(`cancels
		asks on
			prompt 3
		runs rome
		asks on
			calls rome
			result rome
		completed`)),
		seesNothing("nobody cancelled", oneCity, oneCityDone),
		seesNothing("no tool ran before", cancelledTools, "asks\nasks on\ncancels\nstopped: cancelled"),
		breaks("the next of the turn", cancelledTools, beforeCancel("runs lima\ncancels\nruns rome\nstopped: cancelled"),
			finding{2, "", "the call rome was run after the cancel", "no run", `get_weather run with "{\"city\":\"Rome\"}"`}),
		breaks("those of the answer that comes after all", cancelledAnswer, beforeCancel("cancels in vain\nwaits 1s\nruns lima\nstopped: cancelled"),
			finding{2, "", "the call lima was run after the cancel", "no run", `get_weather run with "{\"city\":\"Lima\"}"`}),
	},
	"cancel/stream-closed": {
		holds("closed", cancelledAnswer.by(wire.DeliverSSE), beforeCancel("cancels\nstopped: cancelled")),
		seesNothing("nobody cancelled", oneCity.by(wire.DeliverSSE), oneCityDone),
		seesNothing("not streamed", cancelledAnswer, beforeCancel("cancels in vain\nstopped: cancelled")),
		seesNothing("the stream had ended", cancelledTools.by(wire.DeliverSSE), beforeCancel("runs lima\ncancels in vain\nstopped: cancelled")),
		breaks("open", cancelledAnswer.by(wire.DeliverSSE), beforeCancel("cancels in vain\nstopped: cancelled"),
			finding{2, "", "the stream was not closed when it was cancelled", "a closed connection", "open until the answer had come to its end, 0s later"}),
	},
	"cancel/half-calls-not-kept": {
		holds("forgotten", cancelledPrompt.by(wire.DeliverSSE), beforePrompt(`cancels
		asks on
			prompt 3
		completed`)),
		seesNothing("nobody cancelled", twoPrompts, untilPrompt+"completed"),
		seesNothing("the conversation does not go on", cancelledPrompt.by(wire.DeliverSSE), beforePrompt("cancels\nstopped: cancelled")),
		breaks("kept, and answered", cancelledPrompt.by(wire.DeliverSSE), beforePrompt(`cancels
		asks on
			{"role":"assistant","tool_calls":[{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{\"ci"}}]}
			result lima: cancelled
			prompt 3
		completed`),
			finding{4, "/messages/5/tool_calls", "a call that was cancelled before it was whole is in the history", "no call of that answer", `[{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{\"ci"}}]`}),
	},
}
