package rulestest

var (
	// BlankTime and nullTime call a tool without parameters in the ways in which some providers do.
	BlankTime = Clock(`""`)
)

// Clock calls a tool without parameters, with these arguments.
func Clock(arguments string) Setting {
	return Scene(`
prompt: What time is it?
tools:
  get_time:
    results: [{text: "08:15"}]
model:
  - calls: [{as: time, tool: get_time, arguments: ` + arguments + `}]
  - text: It is 08:15.
`).Under("vllm")
}

const (
	// one call for each city, come back in another order
	Reordered = `
		asks
		runs lima
		runs oslo
		asks on
			calls lima, oslo
			result lima
			result oslo
		completed`
)

// BrokenJSON makes one call that cannot be run as it is.
var BrokenJSON = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: broken, tool: get_weather, arguments: '{"city": "Oslo"'}]
  - text: It is 4 C in Oslo.
`)
