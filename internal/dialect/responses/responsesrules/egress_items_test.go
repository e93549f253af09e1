package responsesrules_test

import (
	"fmt"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	itemCity = OneCity.Under("openai-responses")

	// thoughtfulItems is a turn that thinks before it calls.
	thoughtfulItems = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: I look it up.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("openai-responses")
)

// openCity and openlyThoughtful are the same of a provider that shows reasoning as content.
var (
	openCity         = OneCity.Under("llamacpp-responses")
	openlyThoughtful = thoughtfulItems.Under("llamacpp-responses")
)

const partsWithText = "a list of parts, of which the first has a text"

// backWith is a round of itemCity whose second request has more items before its end.
func backWith(items string) string {
	return SecondRequest(`calls oslo
		result oslo
		` + items)
}

// itemRule are cases of a rule about items: what is right, and one item that is wrong, with what is
// found in it.
func itemRule(right []string, wrong string, pointer, message, expected, actual string, more ...Case) []Case {
	cases := []Case{
		Holds("as the reference has it", itemCity, OneCityDone),
		SeesNothing("no tool was used", NoTools.Under("openai-responses"), NoToolsDone),
		Breaks("one that is wrong", itemCity, backWith(wrong), Found(2, pointer, message, expected, actual)),
	}
	for n, item := range right {
		cases = append(cases, Holds(fmt.Sprint("right too ", n+1), itemCity, backWith(item)))
	}
	return append(cases, more...)
}

// keyRule are cases of a rule about a key of the request.
func keyRule(right []string, wrong string, pointer, message, expected, actual string, more ...Case) []Case {
	cases := []Case{
		Holds("not said", itemCity, OneCityDone),
		SeesNothing("no tool was used", NoTools.Under("openai-responses"), NoToolsDone),
		Breaks("wrong", itemCity, AskingWith(wrong), Found(2, pointer, message, expected, actual)),
	}
	for n, keys := range right {
		cases = append(cases, Holds(fmt.Sprint("right ", n+1), itemCity, AskingWith(keys)))
	}
	return append(cases, more...)
}

var responsesItemsCases = Cases{
	"egress/item-ids-distinct": itemRule(
		[]string{`{"role":"user","id":"a","content":"So?"},{"role":"user","id":"b","content":"So?"}`, `{"type":"message","role":"assistant","id":"msg_1","content":"So."},{"type":"item_reference","id":"msg_1"}`},
		`{"role":"user","id":"a","content":"So?"},{"role":"user","id":"a","content":"And?"}`, "/input/4/id", "two items have the same id", "an id that no other item has", `"a"`,
	),
	"egress/reasoning-content-given": {
		Holds("as it came", openlyThoughtful, OneCityDone),
		Holds("more than one part", openCity, backWith(`{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":""},{"type":"reasoning_text"}]}`)),
		SeesNothing("no reasoning", openCity, OneCityDone),
		SeesNothing("under a profile that shows a summary", itemCity, backWith(`{"type":"reasoning","id":"rs_1","summary":[]}`)),
		Breaks("none", openCity, backWith(`{"type":"reasoning","summary":[]}`),
			Found(2, "/input/3/content", "reasoning goes back without its text", partsWithText, "nothing")),
		Breaks("null", openCity, backWith(`{"type":"reasoning","summary":[],"content":null}`),
			Found(2, "/input/3/content", "reasoning goes back without its text", partsWithText, "null")),
		Breaks("an empty list", openCity, backWith(`{"type":"reasoning","summary":[],"content":[]}`),
			Found(2, "/input/3/content", "reasoning goes back without its text", partsWithText, "[]")),
		Breaks("a part without a text", openCity, backWith(`{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text"}]}`),
			Found(2, "/input/3/content", "reasoning goes back without its text", partsWithText, `[{"type":"reasoning_text"}]`)),
		Breaks("where it is taken", OneCity.Under("vllm-responses"), backWith(`{"type":"reasoning","id":"rs_1","summary":[]}`),
			Found(2, "/input/3/content", "reasoning goes back without its text", partsWithText, "nothing")),
	},
}

var responsesRequestCases = Cases{
	"egress/background-is-stored": keyRule(
		[]string{`{"background":true,"store":true}`, `{"background":false,"store":false}`},
		`{"background":true,"store":false}`, "/store", "a response is made in the background and not stored", "true, or no such key", "false",
	),
	"egress/stored-items-are-referred-to": itemRule(
		nil, `{"type":"item_reference","id":"msg_1"}`, "/input/3/id", "the request refers to an item by its id, and nothing is stored", "the item in full", `"msg_1"`,
		SeesNothing("stored", itemCity, `
			asks with {"store":true}
			runs oslo
			asks on with {"store":true}
				calls oslo
				result oslo
				{"type":"item_reference","id":"msg_1"}
			completed`),
	),
	"egress/reasoning-followed": {
		Holds("by the call", thoughtfulItems, OneCityDone),
		Holds("by a message", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`+"\n"+`{"role":"assistant","content":"It is cold."}`)),
		Holds("by what is referred to", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`+"\n"+`{"type":"item_reference","id":"msg_1"}`)),
		Holds("by more reasoning", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`+"\n"+`{"type":"reasoning","id":"rs_3","summary":[]}`+"\n"+`{"role":"assistant","content":"It is cold."}`)),
		Holds("without an id", thoughtfulItems, backWith(`{"type":"reasoning","summary":[]}`+"\n"+`{"role":"user","content":"Go on."}`)),
		Holds("at the end, which is for ends-with-input", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`)),
		SeesNothing("no reasoning", itemCity, OneCityDone),
		Breaks("by the user", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`+"\n"+`{"role":"user","content":"Go on."}`),
			Found(2, "/input/4", "reasoning is followed by an item that is not of the model", "the item that followed it", `{"type":"reasoning","id":"rs_2","summary":[]}`)),
		Breaks("by an output", thoughtfulItems, backAs(`{"type":"reasoning","id":"rs_2","summary":[]}`),
			Found(2, "/input/1", "reasoning is followed by an item that is not of the model", "the item that followed it", `{"type":"reasoning","id":"rs_2","summary":[]}`)),
	},
	"egress/ends-with-input": {
		Holds("after the results nothing", thoughtfulItems, OneCityDone),
		SeesNothing("no reasoning", itemCity, OneCityDone),
		Breaks("reasoning after the results", thoughtfulItems, backWith(`{"type":"reasoning","id":"rs_2","summary":[]}`),
			Found(2, "/input/4", "the request ends with reasoning", "the item that followed it", `{"type":"reasoning","id":"rs_2","summary":[]}`)),
	},
	"egress/encrypted-asked-for": {
		Holds("asked for", thoughtfulItems, AskingWith(`{"store":false,"include":["reasoning.encrypted_content"]}`)),
		Breaks("not asked for", thoughtfulItems, AskingWith(`{"store":false,"include":[]}`),
			Found(2, "/include", "nothing is stored, and the encrypted reasoning is not asked for", `["reasoning.encrypted_content"]`, "[]")),
		SeesNothing("stored", thoughtfulItems, AskingWith(`{"store":true,"include":[]}`)),
		SeesNothing("a model that does not reason", itemCity, AskingWith(`{"store":false,"include":[]}`)),
	},
}
