package rulestest

var (
	// Half is cut off in its answer by the token limit, filtered by a filter.
	Half = Ending("length")
)

// Ending answers with a text that ends for this reason.
func Ending(finish string) Setting {
	return Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: The weather in Oslo is not
    finish: ` + finish + `
`)
}

// AfterRound is a dialogue about one call and what comes after its result.
func AfterRound(rest string) string {
	return `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		` + rest
}

// AfterList is the same for the scenes in which files are listed first.
func AfterList(rest string) string {
	return `
		asks
		runs list
		asks on
			calls list
			result list
		` + rest
}
