package rulestest

var (
	// Thinking reasons before it calls and before it answers.
	Thinking = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: I need the weather in Oslo.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: The user will be cold.
    text: It is 4 C in Oslo.
`).Under("deepseek")
	// Obvious thinks what it says.
	Obvious = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: I look it up.
    text: I look it up. One moment.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: It is 4 C in Oslo.
    text: It is 4 C in Oslo.
`).Under("deepseek")
)

var (
	// EmptyAnswer has no text, each time.
	EmptyAnswer = BadEnd(`{text: "", times: 3}`)
	// BrokenAnswer breaks off within the text of its answer, each time.
	BrokenAnswer = BadEnd(`{text: "It is 4 C in Oslo, and tomorrow", cut: {before: finish}, times: 3}`)
	// BrokenCall breaks off within a turn that has a whole call.
	BrokenCall = BadEnd(`{calls: [{as: pay, tool: get_weather, arguments: '{"city":"Lima"}'}], cut: {before: finish}}`)
	// InBand has an error in the stream of its answer, each time.
	InBand = BadEnd(`{text: "It is 4 C in Oslo, and tomorrow", in-band-error: {after: 3 events}, times: 3}`)
	// Refused answers the second request with status 401.
	Refused = BadEnd(`{status: 401, times: 3}`)
)

// Refusing has a refusal of the model for an answer.
var Refusing = BadEnd("{refusal: I cannot help with that.}")

// BadEnd has this step instead of its answer.
func BadEnd(step string) Setting {
	return Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - ` + step + `
`)
}
