package rulestest

import (
	"github.com/loopproof/loopproof/internal/wire"
)

var (
	// PlainText is a good answer with a wrong name, unstreamed one in the wrong form, zipped a
	// compressed one.
	PlainText = BadEnd(`{text: It is 4 C in Oslo., content-type: text/plain, times: 3}`)
)

var (
	// Gone refuses every connection after its second turn.
	Gone = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - refused: true
`)

	// GoneAtTheSecond refuses every connection after the answer to its first prompt.
	GoneAtTheSecond = Scene(WeatherTool + `
prompts: [What is the weather in Oslo?, And in Lima?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - refused: true
`)
)

var (
	// TooLong is refused with words of its own.
	TooLong = BadEnd(`{status: 400, error: {message: "This model's maximum context length is \"128\" tokens."}, times: 3}`)
)

var (
	// BrokenThenGoodAnswer breaks off once; the model had said the beginning of it before.
	BrokenThenGoodAnswer = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: Tomorrow
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: Tomorrow it will be warmer than it is
    in-band-error: {after: 4 events}
  - text: It is 4 C in Oslo.
`).By(wire.DeliverSSE)
)

// Resuming is what scenes begin with in which the user continues after a failure.
const Resuming = "needs: [multi-prompt, resume-after-failure, streaming]\n" + WeatherTool

var (
	// Resumed continues after its second prompt got no answer but a rate limit.
	Resumed = Scene(Resuming + `
prompts: [What is the weather in Oslo?, And in Lima?, And in Rome?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - status: 429
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}]
  - text: It is 11 C in Rome.
`)
	// ResumedBehindBrokenCall continues after its first prompt, whose call cannot be run, and after
	// its second one, which fails.
	ResumedBehindBrokenCall = Scene(Resuming + `
prompts: [What is the weather in Oslo?, And in Lima?, And in Rome?]
model:
  - calls: [{as: broken, tool: get_weather, arguments: '{city: Oslo}'}]
  - status: 429
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}]
  - text: It is 11 C in Rome.
`)
	// GivesUpAtBrokenCall gives up at the call, and goes on as the user does.
	GivesUpAtBrokenCall = `
		asks
		asks
			prompt 2
		asks
			prompt 3
		asks on
			calls rome
			result rome
		completed`
	// ResumedBehindFailedTool continues after its first prompt, one of whose tools fails, and after
	// its second one, which fails.
	ResumedBehindFailedTool = Scene(Resuming + `
prompts: [What is the weather in Bonn and Oslo?, And in Lima?, And in Rome?]
model:
  - calls:
      - {as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
  - status: 429
  - calls: [{as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}]
  - text: It is 11 C in Rome.
`)
	// GivesUpAtFailedTool gives up at the tool, and goes on as the user does.
	GivesUpAtFailedTool = `
		asks
		runs bonn
		asks
			prompt 2
		asks
			prompt 3
		runs rome
		asks on
			calls rome
			result rome
		completed`
	// ResumedBehindCut continues after its second prompt, whose answer broke off after a text and a
	// call.
	ResumedBehindCut = Scene(Resuming + `
prompts: [What is the weather in Oslo?, And in Lima?, And in Rome?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - text: I look it up.
    calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
    cut: {before: finish}
  - text: It is 11 C in Rome.
`).By(wire.DeliverSSE)
)
