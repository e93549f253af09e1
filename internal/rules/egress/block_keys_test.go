package egress_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var blockKeyCases = Cases{
	"egress/no-blank-user-message": {
		Holds("the prompt", OneCity, OneCityDone),
		Holds("results alone, and a list of blocks", BlockCity, OneCityDone),
		Holds("an empty part is for other rules", BlockCity, SecondRequest(CalledOslo+`
			`+GotOslo+`
			{"role":"user","content":[{"type":"text","text":""}]}`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("an empty text", OneCity, Round(`
			calls oslo
			result oslo
			{"role":"user","content":""}`),
			Found(2, "/messages/3/content", "a message of the user that says nothing", "a text, or no such message", `""`)),
		Breaks("spaces, and an empty list", BlockCity, SecondRequest(CalledOslo+`
			`+GotOslo+`
			{"role":"user","content":"  "}
			{"role":"user","content":[]}`),
			Found(2, "/messages/3/content", "a message of the user that says nothing", "a text, or no such message", `"  "`),
			Found(2, "/messages/4/content", "a message of the user that says nothing", "a text, or no such message", `[]`)),
	},
}
