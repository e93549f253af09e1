package rulestest

import "strings"

var (
	// ProgramBlocks is two rounds in which code of the provider calls the tool, and its end, in a
	// dialect of blocks. ProgramItems is the same in one of items.
	ProgramBlocks = Scene(program).Under("anthropic")
	ProgramItems  = Scene(program).Under("openai-responses")
)

var program = "needs: [programmatic-tools]\n" + strings.Replace(WeatherTool, "    results:", "    programmatic: true\n    results:", 1) + `
prompts: [Compare Oslo and Lima., And now?]
model:
  - program: await both()
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - {program-output: "15", text: It is 15 C warmer in Lima.}
  - text: Still.
`
