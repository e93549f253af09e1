package mcp_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// vault is a scene in which the list of the tools changes.
var vault = Scene(`
needs: [mcp-tools, changing-tools]
prompt: What is in the vault?
tools:
  knock:
    parameters: {door: string}
    results: [{text: Nobody answers.}]
    listed-until: unlock
  unlock:
    parameters: {code: string}
    results: [{text: Open.}]
  look:
    parameters: {shelf: integer}
    results: [{text: A violin.}]
    listed-after: unlock
model:
  - calls: [{as: open, tool: unlock, arguments: '{"code":"4711"}'}]
  - text: A violin.
`)

// offering is a request for an answer to the result, with some tools.
func offering(tools string) string {
	return `
		asks
		runs open
		asks on with {"tools":[` + tools + `]}
			calls open
			result open
		completed`
}

const (
	knock  = `{"type":"function","function":{"name":"knock","parameters":{"type":"object","properties":{"door":{"type":"string"}}}}}`
	unlock = `{"type":"function","function":{"name":"unlock","parameters":{"type":"object","properties":{"code":{"type":"string"}}}}}`
	look   = `{"type":"function","function":{"name":"mcp__vault__look","parameters":{"type":"object","properties":{"shelf":{"type":"integer"}}}}}`
)

var listCases = Cases{
	"mcp/new-tools-offered": {
		Holds("offered, in a namespace", vault, offering(unlock+","+look)),
		SeesNothing("not run", vault, `
			asks
			asks on
				calls open
				result open: Error
			completed`),
		SeesNothing("no such tool", OneCity, OneCityDone),
		Breaks("not offered", vault, offering(unlock),
			Found(2, "/tools", "the tool look, which the server has listed since unlock was run, is not offered", "look", "unlock")),
	},
	"mcp/gone-tools-not-offered": {
		Holds("not offered", vault, offering(unlock+","+look)),
		SeesNothing("no such tool", OneCity, OneCityDone),
		Breaks("offered", vault, offering(unlock+","+look+","+knock),
			Found(2, "/tools", "the tool knock, which the server does not list any more since unlock was run, is offered", "no such tool", "unlock, mcp__vault__look, knock")),
	},
}
