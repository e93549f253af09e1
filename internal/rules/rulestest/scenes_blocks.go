package rulestest

import (
	"github.com/loopproof/loopproof/internal/wire"
)

var (
	// BlockCity is [OneCity] with messages of blocks.
	BlockCity = OneCity.Under("anthropic")
	// BlockCities is [TwoCities] with messages of blocks.
	BlockCities = TwoCities.Under("anthropic")
)

var (
	// BlockMangled has an input that is not JSON, which only a stream can carry.
	BlockMangled = Mangled.Under("anthropic").By(wire.DeliverSSE)
	// Thoughtful reasons before it calls; its blocks are signed, and one is encrypted.
	Thoughtful = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning-details: [{type: text, text: I need the weather.}, {type: encrypted}]
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("anthropic")
	// ThoughtfulAnswer reasons before it answers, too, and the user continues.
	ThoughtfulAnswer = Scene(WeatherTool + `
prompts: [What is the weather in Oslo?, Thank you.]
model:
  - reasoning-details: [{type: text, text: I need the weather.}]
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning-details: [{type: text, text: It is cold.}]
    text: It is 4 C in Oslo.
  - text: You are welcome.
`).Under("anthropic")
)

var (
	// Searching uses a tool of the provider alongside one of the loop.
	Searching = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: I look it up.
    blocks: ['{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}}']
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("anthropic")
)

// SecondRequest is a run of one round whose second request is written out after the first prompt.
func SecondRequest(messages string) string {
	return `
		asks
		runs oslo
		asks on
		` + messages + `
		completed`
}

// GoingOnInBlocks is a run of ThoughtfulAnswer in which the answer goes back with these blocks in
// front.
func GoingOnInBlocks(reasoning string) string {
	return `
		asks
		runs oslo
		asks on
			{{message 1}}
			` + GotOslo + `
		asks on
			{"role":"assistant","content":[` + reasoning + `,{"type":"text","text":"It is 4 C in Oslo."}]}
			prompt 2
		completed`
}

const (
	// OsloUse is the call of the scenes as a block.
	OsloUse = `{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}`
	// OsloResult is the result of it as a block.
	OsloResult = `{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C"}`
	// CalledOslo is the assistant message with that call.
	CalledOslo = `{"role":"assistant","content":[` + OsloUse + `]}`
	// GotOslo is the user message with that result.
	GotOslo = `{"role":"user","content":[` + OsloResult + `]}`
)
