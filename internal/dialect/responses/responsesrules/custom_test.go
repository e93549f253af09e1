package responsesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// counting has a tool whose input is a text.
var counting = Scene(`
prompt: How many users are there?
needs: [custom-tools]
tools:
  run_sql:
    description: Runs an SQL query.
    free-text: true
    results: [{text: "17"}]
model:
  - calls: [{as: query, tool: run_sql, arguments: "SELECT count(*) FROM users"}]
  - text: There are 17.
`).Under("openai-responses")

const (
	customTool   = `{"tools":[{"type":"custom","name":"run_sql","description":"Runs an SQL query."}]}`
	customCall   = `{"type":"custom_tool_call","call_id":"{{query}}","name":"run_sql","input":"SELECT count(*) FROM users"}`
	customOutput = `{"type":"custom_tool_call_output","call_id":"{{query}}","output":"17"}`
)

// counted is a round of the tool.
func counted(call, output string) string {
	return `
		asks with ` + customTool + `
		runs query
		asks on with ` + customTool + `
			` + call + `
			` + output + `
		completed`
}

var customCases = Cases{
	"pairing/custom-calls-answered-in-kind": {
		Holds("in kind", counting, counted(customCall, customOutput)),
		SeesNothing("there is no custom tool", itemCity, OneCityDone),
		Breaks("as a function", counting, counted(customCall, `{"type":"function_call_output","call_id":"{{query}}","output":"17"}`),
			Found(2, "/input/2/type", "the call of a custom tool is answered as one of a function", "custom_tool_call_output",
				`{"type":"function_call_output","call_id":"{{query}}","output":"17"}`)),
		Breaks("a function as a custom tool", itemCity, SecondRequest(`calls oslo
			{"type":"custom_tool_call_output","call_id":"{{oslo}}","output":"4 C"}`),
			Found(2, "/input/2/type", "the call of a function is answered as one of a custom tool", "function_call_output",
				`{"type":"custom_tool_call_output","call_id":"{{oslo}}","output":"4 C"}`)),
	},
	"history/custom-calls-in-kind": {
		Holds("in kind", counting, counted(customCall, customOutput)),
		SeesNothing("there is no custom tool", itemCity, OneCityDone),
		Breaks("as a function", counting, counted(`{"type":"function_call","call_id":"{{query}}","name":"run_sql","arguments":"SELECT count(*) FROM users"}`, customOutput),
			Found(2, "/input/1", "the call of a custom tool did not come back as one", `custom_tool_call with the input "SELECT count(*) FROM users"`,
				`{"type":"function_call","call_id":"{{query}}","name":"run_sql","arguments":"SELECT count(*) FROM users"}`)),
	},
	"egress/custom-tool-form": {
		Holds("as the reference has it", counting, counted(customCall, customOutput)),
		SeesNothing("there is no custom tool", itemCity, OneCityDone),
		Breaks("with parameters", counting, `
			asks with {"tools":[{"type":"custom","name":"run_sql","parameters":{"type":"object","properties":{}}}]}
			completed`,
			Found(1, "/tools/0", "a custom tool does not have the form that the provider takes", "type, name, description and format", `{"type":"custom","name":"run_sql","parameters":{"type":"object","properties":{}}}`)),
	},
}
