package record_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/protocol"
)

// The scenes of records, alongside those that all areas share.
var (
	bonnFails    = oneCall(`{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}`)
	noSuchTool   = oneCall(`{as: browser, tool: open_browser, arguments: '{"url":"x"}', not-offered: true}`)
	badArguments = oneCall(`{as: number, tool: get_weather, arguments: '{"city":5}'}`)
	brokenOnce   = BadEnd("{text: It is, cut: {before: finish}}\n  - {text: It is 4 C in Oslo.}")
	truncated    = BadEnd(`{text: "It is", finish: length}`)
	// explained has a commentary before its answer.
	explained = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - commentary: I have it.
    text: It is 4 C in Oslo.
`)
	// atTheLimit stops when its tools were run.
	atTheLimit = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
max-turns: 2
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
`)
	// finalCall has a model that answers by a call of a tool.
	finalCall = OneCity.Of(protocol.AnswersByTool)
	// inBlocks has structured reasoning on both of its turns.
	inBlocks = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning-details:
      - {type: text, text: First Oslo., format: anthropic-claude-v1, index: 0}
      - {type: encrypted, format: anthropic-claude-v1, index: 1}
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning-details: [{type: text, text: It is cold., format: anthropic-claude-v1, index: 0}]
    text: It is 4 C in Oslo.
`).Under("openrouter")
)

func oneCall(call string) Setting {
	return Scene(WeatherTool + `
prompt: What is the weather?
model:
  - calls: [` + call + `]
  - text: I do not know.
`)
}

// explainedKept is the run of explained with what its transcript has as the answer.
func explainedKept(answer string) string {
	return `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		completed
		keeps openai
			user: What is the weather in Oslo?
			calls oslo
			result oslo
			` + answer
}

// theFinalCall is the call by which the model of finalCall answers.
const theFinalCall = `{"id":"final_1","type":"function","function":{"name":"final_answer","arguments":"{\"answer\":\"It is 4 C in Oslo.\"}"}}`

// finalCallKept is the run of finalCall with what its transcript has as the answer.
func finalCallKept(answer string) string { return explainedKept(answer) }

// Dialogues that are right, with their records.
const (
	bonnDone = `
		asks
		runs bonn
		asks on
			calls bonn
			result bonn: Error: the service is down
		completed
		keeps open-agent-loops
			{"role":"user","content":"What is the weather?","timestamp":1763740800000}
			{"role":"assistant","content":"","tool_calls":[{{bonn call}}],"finishReason":"tool_calls","timestamp":1763740800001}
			{"role":"tool","tool_call_id":"{{bonn}}","content":"Error: the service is down","toolName":"get_weather","isError":true,"timestamp":1763740800002}
			{"role":"assistant","content":"I do not know.","finishReason":"stop","timestamp":1763740800003}`
	browserDone = `
		asks
		asks on
			calls browser
			result browser: Error: there is no tool open_browser
		completed
		keeps open-agent-loops
			{"role":"user","content":"What is the weather?"}
			{"role":"assistant","content":"","tool_calls":[{{browser call}}]}
			{"role":"tool","tool_call_id":"{{browser}}","content":"Error: there is no tool open_browser","isError":true}
			{"role":"assistant","content":"I do not know."}`
	numberDone = `
		asks
		asks on
			calls number
			result number: Error: city is not a text
		completed
		keeps open-agent-loops
			{"role":"user","content":"What is the weather?"}
			{"role":"assistant","content":"","tool_calls":[{{number call}}]}
			{"role":"tool","tool_call_id":"{{number}}","content":"Error: city is not a text","isError":true}
			{"role":"assistant","content":"I do not know."}`
)

const (
	// bothInBlocks and BothInART are the same in other formats.
	bothInBlocks = TwoCitiesDone + `
		keeps anthropic
			{"role":"user","content":"Compare the weather in Oslo and Lima."}
			{"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}},{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}]}
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C"},{"type":"tool_result","tool_use_id":"{{lima}}","content":[{"type":"text","text":"19 C"}]}]}
			{"role":"assistant","content":"Lima is warmer."}`
)

const (
	noToolsKept = NoToolsDone + `
		keeps open-agent-loops
			{"role":"user","content":"Say hello.","timestamp":1}
			{"role":"assistant","content":"Hello.","isError":true,"timestamp":0}`
	// limitKept ends at the turn limit, with a result that was not sent.
	limitKept = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		runs lima
		stopped: turn limit
		keeps openai
			user: Compare the weather in Oslo and Lima.
			calls oslo
			result oslo
			calls lima
			result lima`
)
