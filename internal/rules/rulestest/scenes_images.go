package rulestest

var (
	// Seeing looks at the harbour, and hears what the weather is there.
	Seeing = Scene(`
needs: [images, parallel-calls]
prompt: What do you see in the harbour?
tools:
  look:
    parameters: {place: string}
    results: [{image: png}]
  get_weather:
    parameters: {city: string}
    results: [{text: 4 C}]
model:
  - calls:
      - {as: harbour, tool: look, arguments: '{"place":"harbour"}'}
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
  - text: A ship.
`)
)

// Looked is a run whose second request brings the results of both calls in these messages.
func Looked(messages string) string {
	return `
		asks
		runs harbour
		runs oslo
		asks on
			calls harbour, oslo
			` + messages + `
		completed`
}

const (
	// HarbourURL is the image of the harbour as a part of a message.
	HarbourURL = `{"type":"image_url","image_url":{"url":"data:image/png;base64,{{picture harbour}}"}}`
)

const (
	// Noted are results of which the first only refers to what follows.
	Noted = `{"role":"tool","tool_call_id":"{{harbour}}","content":"See below."}
			result oslo
			`
)

// FromTheUser returns these results with a user message of the parts after them.
func FromTheUser(parts string) string { return Noted + `{"role":"user","content":[` + parts + `]}` }
