package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var blockTwice = TwoRounds.Under("anthropic")

var (
	// computing leaves the provider's code waiting in its container.
	computing = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: I compute it.
    blocks: ['{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{"code":"1"}}']
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    container: true
  - text: It is 4 C in Oslo.
`).Under("anthropic")
)

var (
	// halting breaks off in the middle of its own work.
	halting = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: One moment.
    blocks: ['{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}']
    finish: pause
  - text: It is 4 C in Oslo.
`).Under("anthropic")
	// fullWindow is cut off where the memory was full.
	fullWindow = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - {text: "It is 4 C in Oslo, and", finish: context-window}
`).Under("anthropic")
	// brokenTool fails for Bonn.
	brokenTool = Down.Under("anthropic")
)
