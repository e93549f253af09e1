package execution_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

// blocksOf is a scene whose tool returns a result like this.
func blocksOf(result string) Setting {
	return Scene(`
prompt: Read it.
tools:
  read_it:
    parameters: {what: string}
    results: [{` + result + `}]
model:
  - calls: [{as: read, tool: read_it, arguments: '{"what":"it"}'}]
  - text: I have read it.
`)
}

var (
	twoTexts  = blocksOf(`text: 4 C, more: [{text: Wind.}]`)
	content   = blocksOf(`structured: {degrees: 4, wind: west}`)
	sameTwice = blocksOf(`text: '{"wind":"west","degrees":4}', structured: {degrees: 4, wind: west}`)
	bothSay   = blocksOf(`text: Cloudy., structured: {degrees: 4, wind: west}`)
	failsLong = blocksOf(`fail: no, more: [{text: Ask at noon.}]`)
)

var blockCases = Cases{
	"execution/every-block-reaches-the-model": {
		Holds("both texts", twoTexts, Answering("read", `result read: 4 C Wind.`)),
		Holds("structured content as it is", content, Answering("read", `result read: {"degrees":4,"wind":"west"}`)),
		Holds("structured content in other words", content, Answering("read", `result read: wind is west; degrees: 4`)),
		Holds("the same once, as a text", sameTwice, Answering("read", `result read: {"wind":"west","degrees":4}`)),
		Holds("the same once, as it is", sameTwice, Answering("read", `result read: {"degrees":4,"wind":"west"}`)),
		Holds("what each says", bothSay, Answering("read", `result read: Cloudy. {"degrees":4,"wind":"west"}`)),
		Holds("all of a failure", failsLong, Answering("read", `result read: Error: no. Ask at noon.`)),
		SeesNothing("one text", OneCity, OneCityDone),
		Breaks("the first text", twoTexts, Answering("read", `result read: 4 C`),
			Found(2, "/messages", "of the result of the call read the text 2 does not reach the model", `"Wind."`, `"4 C"`)),
		Breaks("no structured content", content, Answering("read", `result read: nothing`),
			Found(2, "/messages", "of the result of the call read the structured content does not reach the model", `"{\"degrees\":4,\"wind\":\"west\"}"`, `"nothing"`)),
		Breaks("the text alone", bothSay, Answering("read", `result read: Cloudy.`),
			Found(2, "/messages", "of the result of the call read the structured content does not reach the model", `"{\"degrees\":4,\"wind\":\"west\"}"`, `"Cloudy."`).Only(trace.Should)),
		Breaks("structured content alone", bothSay, Answering("read", `result read: {"degrees":4,"wind":"west"}`),
			Found(2, "/messages", "of the result of the call read the text 1 does not reach the model", `"Cloudy."`, `"{\"degrees\":4,\"wind\":\"west\"}"`).Only(trace.Should)),
		Breaks("the first text of a failure", failsLong, Answering("read", `result read: Error: no`),
			Found(2, "/messages", "of the result of the call read the text 2 does not reach the model", `"Ask at noon."`, `"Error: no"`)),
	},
}
