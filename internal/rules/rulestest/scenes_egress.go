package rulestest

// Round is a dialogue about one call, with these messages in the second request.
func Round(messages string) string {
	return `
		asks
		runs oslo
		asks on
			` + messages + `
		completed`
}

// GoingOn is a dialogue with two prompts, with these messages before the second one.
func GoingOn(messages string) string {
	return `
		asks
		asks on
			calls oslo
			result oslo
		asks on
			` + messages + `
			prompt 2
		completed`
}

const (
	// Unanswered is a dialogue that ends before anything is sent that only a loop sends.
	Unanswered = `
		asks
		failed: no idea`
	// AsReceived are the messages of a round as a loop sends them that keeps what it got and
	// tolerates what may be.
	AsReceived = `
		{{message 1}}
		{"role":"tool","tool_call_id":"{{oslo}}","name":"get_weather","content":"4 C"}`
)

// OfferingTools is a round of OneCity in which the second request offers these tools.
func OfferingTools(tools string) string {
	return `
		asks
		runs oslo
		asks on with {"tools":[` + tools + `]}
			calls oslo
			result oslo
		completed`
}

// Asking is a round of OneCity in which the second request has these keys besides.
func Asking(keys string) string { return AskingWith("{" + keys + "}") }

// AskingWith is [Asking] with the keys of an object.
func AskingWith(object string) string {
	return `
		asks
		runs oslo
		asks on with ` + object + `
			calls oslo
			result oslo
		completed`
}

const (
	// Toolless offers no tools in its requests.
	Toolless = `
		asks without tools
		runs oslo
		asks on without tools
			calls oslo
			result oslo
		completed`
	// PlainTool is the tool of the scenes without its description.
	PlainTool = `{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}`
)
