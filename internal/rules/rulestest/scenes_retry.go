package rulestest

var (
	// Busy is refused with 429 twice, then answers.
	Busy = Retrying(`{status: 429, times: 2}`)
)

var (
	// Closed stays down.
	Closed = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - {status: 503, times: 40}
`)
	// WrongOnce is refused with 400 once.
	WrongOnce = Retrying(`{status: 400}`)
)

// Retrying has this step between its call and its answer.
func Retrying(step string) Setting {
	return Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - ` + step + `
  - text: It is 4 C in Oslo.
`)
}

// Again is the same request so many times more.
func Again(times int) string {
	lines := ""
	for range times {
		lines += "asks on\n"
	}
	return lines
}

var (
	// Tomorrow asks for a day.
	Tomorrow = Retrying(`{status: 429, retry-after: 24h}`)
)

// Dead has a connection that is lost before anything comes.
var Dead = Retrying(`{cut: {before: headers}}`)
