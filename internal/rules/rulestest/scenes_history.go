package rulestest

var (
	// Instructed is OneCity with a system prompt.
	Instructed = Scene("system: You are terse.\n" + OneCity.Scenario)
	// Braced is OneCity with a system prompt that looks like a template.
	Braced = Scene("system: 'Answer as {\"city\": \"\"}, in {language}.'\n" + OneCity.Scenario)
)

var (
	// ThreeRounds calls in three turns.
	ThreeRounds = Scene(WeatherTool + `
prompt: Which city is warmest?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}]
  - text: Lima.
`)
	// Overflowing is refused once, since the history is too long.
	Overflowing = Scene(WeatherTool + `
prompt: Which city is warmest?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - status: 400
    error: {message: "This model's maximum context length is 128 tokens."}
  - text: Lima.
`)
)

const (
	// TwoRoundsDone is [TwoRounds] done right.
	TwoRoundsDone = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		runs lima
		asks on
			calls lima
			result lima
		completed`
	// TwoPromptsDone is [TwoPrompts] done right.
	TwoPromptsDone = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		asks on
			assistant: It is 4 C in Oslo.
			prompt 2
		runs lima
		asks on
			calls lima
			result lima
		completed`
)

const (
	// QuestionsAndAnswers keeps no tool turns from one prompt to the next.
	QuestionsAndAnswers = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		asks
			prompt 1
			assistant: It is 4 C in Oslo.
			prompt 2
		runs lima
		asks on
			calls lima
			result lima
		completed`
	// StartsAnew forgets all from one prompt to the next.
	StartsAnew = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		asks
			prompt 2
		runs lima
		asks on
			calls lima
			result lima
		completed`
)

// Kept is a dialogue in which the provider keeps the conversation.
var Kept = OneCity.Under("anthropic-threads")

const (
	// BeginsThread begins a conversation that the provider keeps.
	BeginsThread = `
		asks with {"thread":{"type":"create"}}
		runs oslo`
	// ThreadGoesOn continues with that conversation and sends only what is new.
	ThreadGoesOn = `
		asks on with {"thread":{"type":"continue","previous_message_id":"msg_1"}}
		keeps 2
			calls oslo
			results oslo
		completed`
)

// Dials has a tool with a parameter of every type, some of them optional.
var Dials = Scene(`
prompt: Set the dials.
tools:
  set_dials:
    description: Set the dials.
    parameters: {name: string, level: integer, gain: number?, on: boolean?, options: object?, tags: array?}
    results: [{text: set}]
model:
  - calls: [{as: set, tool: set_dials, arguments: '{"name":"a","level":1}'}]
  - text: Set.
`)

// Limited may ask the model twice.
var Limited = Scene(WeatherTool + `
max-turns: 2
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}]
  - text: Lima is warmer.
`)

var (
	// SamePrice makes the same call in two turns.
	SamePrice = Scene(`
prompt: Watch the price twice.
tools:
  get_price:
    parameters: {share: string}
    results: [{text: 101 EUR}]
model:
  - calls: [{as: first, tool: get_price, arguments: '{"share":"ACME"}'}]
  - calls: [{as: again, tool: get_price, arguments: '{"share":"ACME"}'}]
  - text: It stayed at 101 EUR.
`)
)
