package rulestest

var (
	// Hanging has a tool that takes longer than the task has.
	Hanging = Scene(`
timeout: 2s
prompt: What is the weather in Oslo?
tools:
  get_weather:
    parameters: {city: string}
    results: [{when: {city: Oslo}, text: 4 C, after: 4s}, {text: 19 C}]
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
	// JustEnough may ask the model as often as it takes.
	JustEnough = Scene("max-turns: 2\n" + OneCity.Scenario)
)

// HungAt is a run up to the tool that hangs, which was run for so long.
func HungAt(took string) string {
	return `
			asks
			runs lima
			asks on
				calls lima
				result lima
			runs oslo ` + took + `
			`
}
