package rulestest

// The blocks in which OpenRouter shows what models reason.
var (
	InThree = Blocks(`{type: summary, text: Looking it up, format: openai-responses-v1, index: 0}`,
		`{type: encrypted, format: openai-responses-v1, index: 1}`,
		`{type: text, text: I will ask., signed: true, format: anthropic-claude-v1, index: 2}`)
)

// Blocks reasons in these blocks before it calls.
func Blocks(all ...string) Setting {
	list := ""
	for _, b := range all {
		list += "      - " + b + "\n"
	}
	return Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning-details:
` + list + `    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("openrouter")
}

var (
	// ThinkingTwice is a conversation in which the user continues, with a model that thinks at
	// every turn.
	ThinkingTwice = Scene(WeatherTool + `
prompts: [What is the weather in Oslo?, Is that warm?]
model:
  - reasoning: I ask for Oslo.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: The tool says 4 C.
    text: It is 4 C in Oslo.
  - text: No, it is cold.
`).Under("moonshot")
)

// OnTheWay is a dialogue about ThinkingTwice in which the first answer goes back in this way.
func OnTheWay(answer string) string {
	return `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		asks on
			` + answer + `
			prompt 2
		completed`
}

// Partly reasons in the content.
var Partly = Thinking.Under("mistral-reasoning")

var (
	// Lines has line ends and quotes in its reasoning.
	Lines = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: "Let me \"think\"…\n1. ask\n"
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: Done.
    text: It is 4 C in Oslo.
`).Under("deepseek")
)
