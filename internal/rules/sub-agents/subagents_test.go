package subagents_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// travel is a conversation in which two sub-agents are asked.
var travel = Scene(`
needs: [sub-agents]
system: You plan trips.
prompt: Do I need a coat?
tools:
  find_trip:
    parameters: {to: string}
    results: [{text: 3 December}]
agents:
  weather_desk:
    description: Knows the weather.
    system: You measure.
    tools:
      get_weather:
        parameters: {city: string}
        results: [{text: 4 C}]
  price_desk:
    description: Knows the prices.
    system: You compare.
    tools:
      get_price:
        parameters: {city: string}
        results: [{text: 190 a day}]
model:
  - calls: [{as: trip, tool: find_trip, arguments: '{"to":"Oslo"}'}]
  - calls:
      - {as: oslo, tool: weather_desk, arguments: '{"prompt":"How cold is it?"}'}
      - {as: price, tool: price_desk, arguments: '{"prompt":"What is the price?"}'}
  - text: Take a coat.
threads:
  oslo:
    - calls: [{as: measured, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    - text: It is cold.
  price:
    - calls: [{as: asked, tool: get_price, arguments: '{"city":"Oslo"}'}]
    - text: It costs 190.
`)

const (
	begins = `
	asks
	runs trip
	asks on
		calls trip
		result trip
	thread oslo
		asks
	`
	measures = `
		asks on
			calls measured
			result measured
	`
	ends = `
	thread
		asks
			prompt 1
			calls trip
			result trip
			calls oslo, price
			result oslo: It is cold.
			result price: It costs 190.
		completed`
)

var coreCases = Cases{
	"sub-agents/own-thread": {
		Holds("nothing of each other", travel, begins+measures+ends),
		SeesNothing("no tool of a sub-agent", travel, begins+ends),
		SeesNothing("no sub-agent", travel, "asks\ncompleted:"),
		Breaks("a call of the caller", travel, begins+`
		asks
			calls trip
			result trip: 3 December
			prompt 1
			calls measured
			result measured`+ends,
			Found(4, "/messages/0", "a call of the caller is in the conversation of the sub-agent weather_desk", "what this agent was asked, and what it did", `{"role":"assistant","content":null,"tool_calls":[{"id":"call_FxPKJ00QxfNLuUZTONuStYjB","type":"function","function":{"name":"find_trip","arguments":"{\"to\":\"O…`)),
	},
	"sub-agents/own-tools": {
		Holds("each its own", travel, begins+measures+ends),
		SeesNothing("no sub-agent", travel, "asks\ncompleted:"),
		Breaks("that of the caller", travel, begins+`
		asks on with {"tools":[{"type":"function","function":{"name":"get_weather"}},{"type":"function","function":{"name":"find_trip"}}]}
			calls measured
			result measured`+ends,
			Found(4, "/tools/1", "the tool find_trip of the caller is offered to the sub-agent weather_desk", "get_weather", `"find_trip"`)),
		Breaks("that of another sub-agent", travel, begins+`
		asks on with {"tools":[{"type":"function","function":{"name":"get_price"}}]}
			calls measured
			result measured`+ends,
			Found(4, "/tools/0", "the tool get_price of the sub-agent price_desk is offered to the sub-agent weather_desk", "get_weather", `"get_price"`)),
	},
}
