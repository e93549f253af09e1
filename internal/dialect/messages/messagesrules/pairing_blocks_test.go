package messagesrules_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var pairingBlockCases = Cases{
	"pairing/results-first": {
		Holds("alone", BlockCity, OneCityDone),
		Holds("with text after them", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[`+OsloResult+`,{"type":"text","text":"Go on."}]}`)),
		SeesNothing("no results", BlockCity, "asks"),
		Breaks("after a text", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"text","text":"Here:"},`+OsloResult+`]}`),
			Found(2, "/messages/2/content/0", `a block of the type "text" is before the results`, "the results first", `{"type":"text","text":"Here:"}`)),
	},
	"pairing/results-in-one-message": {
		Holds("one message", BlockCities, `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				results oslo, lima
			completed`),
		Holds("one message behind a text by itself", BlockCities, bothAnswered(bothCalled, saidMore, bothResults)),
		Holds("one message for calls of two messages", BlockCities, bothAnswered(CalledOslo, limaCalled, bothResults)),
		SeesNothing("one result", BlockCity, OneCityDone),
		Breaks("two messages", BlockCities, TwoCitiesDone,
			Found(2, "/messages/3", "the results of one turn are spread over several messages", "one message with 2 results", "2 messages")),
		Breaks("two messages behind a text by itself", BlockCities, bothAnswered(bothCalled, saidMore, GotOslo, gotLima),
			Found(2, "/messages/4", "the results of one turn are spread over several messages", "one message with 2 results", "2 messages")),
	},
	"pairing/blocks-in-their-roles": {
		Holds("as they belong", BlockCity, OneCityDone),
		SeesNothing("no blocks", BlockCity, "asks"),
		Breaks("a use of the user", BlockCity, SecondRequest(`{"role":"user","content":[`+OsloUse+`]}
			`+GotOslo),
			Found(2, "/messages/1/content/0", `a block tool_use in a message of the role "user"`, `the role "assistant"`, `{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}`)),
		Breaks("a result of the assistant", BlockCity, SecondRequest(CalledOslo+`
			{"role":"assistant","content":[`+OsloResult+`]}`),
			Found(2, "/messages/2/content/0", `a block tool_result in a message of the role "assistant"`, `the role "user"`, OsloResult)),
		Breaks("an image of the assistant", BlockCity, SecondRequest(CalledOslo+`
			`+GotOslo+`
			{"role":"assistant","content":[{"type":"image"}]}`),
			Found(2, "/messages/3/content/0", `a block image in a message of the role "assistant"`, `the role "user"`, `{"type":"image"}`)),
	},
}

// Messages of blocks with the calls of [rulestest.BlockCities] and their results.
const (
	limaUse     = `{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}`
	limaResult  = `{"type":"tool_result","tool_use_id":"{{lima}}","content":"18 C"}`
	bothCalled  = `{"role":"assistant","content":[` + OsloUse + `,` + limaUse + `]}`
	limaCalled  = `{"role":"assistant","content":[` + limaUse + `]}`
	saidMore    = `{"role":"assistant","content":[{"type":"text","text":"I look both up."}]}`
	bothResults = `{"role":"user","content":[` + OsloResult + `,` + limaResult + `]}`
	gotLima     = `{"role":"user","content":[` + limaResult + `]}`
)

// bothAnswered is a run of [rulestest.BlockCities] whose second request has these messages behind the prompt.
func bothAnswered(messages ...string) string {
	return `
		asks
		runs oslo
		runs lima
		asks on
			` + strings.Join(messages, "\n\t\t\t") + `
		completed`
}
