package mcp_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// linking is a scene whose tool returns a link beside a text.
var linking = Scene(`
needs: [mcp-tools]
prompt: Read it.
tools:
  read_it:
    parameters: {what: string}
    results: [{text: Found it., more: [{link: The port is 8443.}]}]
model:
  - calls: [{as: read, tool: read_it, arguments: '{"what":"it"}'}]
  - text: I have read it.
`)

const linkName = "note-0a5269dc"

var linkCases = Cases{
	"mcp/links-told": {
		Holds("by its URI", linking, Answering("read", "result read: Found it. loopproof://linked/"+linkName)),
		Holds("by its name", linking, Answering("read", "result read: Found it. See "+linkName)),
		Holds("by what is there", linking, Answering("read", "result read: Found it. The port is 8443.")),
		Holds("as the address of a file", linking, Answering("read", `{"role":"tool","tool_call_id":"{{read}}","content":[{"type":"text","text":"Found it."},{"type":"file","file":{"file_url":"loopproof://linked/`+linkName+`"}}]}`)),
		SeesNothing("no link", OneCity, OneCityDone),
		Breaks("the text alone", linking, Answering("read", note),
			Found(2, "/messages/2", "the link in the result of the call read is lost without a word", `"loopproof://linked/`+linkName+`", or what is there`, note)),
	},
}
