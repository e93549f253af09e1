package execution_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	// polls asks for a state until it is another one.
	polls = Scene(polling(`{text: queued, then: [running, done]}`))
	// waits asks for a state that does not change.
	waits = Scene(polling(`{text: queued}`))
	// keepsFailing calls a tool that failed twice.
	keepsFailing = Scene(WeatherTool + `
prompt: Where is it warm?
model:
  - calls: [{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}]
  - calls: [{as: again, tool: get_weather, arguments: '{"city":"Bonn"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: In Lima.
`)
	// breaksDown asks for a state that is a failure in the end.
	breaksDown = Scene(strings.Replace(polling(`{text: queued, then: [running]}`), "  - text", "  - calls: [{as: last, tool: get_state, arguments: '{\"job\":\"8\"}'}]\n  - text", 1))
)

func polling(results string) string {
	return `
prompt: Wait for job 7.
tools:
  get_state:
    parameters: {job: string}
    results: [{when: {job: "8"}, fail: no such job}, ` + results + `]
model:
  - calls: [{as: first, tool: get_state, arguments: '{"job":"7"}'}]
  - calls: [{as: second, tool: get_state, arguments: '{"job":"7"}'}]
  - calls: [{as: third, tool: get_state, arguments: '{"job":"7"}'}]
  - text: Job 7 is done.
`
}

// polled runs each of the calls and asks on, and ends.
func polled(calls, end string) string {
	said := "asks\n"
	for _, call := range strings.Fields(calls) {
		said += "runs " + call + "\nasks on\n\tcalls " + call + "\n\tresult " + call + "\n"
	}
	return said + end
}

var pollingCases = Cases{
	"execution/polling-goes-on": {
		Holds("each call is run", polls, polled("first second third", "completed")),
		SeesNothing("the result does not change", waits, polled("first second", "failed: the model is stuck")),
		SeesNothing("it ends at the second call", polls, polled("first", "failed: tired")),
		SeesNothing("a made-up end is for no-made-up-answer", polls, polled("first second", "runs third\ncompleted: Done.")),
		Holds("a tool that fails in the end is for bad-call-survived", breaksDown, polled("first second third", "runs last\nfailed: no such job")),
		Breaks("the third one is refused", polls, polled("first second", "asks on\n\tcalls third\n\tresult third: you repeat yourself\ncompleted"),
			Found(3, "", "the call third was not run", `get_state is run with "{\"job\":\"7\"}"`, "no run")),
		Breaks("the run ends at the third one", polls, polled("first second", "runs third\nstopped: the model is stuck"),
			Found(3, "", "the run ended at the call third, which the model had made before", "a next request, with a result for the call", "the loop reported stopped (reason: the model is stuck)")),
	},
}
