package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var historyBlockCases = Cases{
	"history/unknown-blocks-come-back": {
		Holds("as they came", Searching, `
			asks
			runs oslo
			asks on
				{{message 1}}
				results oslo
			completed`),
		SeesNothing("there are none", BlockCity, OneCityDone),
		Breaks("left out", Searching, OneCityDone,
			Found(2, "/messages", `a block of the type "server_tool_use" did not come back as it was`, `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}}`,
				`{"role":"assistant","content":[{"type":"text","text":"I look it up."},{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}]}`)),
		Holds("marked for the cache", Searching, SecondRequest(`{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"},"cache_control":{"type":"ephemeral"}},{"type":"text","text":"I look it up."},`+OsloUse+`]}
			`+GotOslo)),
		Breaks("twice", Searching, SecondRequest(`{"role":"assistant","content":[`+searchUse+`,`+searchUse+`,{"type":"text","text":"I look it up."},`+OsloUse+`]}
			`+GotOslo),
			Found(2, "/messages", `a block of the type "server_tool_use" came back 2 times`, searchUse,
				`{"role":"assistant","content":[`+searchUse+`,`+searchUse+`,{"type":"text","text":"I look it up."},`+OsloUse+`]}`)),
	},
}

const searchUse = `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}}`
