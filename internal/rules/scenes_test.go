package rules

const weatherTool = `
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

// The scenes that many cases share.
var (
	// oneCity is the smallest loop there is.
	oneCity = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
	// twoCities calls twice in one turn.
	twoCities = scene(weatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: Lima is warmer.
`)
	// twoRounds calls in two turns, one after the other.
	twoRounds = scene(weatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`)
	// talking says something beside its calls.
	talking = scene(weatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - text: I look up both.
    calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
  - text: Lima is warmer.
`)
	// twoPrompts is a conversation in which the user goes on.
	twoPrompts = scene(weatherTool + `
prompts: [What is the weather in Oslo?, And in Lima?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: It is 19 C in Lima.
`)
	// threeCities calls three times in one turn.
	threeCities = scene(weatherTool + `
prompt: Compare the weather in Oslo, Lima and Rome.
model:
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
      - {as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}
  - text: Lima is warmest.
`)
	// repeatedIDs gives one id to the calls of two turns.
	repeatedIDs = scene(`
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
	// noTools is answered at once.
	noTools = scene(`
prompt: Say hello.
model:
  - text: Hello.
`)
)

// Dialogues that are right.
const (
	oneCityDone = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		completed`
	twoCitiesDone = `
		asks
		runs oslo
		runs lima
		asks on
			calls oslo, lima
			result oslo
			result lima
		completed`
	// turnInTwo sends two calls of one turn back as two turns.
	turnInTwo = `
		asks
		asks on
			calls oslo
			result oslo
			calls lima
			result lima
		completed`
	repeatedIDsDone = `
		asks
		asks on
			calls author
			result author
		asks on
			calls year
			result year
		completed`
	// brokenAnswered tells the model that its arguments are no JSON.
	brokenAnswered = `
		asks
		asks on
			calls broken
			result broken: Error: no JSON
		completed`
	// listedThenStopped ends at an answer that the token limit cut.
	listedThenStopped = `
		asks
		runs list
		asks on
			calls list
			result list
		stopped: length`
	noToolsDone = `
		asks
		completed`
)

// twoDice makes two equal calls in one turn.
var twoDice = scene(`
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
