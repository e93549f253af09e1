package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

const (
	fetchUse    = `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_fetch","input":{}}`
	fetchResult = `{"type":"web_fetch_tool_result","tool_use_id":"srvtoolu_1","content":{}}`
	toolsUse    = `{"type":"server_tool_use","id":"srvtoolu_2","name":"tool_search_tool_regex","input":{}}`
	byCode      = `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{},"caller":{"type":"code_execution_20260120","tool_id":"srvtoolu_0"}}`
	more        = `{"role":"user","content":"Go on."}`
)

// turnOf is a message of the assistant.
func turnOf(blocks string) string { return `{"role":"assistant","content":[` + blocks + `]}` + "\n" }

var pairingServerToolCases = Cases{
	"pairing/server-uses-have-results": {
		Holds("in its own turn", BlockCity, SecondRequest(turnOf(fetchUse+`,`+fetchResult+`,`+OsloUse)+GotOslo)),
		Holds("the provider has still to run it", BlockCity, SecondRequest(turnOf(fetchUse+`,`+OsloUse)+GotOslo)),
		Holds("a turn that paused", BlockCity, SecondRequest(CalledOslo+"\n"+GotOslo+"\n"+turnOf(fetchUse))),
		Holds("instructions behind it", BlockCity, SecondRequest(turnOf(fetchUse+`,`+OsloUse)+GotOslo+"\n"+`{"role":"system","content":"Be terse."}`)),
		Holds("in the next turn", BlockCity, SecondRequest(turnOf(fetchUse+`,`+OsloUse)+GotOslo+"\n"+turnOf(fetchResult)+more)),
		SeesNothing("the provider's code has it", BlockCity, SecondRequest(turnOf(byCode+`,`+OsloUse)+GotOslo+"\n"+more)),
		SeesNothing("before what was compacted", BlockCity, SecondRequest(turnOf(fetchUse)+more+"\n"+turnOf(`{"type":"compaction","content":"Fetched."},`+OsloUse)+GotOslo)),
		SeesNothing("nothing was used", BlockCity, OneCityDone),
		Breaks("a text behind the results", BlockCity, SecondRequest(turnOf(fetchUse+`,`+OsloUse)+`{"role":"user","content":[`+OsloResult+`,{"type":"text","text":"Go on."}]}`),
			Found(2, "/messages/1/content/0", `the use of "web_fetch" has no result, and the conversation went on without it`, "a web_fetch_tool_result with the id srvtoolu_1 behind it, or nothing behind its turn but tool_result blocks", fetchUse)),
		Breaks("a search for tools, and a turn after it", BlockCity, SecondRequest(turnOf(toolsUse+`,`+OsloUse)+GotOslo+"\n"+turnOf(`{"type":"text","text":"Found."}`)+more),
			Found(2, "/messages/1/content/0", `the use of "tool_search_tool_regex" has no result, and the conversation went on without it`, "a tool_search_tool_result with the id srvtoolu_2 behind it, or nothing behind its turn but tool_result blocks", toolsUse)),
	},
	"pairing/server-results-have-uses": {
		Holds("in its own turn", BlockCity, SecondRequest(turnOf(fetchUse+`,`+fetchResult+`,`+OsloUse)+GotOslo)),
		Holds("in the turn before", BlockCity, SecondRequest(turnOf(fetchUse+`,`+OsloUse)+GotOslo+"\n"+turnOf(fetchResult)+more)),
		Holds("used by the provider's code", BlockCity, SecondRequest(turnOf(byCode+`,`+fetchResult+`,`+OsloUse)+GotOslo)),
		SeesNothing("nothing was used", BlockCity, OneCityDone),
		SeesNothing("a tool of a server of MCP", BlockCity, SecondRequest(turnOf(`{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","content":[]},`+OsloUse)+GotOslo)),
		Breaks("the use is gone", BlockCity, SecondRequest(turnOf(fetchResult+`,`+OsloUse)+GotOslo),
			Found(2, "/messages/1/content/0", "a web_fetch_tool_result without the use that it belongs to", "a server_tool_use with the id srvtoolu_1 before it", fetchResult)),
	},
}
