package rulestest

// WeatherTool is the tool of most scenes.
const WeatherTool = `
tools:
  get_weather:
    description: The weather in a city.
    parameters: {city: string}
    results:
      - {when: {city: Oslo}, text: 4 C}
      - {when: {city: Lima}, text: 19 C}
      - {when: {city: Bonn}, fail: the service is down}
      - {text: 11 C}
`

// ClockTool is the tool get_time, which takes nothing.
const ClockTool = `
tools:
  get_time:
    results: [{text: "12:00"}]
`

// The scenes that many cases share.
var (
	// OneCity is the smallest loop there is.
	OneCity = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
	// TwoCities calls twice in one turn.
	TwoCities = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: Lima is warmer.
`)
	// TwoRounds calls in two turns, one after the other.
	TwoRounds = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`)
	// Talking says something alongside its calls.
	Talking = Scene(WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - text: I look up both.
    calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: Lima is warmer.
`)
	// TwoPrompts is a conversation in which the user continues.
	TwoPrompts = Scene(WeatherTool + `
prompts: [What is the weather in Oslo?, And in Lima?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: It is 19 C in Lima.
`)
	// ThreeCities calls three times in one turn.
	ThreeCities = Scene(WeatherTool + `
prompt: Compare the weather in Oslo, Lima and Rome.
model:
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
      - {as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}
  - text: Lima is warmest.
`)
	// RepeatedIDs gives one id to the calls of two turns.
	RepeatedIDs = Scene(`
prompt: Who wrote Faust, and when?
tools:
  search:
    parameters: {query: string}
    results:
      - {when: {query: Faust author}, text: Goethe}
      - {when: {query: Faust year}, text: "1808"}
model:
  - calls: [{as: author, tool: search, arguments: '{"query":"Faust author"}'}]
  - calls: [{as: year, tool: search, arguments: '{"query":"Faust year"}', same-id-as: author}]
  - text: Goethe, in 1808.
`)
	// NoTools is answered at once.
	NoTools = Scene(`
prompt: Say hello.
model:
  - text: Hello.
`)
)

// Dialogues that are right.
const (
	OneCityDone = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		completed`
	TwoCitiesDone = `
		asks
		runs oslo
		runs lima
		asks on
			calls oslo, lima
			result oslo
			result lima
		completed`
	// TurnInTwo sends two calls of one turn back as two turns.
	TurnInTwo = `
		asks
		asks on
			calls oslo
			result oslo
			calls lima
			result lima
		completed`
	RepeatedIDsDone = `
		asks
		asks on
			calls author
			result author
		asks on
			calls year
			result year
		completed`
	// BrokenAnswered tells the model that its arguments are no JSON.
	BrokenAnswered = `
		asks
		asks on
			calls broken
			result broken: Error: no JSON
		completed`
	// ListedThenStopped ends at an answer that the token limit cut.
	ListedThenStopped = `
		asks
		runs list
		asks on
			calls list
			result list
		stopped: length`
	NoToolsDone = `
		asks
		completed`
)

// TwoDice makes two equal calls in one turn.
var TwoDice = Scene(`
prompt: Throw two dice.
tools:
  throw_die:
    parameters: {sides: integer}
    results: [{text: "4"}]
model:
  - calls:
      - {as: first, tool: throw_die, arguments: '{"sides":6}'}
      - {as: second, tool: throw_die, arguments: '{"sides":6}'}
  - text: Two fours.
`)

// Steered is a turn with two calls, while which the user says more.
var Steered = Scene(`
needs: [steering, multi-prompt, parallel-calls]
prompts: [Compare Oslo and Lima., Only Lima matters.]
tools:
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
    steers: true
  - text: Both have 4 C.
    if-queued: true
  - text: Lima has 4 C.
`)
