package responsesrules_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

const (
	flatWeather     = `{"type":"function","name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}`
	deferredWeather = `{"type":"function","name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}},"defer_loading":true}`
)

const clientSearch = `{"type":"tool_search_call","call_id":"call_s","execution":"client","arguments":{"query":"weather"}}`

// searchedWith is a dialogue with items of a search before the call.
func searchedWith(items ...string) string {
	return Round("\n\t\t" + strings.Join(items, "\n\t\t") + "\n\t\tcalls oslo\n\t\tresult oslo")
}

// weatherCall is a call as it goes back, with a namespace or none.
func weatherCall(namespace string) string {
	return `{"type":"function_call","call_id":"{{oslo}}","name":"get_weather","arguments":"{\"city\":\"Oslo\"}"` + namespace + `}`
}

// calledIn is a dialogue with tools and a call of one of them.
func calledIn(tools, namespace string) string {
	return `
		asks with {"tools":[` + tools + `,{"type":"tool_search","execution":"client"}]}
		runs oslo
		asks on with {"tools":[` + tools + `,{"type":"tool_search","execution":"client"}]}
			` + weatherCall(namespace) + `
			result oslo
		completed: It is 4 C in Oslo.`
}

var egressDeferredCases = Cases{
	"egress/deferred-tools-need-a-search": keyRule(
		[]string{
			`{"tools":[{"type":"tool_search"},` + deferredWeather + `]}`, `{"tools":[{"type":"tool_search","execution":"client"},` + deferredWeather + `]}`,
			`{"tools":[{"type":"function","name":"get_weather","defer_loading":false}]}`,
		},
		`{"tools":[{"type":"function","name":"look","defer_loading":true}]}`, "/tools/0/defer_loading", "a tool is deferred, and nothing searches for it",
		`a tool of the type "tool_search", or no defer_loading`, `{"type":"function","name":"look","defer_loading":true}`,
		Breaks("in a namespace", itemCity, AskingWith(`{"tools":[{"type":"namespace","name":"a","tools":[{"type":"function","name":"look","defer_loading":true}]}]}`),
			Found(2, "/tools/0/tools/0/defer_loading", "a tool is deferred, and nothing searches for it", `a tool of the type "tool_search", or no defer_loading`, `{"type":"function","name":"look","defer_loading":true}`)),
	),
	"egress/search-has-deferred-tools": keyRule(
		[]string{
			`{"tools":[{"type":"tool_search"},` + deferredWeather + `]}`, `{"tools":[{"type":"tool_search","execution":"client"},` + flatWeather + `]}`,
			`{"tools":[{"type":"tool_search"},{"type":"mcp","server_label":"notes","server_url":"https://notes.example","defer_loading":true}]}`,
			`{"tools":[{"type":"tool_search"},{"type":"namespace","name":"a","tools":[` + deferredWeather + `]}]}`,
		},
		`{"tools":[`+flatWeather+`,{"type":"tool_search"}]}`, "/tools/1", "a search for tools, and no tool is deferred",
		"a tool with defer_loading, or no search", `{"type":"tool_search"}`,
	),
	"egress/calls-in-their-namespace": {
		Holds("in none", itemCity, OneCityDone),
		Holds("of a deferred tool", itemCity, calledIn(deferredWeather, `,"namespace":"get_weather"`)),
		Holds("of a tool in a namespace", itemCity, calledIn(`{"type":"namespace","name":"sky","tools":[`+flatWeather+`]}`, `,"namespace":"sky"`)),
		Holds("of a tool that is offered in none, too", itemCity, calledIn(`{"type":"namespace","name":"sky","tools":[`+flatWeather+`]},`+flatWeather, "")),
		SeesNothing("no tool was used", NoTools.Under("openai-responses"), NoToolsDone),
		Breaks("of a deferred tool, without", itemCity, calledIn(deferredWeather, ""),
			Found(2, "/input/1", "the call of get_weather came with a namespace, and goes back without it", `the namespace "get_weather"`, weatherCall(""))),
		Breaks("of a tool in a namespace, without", itemCity, calledIn(`{"type":"namespace","name":"sky","tools":[`+flatWeather+`]}`, ""),
			Found(2, "/input/1", "the call of get_weather came with a namespace, and goes back without it", `the namespace "sky"`, weatherCall(""))),
	},
	"egress/searches-answered": {
		Holds("nobody searched", itemCity, OneCityDone),
		Holds("by the client, and answered", itemCity, searchedWith(clientSearch, `{"type":"tool_search_output","call_id":"call_s","execution":"client","tools":[]}`)),
		Holds("by the client, and answered as a function", itemCity, searchedWith(clientSearch, `{"type":"function_call_output","call_id":"call_s","output":"read_notes"}`)),
		Holds("by the provider", itemCity, searchedWith(`{"type":"tool_search_call","call_id":null,"execution":"server","arguments":{}}`)),
		SeesNothing("no tool was used", NoTools.Under("openai-responses"), NoToolsDone),
		Breaks("by the client, and not answered", itemCity, searchedWith(clientSearch),
			Found(2, "/input/1", "a search for tools that the client carries out has no output", `a tool_search_output with the call_id "call_s"`, clientSearch)),
		Breaks("by the client, and another one answered", itemCity, searchedWith(clientSearch, `{"type":"tool_search_output","call_id":"call_t","execution":"client","tools":[]}`),
			Found(2, "/input/1", "a search for tools that the client carries out has no output", `a tool_search_output with the call_id "call_s"`, clientSearch)),
	},
}
