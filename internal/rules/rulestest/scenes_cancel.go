package rulestest

// Cancelling is what scenes begin with in which the user cancels.
const Cancelling = "needs: [cancel, multi-prompt, streaming, retries]\n" + WeatherTool

var (
	// CancelledAnswer is cancelled when the model was asked for the second time.
	CancelledAnswer = Scene(Cancelling + `
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    cancel: {during: answer}
  - text: Lima is warmer.
`)
)

var (
	// CancelledWait is cancelled while the loop waits to ask again.
	CancelledWait = Scene(Cancelling + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - status: 429
    retry-after: 4s
    cancel: {during: wait}
  - text: It is 4 C in Oslo.
`)
)

var (
	// CancelledPrompt continues after its second prompt is cancelled in the middle of a call.
	CancelledPrompt = Scene(Cancelling + `
prompts: [What is the weather in Oslo?, And in Lima?, And in Rome?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    cancel: {during: stream, after: 3 events, scope: prompt}
  - text: It is 11 C in Rome.
`)
	// CancelledThenTool is the same, with a tool for the prompt after it.
	CancelledThenTool = Scene(Cancelling + `
prompts: [What is the weather in Oslo?, And in Lima?, And in Rome?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    cancel: {during: tool, scope: prompt}
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}]
  - text: It is 11 C in Rome.
`)
)

// untilCancel is how a cancelled run begins, up to the request whose answer the user does not wait
// for.
const untilCancel = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		`

// BeforeCancel returns a dialogue in which the user cancels before the rest.
func BeforeCancel(rest string) string { return untilCancel + rest }

// UntilPrompt is how a conversation begins in which the second prompt is cancelled.
const UntilPrompt = untilCancel + `
		asks on
			assistant: It is 4 C in Oslo.
			prompt 2
		`

// BeforePrompt returns a dialogue in which the second prompt was sent before the rest.
func BeforePrompt(rest string) string { return UntilPrompt + rest }
