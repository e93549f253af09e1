package sessions_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

const cities = `
needs: [durable-sessions, parallel-calls]
prompt: Which is warmest?
tools:
  get_weather:
    parameters: {city: string}
    results: [{when: {city: Oslo}, text: 4 C}, {text: 19 C}]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
`

var (
	// inAnswer is killed when the model has one result and is asked for more.
	inAnswer = Scene(cities + `
  - text: Oslo.
    crash: {during: answer}
`)
	// inTool is killed in the second of two turns with a call.
	inTool = Scene(cities + `
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    crash: {during: tool}
  - text: Lima.
`)
	// inApproval is killed while the user is asked.
	inApproval = Scene(`
needs: [durable-sessions, tool-approvals]
prompt: Make room.
tools:
  delete_file:
    parameters: {path: string}
    needs-approval: true
    results: [{text: Deleted.}]
model:
  - calls: [{as: old, tool: delete_file, arguments: '{"path":"old"}'}]
    crash: {during: approval}
  - text: Done.
`)
)

// told is how inAnswer begins.
const told = `
	asks
	runs oslo
	asks on
		calls oslo
		result oslo
`

// broken is how inTool begins.
const broken = told + `
	runs lima for 5ms given up
`

// goesOn asks again with all that was said before.
const goesOn = `
	asks
		prompt 1
		calls oslo
		result oslo
	completed
`

var coreCases = Cases{
	"sessions/can-be-resumed": {
		Holds("goes on", inAnswer, told+"killed, again from 1\n"+goesOn),
		SeesNothing("nobody killed it", inAnswer, told+"completed"),
		SeesNothing("it crashed besides", inAnswer, told+"killed\ncrashed"),
		Breaks("a lock", inAnswer, told+"killed\nfailed: locked",
			Found(2, "", "the session did not go on when its process had been killed", "a next request, with what was said so far", `the loop reported failed: "locked"`)),
		Breaks("said to be done", inAnswer, told+"killed\ncompleted: Done.",
			Found(2, "", "the session did not go on when its process had been killed", "a next request, with what was said so far", "the loop reported completed")),
	},
	"sessions/goes-on-where-it-was": {
		Holds("goes on", inAnswer, told+"killed, again from 1\n"+goesOn),
		Breaks("begins again", inAnswer, told+`
			killed, again from 0
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			Found(3, "/messages", "the first request after the restart has lost what the model had been told before", "what request 2 said", "a conversation that begins again at the turn that answered request 1")),
		SeesNothing("killed at the first request", inApproval, `
			asks
			asked old in vain
			killed, again from 0
			asks
			completed`),
	},
	"sessions/stored-result-not-run-again": {
		Holds("goes on", inAnswer, told+"killed, again from 1\n"+goesOn),
		Breaks("runs again", inAnswer, told+"killed, again from 1\nruns oslo\n"+goesOn,
			Found(1, "", "the call oslo was run again, although the model had been told its result before the process was killed", "no further run", `get_weather run with "{\"city\":\"Oslo\"}"`)),
		Holds("a call whose result nobody was told", inTool, broken+`
			killed
			runs lima
			asks on
				calls lima
				result lima
			completed`),
		SeesNothing("no result before", inApproval, `
			asks
			asked old in vain
			killed, again from 0
			asks
			completed`),
	},
	"sessions/broken-off-call-told": {
		Holds("told", inTool, broken+`
			killed
			asks on
				calls lima
				result lima: broken off
			completed`),
		Holds("run again", inTool, broken+`
			killed
			runs lima
			asks on
				calls lima
				result lima
			completed`),
		Breaks("an empty result", inTool, broken+`
			killed
			asks on
				calls lima
				{"role":"tool","tool_call_id":"{{lima}}","content":""}
			completed`,
			Found(3, "/messages/4", "the result of the call lima, which was broken off, says nothing", "a result that says so, or another run of the call", "an empty result")),
		SeesNothing("killed elsewhere", inAnswer, told+"killed, again from 1\n"+goesOn),
		Holds("the turn was not stored", inTool, broken+`
			killed, again from 1
			asks
				prompt 1
				calls oslo
				result oslo
			completed`),
	},
	"sessions/pending-approval-asked-again": {
		Holds("asked again", inApproval, `
			asks
			asked old in vain
			killed
			asked old
			runs old
			asks on
				calls old
				result old
			completed`),
		Breaks("forgotten", inApproval, `
			asks
			asked old in vain
			killed
			asks on
				calls old
				result old: broken off
			completed`,
			Found(1, "", "the user had not decided about a call when the process was killed, and was not asked again", "the question, asked again", "no question since the restart")),
		Holds("run without a question, which another rule looks at", inApproval, `
			asks
			asked old in vain
			killed
			runs old
			asks on
				calls old
				result old
			completed`),
		SeesNothing("killed elsewhere", inAnswer, told+"killed, again from 1\n"+goesOn),
	},
}
