package rulestest

var (
	// Silent is a tool that returns nothing.
	Silent = Scene(`
prompt: Delete the file.
tools:
  delete_file:
    parameters: {name: string}
    results: [{text: ""}]
model:
  - calls: [{as: delete, tool: delete_file, arguments: '{"name":"a.txt"}'}]
  - text: Deleted.
`)
	// Unknown calls a tool that does not exist, wrong one with arguments of the wrong type.
	Unknown = Mistake(`{as: python, tool: python, arguments: '{"code":"1"}', not-offered: true}`)
	// Wrong has arguments that the schema does not take.
	Wrong = Mistake(`{as: number, tool: get_weather, arguments: '{"city":42}'}`)
)

// Mangled has arguments that are no JSON.
var Mangled = Mistake(`{as: broken, tool: get_weather, arguments: '{"city"'}`)

// Mistake makes a call that is wrong, and the right one after it.
func Mistake(call string) Setting {
	return Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [` + call + `]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
}

// Answering is a dialogue about one call, which gets this result.
func Answering(call, result string) string {
	return `
		asks
		runs ` + call + `
		asks on
			calls ` + call + `
			` + result + `
		completed`
}

var (
	// Payment fails once at the provider after a tool has run.
	Payment = Scene(`
prompt: Pay the bill.
tools:
  pay:
    parameters: {bill: integer}
    results: [{text: paid}]
model:
  - calls: [{as: pay, tool: pay, arguments: '{"bill":12}'}]
  - status: 500
  - text: Paid.
`)
	// Down calls a tool that fails.
	Down = Scene(WeatherTool + `
prompt: What is the weather in Bonn?
model:
  - calls: [{as: bonn, tool: get_weather, arguments: '{"city":"Bonn"}'}]
  - text: Nobody knows.
`)
)

var (
	// Stopping ends a turn with calls with the word stop.
	Stopping = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    finish: stop
  - text: It is 4 C in Oslo.
`)
	// MadeUp calls a tool that does not exist alongside one that does.
	MadeUp = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls:
      - {as: browser, tool: open_browser, arguments: '{"url":"https://example.com"}', not-offered: true}
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
  - text: It is 4 C in Oslo.
`)
)

const (
	// the limit of two turns is reached, and the tool of the last one was not run
	LimitReached = `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		stopped: the limit of 2 turns is reached`
)

var (
	// TwoTools has a tool that the model does not call.
	TwoTools = Scene(`
prompt: How warm is it in Lima?
tools:
  get_time:
    parameters: {city: string}
    results: [{text: "08:15"}]
  get_weather:
    parameters: {city: string}
    results: [{text: 19 C}]
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: 19 C.
`)
	// CutInCall ends inside a call, CutAfterCall inside the second of two.
	CutInCall = cleaning(`{as: delete, tool: delete_file, arguments: '{"name":"a.o'}`)
	// CutAfterCall breaks off within the second of two calls.
	CutAfterCall = cleaning(`{as: first, tool: delete_file, arguments: '{"name":"a.old"}'}, {as: second, tool: delete_file, arguments: '{"na'}`)
)

func cleaning(calls string) Setting {
	return Scene(`
prompt: Clean up the old files.
tools:
  list_files:
    parameters: {folder: string}
    results: [{text: "a.old, b.old, c.new"}]
  delete_file:
    parameters: {name: string?}
    results: [{text: deleted}]
model:
  - calls: [{as: list, tool: list_files, arguments: '{"folder":"/data"}'}]
  - calls: [` + calls + `]
    finish: length
  - text: Done.
`)
}
