package geminirules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// searched is a turn in which the provider called a tool of its own, before the model called one of
// the loop.
var searched = OneCity.Showing("provider-tools").Under("gemini-3")

const (
	search   = `{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["weather"]},"id":"srv_1"}}`
	found    = `{"toolResponse":{"toolType":"GOOGLE_SEARCH_WEB","response":{"found":1},"id":"srv_1"}}`
	osloPart = `{"functionCall":{"name":"get_weather","args":{"city":"Oslo"},"id":"{{oslo}}"},"thoughtSignature":"{{signature 1}}"}`
)

func modelParts(parts string) string {
	return SecondRequest(`{"role":"model","parts":[` + parts + `]}
		result oslo`)
}

var answerCases = Cases{
	"history/provider-parts-come-back": {
		Holds("as they came", searched, modelParts(search+","+found+","+osloPart)),
		Holds("in the other spelling", searched, modelParts(`{"tool_call":{"tool_type":"GOOGLE_SEARCH_WEB","args":{"queries":["weather"]},"id":"srv_1"}},`+found+","+osloPart)),
		Breaks("with another value", searched, modelParts(`{"toolCall":{"tool_type":"GOOGLE_SEARCH_WEB","args":{"queries":["wind"]},"id":"srv_1"}},`+found+","+osloPart),
			Found(2, "/contents/1", "a part that the provider made did not come back in its place", search,
				`{"role":"model","parts":[{"toolCall":{"tool_type":"GOOGLE_SEARCH_WEB","args":{"queries":["wind"]},"id":"srv_1"}},`+found+","+osloPart+`]}`)),
		SeesNothing("there are none", geminiCity, OneCityDone),
		Breaks("left out", searched, modelParts(osloPart),
			Found(2, "/contents/1", "a part that the provider made did not come back in its place", search, `{"role":"model","parts":[`+osloPart+`]}`)),
		Breaks("turned round", searched, modelParts(found+","+search+","+osloPart),
			Found(2, "/contents/1", "a part that the provider made did not come back in its place", found, `{"role":"model","parts":[`+found+","+search+","+osloPart+`]}`)),
	},
	"outcome/thoughts-counted": {
		Holds("counted", OneCity.Showing("thoughts-counted-apart"), OneCityDone+"\ncounts 100 in, 96 out"),
		SeesNothing("no counts are reported", OneCity.Showing("thoughts-counted-apart"), OneCityDone),
		SeesNothing("an ordinary answer", geminiCity, OneCityDone+"\ncounts 100 in, 32 out"),
		Breaks("left out", OneCity.Showing("thoughts-counted-apart"), OneCityDone+"\ncounts 100 in, 32 out",
			Found(0, "", "the tokens of the thoughts are not among those that the loop reports", "96 output tokens, 64 of them for thoughts", "32 output tokens")),
	},
}
