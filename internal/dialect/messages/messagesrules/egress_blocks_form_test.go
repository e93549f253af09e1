package messagesrules_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// resultOf is the message that answers the call for Oslo, with a block that has more keys.
func resultOf(more string) string {
	return `{"role":"user","content":[` + strings.TrimSuffix(OsloResult, "}") + more + `}]}`
}

var egressBlocksFormCases = Cases{
	"egress/ends-with-the-user": {
		Holds("the results", BlockCity, OneCityDone),
		Holds("a turn that paused", BlockCity, `
			asks
			runs oslo
			asks on
				calls oslo
				results oslo
				{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}]}
			completed`),
		Holds("a summary at which the provider paused", BlockCity, `
			asks
			runs oslo
			asks on
				calls oslo
				results oslo
				{"role":"assistant","content":[{"type":"compaction","content":"Oslo has 4 C."}]}
			completed`),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("the answer begun", BlockCity, SecondRequest(CalledOslo+`
			`+GotOslo+`
			assistant: It is`),
			Found(2, "/messages/3", "the last message is one of the assistant", "a message of the user", `{"role":"assistant","content":"It is"}`)),
	},
}
