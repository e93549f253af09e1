package reasoning_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

// The blocks in which OpenRouter shows what models reason.
var (
	signed    = Blocks(`{type: text, text: I need the weather in Oslo., signed: true, format: anthropic-claude-v1}`)
	encrypted = Blocks(`{type: encrypted, format: google-gemini-v1, id: tool_1}`)
)

var (
	// oneIndex has two blocks of different kinds under one index.
	oneIndex = Blocks(`{type: summary, text: Looking it up, format: openai-responses-v1, index: 0}`,
		`{type: encrypted, format: openai-responses-v1, index: 0}`)
	// raw is plain text that nobody signed; twoTexts is the same in two blocks of one index.
	raw      = Blocks(`{type: text, text: I need the weather in Oslo.}`)
	twoTexts = Blocks(`{type: text, text: I need }`, `{type: text, text: the weather.}`)
)

// withDetails is a dialogue about one call that goes back with these keys alongside it.
func withDetails(keys string) string {
	return Round(`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]` + strings.Join(strings.Fields(keys), " ") + `}
		result oslo`)
}

const (
	summaryBlock   = `{"type":"reasoning.summary","summary":"Looking it up","format":"openai-responses-v1","index":0}`
	encryptedBlock = `{"type":"reasoning.encrypted","data":"{{data 1}}","format":"openai-responses-v1","index":1}`
	signedBlock    = `{"type":"reasoning.text","text":"I will ask.","signature":"{{signature 1}}","format":"anthropic-claude-v1","index":2}`
	describedThree = `reasoning.summary "Looking it up", reasoning.encrypted "{{data 1}}", reasoning.text "I will ask."`
)

// thoughtfulItems is a turn of the Responses API that thinks before it calls; nothingBack is found
// where that does not go back.
var (
	thoughtfulItems = encrypted.Under("openai-responses")
	nothingBack     = Found(2, "/input/1/reasoning_details", "blocks of structured reasoning did not come back", `reasoning.text "{{data 1}}"`, "none")
)

var detailCases = Cases{
	"reasoning/details-come-back": {
		Breaks("left out before a provider that refuses it", Thoughtful.Under("anthropic-4.5"), SecondRequest(CalledOslo+`
			results oslo`),
			Found(2, "/messages/1/reasoning_details", "blocks of structured reasoning did not come back", `reasoning.text "I need the weather.", reasoning.encrypted "{{data 1}}"`, "none")),
		SeesNothing("left out before a provider that does not ask for it", Thoughtful.Under("ollama-messages"), SecondRequest(CalledOslo+`
			results oslo`)),
		Breaks("left out before a call with its id", thoughtfulItems, SecondRequest(`{"type":"function_call","id":"fc_1","call_id":"{{oslo}}","name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}
			result oslo`), nothingBack),
		Breaks("left out with the id of the call", thoughtfulItems, SecondRequest(`{"type":"function_call","call_id":"{{oslo}}","name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}
			result oslo`), nothingBack.Only(trace.Should)),
		Breaks("left out with the id of the call, where a text has its own", thoughtfulItems, SecondRequest(`{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"I look it up."}]}
			{"type":"function_call","call_id":"{{oslo}}","name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}
			result oslo`), nothingBack),
		Holds("all of them", InThree, OneCityDone),
		Holds("the message as it came", InThree, Round(AsReceived)),
		Holds("in the pieces of the stream, which is for details-verbatim", signed, withDetails(`,"reasoning_details":[
			{"type":"reasoning.text","text":"I need the ","format":"anthropic-claude-v1","index":0},
			{"type":"reasoning.text","text":"weather in Oslo.","format":"anthropic-claude-v1","index":0},
			{"type":"reasoning.text","signature":"{{signature 1}}","format":"anthropic-claude-v1","index":0}]`)),
		Breaks("one of two kinds, in the dialect messages", Thoughtful, SecondRequest(`{"role":"assistant","content":[{"type":"thinking","thinking":"I need the weather.","signature":"{{signature 1}}"},`+OsloUse+`]}
			`+GotOslo),
			Found(2, "/messages/1/content", "blocks of structured reasoning did not come back", `reasoning.text "I need the weather.", reasoning.encrypted "{{data 1}}"`, `reasoning.text "I need the weather."`)),
		Holds("raw text as plain reasoning", raw, withDetails(`,"reasoning":"I need the weather in Oslo."`)),
		Holds("raw text under its other name", raw, withDetails(`,"reasoning_content":"I need the weather in Oslo."`)),
		Holds("two texts of one index, which the stream cannot tell apart, as two or one", twoTexts, OneCityDone),
		Holds("merged ones are for details-not-merged", oneIndex, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","summary":"Looking it up","data":"{{data 1}}","index":0}]`)),
		SeesNothing("no blocks", Thinking, OneCityDone),
		SeesNothing("the loop did not ask again", signed, Unanswered),
		Breaks("the text of a signed one only", signed, withDetails(`,"reasoning":"I need the weather in Oslo."`),
			Found(2, "/messages/1/reasoning_details", "blocks of structured reasoning did not come back", `reasoning.text "I need the weather in Oslo."`, "none")),
		Holds("raw text in other words is for unchanged", raw, withDetails(`,"reasoning":"Hm."`)),
		Breaks("raw text that did not come back at all", raw, withDetails(`,"reasoning":""`),
			Found(2, "/messages/1/reasoning_details", "blocks of structured reasoning did not come back", `reasoning.text "I need the weather in Oslo."`, "none")),
		Breaks("an encrypted one", encrypted, withDetails(`,"reasoning_details":[]`),
			Found(2, "/messages/1/reasoning_details", "blocks of structured reasoning did not come back", `reasoning.encrypted "{{data 1}}"`, "none")),
		Breaks("one of three", InThree, withDetails(`,"reasoning_details":[`+summaryBlock+`,`+signedBlock+`]`),
			Found(2, "/messages/1/reasoning_details", "blocks of structured reasoning did not come back", describedThree,
				`reasoning.summary "Looking it up", reasoning.text "I will ask."`)),
	},
	"reasoning/details-verbatim": {
		Holds("as they came", InThree, OneCityDone),
		Holds("a text that nobody signed, in the pieces of the stream", raw, withDetails(`,"reasoning_details":[
			{"type":"reasoning.text","text":"I need the ","format":"unknown","index":0},
			{"type":"reasoning.text","text":"weather in Oslo.","format":"unknown","index":0}]`)),
		Breaks("a signed one in the pieces of the stream", signed, withDetails(`,"reasoning_details":[
			{"type":"reasoning.text","text":"I need the weather in Oslo.","format":"anthropic-claude-v1","index":0},
			{"type":"reasoning.text","signature":"{{signature 1}}","format":"anthropic-claude-v1","index":0}]`),
			Found(2, "/messages/1/reasoning_details", "more blocks of structured reasoning came back than the model gave",
				`reasoning.text "I need the weather in Oslo."`, `reasoning.text "I need the weather in Oslo.", reasoning.text ""`)),
		Breaks("in two, in the dialect messages", Thoughtful, SecondRequest(`{"role":"assistant","content":[{"type":"thinking","thinking":"I need ","signature":""},{"type":"thinking","thinking":"the weather.","signature":"{{signature 1}}"},{"type":"redacted_thinking","data":"{{data 1}}"},`+OsloUse+`]}
			`+GotOslo),
			Found(2, "/messages/1/content", "more blocks of structured reasoning came back than the model gave",
				`reasoning.text "I need the weather.", reasoning.encrypted "{{data 1}}"`, `reasoning.text "I need ", reasoning.text "the weather.", reasoning.encrypted "{{data 1}}"`)),
		Breaks("of an answer, with another text", ThoughtfulAnswer, GoingOnInBlocks(`{"type":"thinking","thinking":"Hm.","signature":"{{signature 2}}"}`),
			Found(3, "/messages/3/content", "a block of structured reasoning came back changed", `reasoning.text "It is cold.", signature "{{signature 2}}"`, `reasoning.text "Hm.", signature "{{signature 2}}"`)),
		Holds("with more keys, in another order", signed, withDetails(`,"reasoning_details":[
			{"index":0,"id":null,"format":"anthropic-claude-v1","signature":"{{signature 1}}","text":"I need the weather in Oslo.","type":"reasoning.text"}]`)),
		Holds("in another order is for details-in-order", InThree, withDetails(`,"reasoning_details":[`+signedBlock+`,`+summaryBlock+`,`+encryptedBlock+`]`)),
		Holds("changed data is for encrypted-untouched", encrypted, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","data":"no","format":"google-gemini-v1","index":0}]`)),
		SeesNothing("no blocks", Thinking, OneCityDone),
		SeesNothing("a missing one is for details-come-back", InThree, withDetails(`,"reasoning_details":[`+summaryBlock+`]`)),
		Breaks("without the signature", signed, withDetails(`,"reasoning_details":[{"type":"reasoning.text","text":"I need the weather in Oslo.","format":"anthropic-claude-v1","index":0}]`),
			Found(2, "/messages/1/reasoning_details", "a block of structured reasoning came back changed",
				`reasoning.text "I need the weather in Oslo.", signature "{{signature 1}}", format anthropic-claude-v1, index 0`, `reasoning.text "I need the weather in Oslo.", format anthropic-claude-v1, index 0`)),
		Breaks("with another text", InThree, withDetails(`,"reasoning_details":[`+
			`{"type":"reasoning.summary","summary":"Looking","format":"openai-responses-v1","index":0},`+encryptedBlock+`,`+signedBlock+`]`),
			Found(2, "/messages/1/reasoning_details", "a block of structured reasoning came back changed", `reasoning.summary "Looking it up", format openai-responses-v1, index 0`, `reasoning.summary "Looking", format openai-responses-v1, index 0`)),
		Breaks("twice", encrypted, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","data":"{{data 1}}","format":"google-gemini-v1","index":0},{"type":"reasoning.encrypted","data":"{{data 1}}","format":"google-gemini-v1","index":0}]`),
			Found(2, "/messages/1/reasoning_details", "more blocks of structured reasoning came back than the model gave",
				`reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted "{{data 1}}", reasoning.encrypted "{{data 1}}"`)),
		Breaks("with another text under the old signature, in the dialect messages", Thoughtful, SecondRequest(`{"role":"assistant","content":[{"type":"thinking","thinking":"I need it.","signature":"{{signature 1}}"},{"type":"redacted_thinking","data":"{{data 1}}"},`+OsloUse+`]}
			`+GotOslo),
			Found(2, "/messages/1/content", "a block of structured reasoning came back changed",
				`reasoning.text "I need the weather.", signature "{{signature 1}}"`, `reasoning.text "I need it.", signature "{{signature 1}}"`)),
		Breaks("without its format", signed, withDetails(`,"reasoning_details":[{"type":"reasoning.text","text":"I need the weather in Oslo.","signature":"{{signature 1}}","index":0}]`),
			Found(2, "/messages/1/reasoning_details", "a block of structured reasoning came back changed",
				`reasoning.text "I need the weather in Oslo.", signature "{{signature 1}}", format anthropic-claude-v1, index 0`, `reasoning.text "I need the weather in Oslo.", signature "{{signature 1}}", index 0`)),
	},
	"reasoning/details-in-order": {
		Holds("in their order", InThree, OneCityDone),
		Holds("a changed one is for details-verbatim", InThree, withDetails(`,"reasoning_details":[{"type":"reasoning.summary","summary":"no","index":0},`+encryptedBlock+`,`+signedBlock+`]`)),
		SeesNothing("a single one", signed, OneCityDone),
		SeesNothing("a missing one is for details-come-back", InThree, withDetails(`,"reasoning_details":[`+signedBlock+`,`+summaryBlock+`]`)),
		Breaks("the last one first", InThree, withDetails(`,"reasoning_details":[`+signedBlock+`,`+summaryBlock+`,`+encryptedBlock+`]`),
			Found(2, "/messages/1/reasoning_details", "the blocks of structured reasoning came back in another order",
				describedThree, `reasoning.text "I will ask.", reasoning.summary "Looking it up", reasoning.encrypted "{{data 1}}"`)),
	},
	"reasoning/details-not-merged": {
		Holds("two of them", oneIndex, OneCityDone),
		SeesNothing("indices that differ", InThree, OneCityDone),
		SeesNothing("none at all is for details-come-back", oneIndex, withDetails("")),
		Breaks("one of them, with the keys of both", oneIndex, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","summary":"Looking it up","data":"{{data 1}}","format":"openai-responses-v1","index":0}]`),
			Found(2, "/messages/1/reasoning_details", "blocks of one index were merged",
				`reasoning.summary "Looking it up", reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted "Looking it up{{data 1}}"`)),
	},
	"reasoning/encrypted-untouched": {
		Holds("byte for byte", encrypted, OneCityDone),
		Holds("among others", InThree, OneCityDone),
		Holds("in another order is for details-in-order", InThree, withDetails(`,"reasoning_details":[`+encryptedBlock+`,`+summaryBlock+`,`+signedBlock+`]`)),
		SeesNothing("nothing is encrypted", signed, OneCityDone),
		SeesNothing("a missing one is for details-come-back", encrypted, withDetails("")),
		Breaks("cut", encrypted, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","data":"abc","format":"google-gemini-v1","index":0}]`),
			Found(2, "/messages/1/reasoning_details", "encrypted reasoning came back changed", `reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted "abc"`)),
		Breaks("one letter more, in the dialect messages", Thoughtful, SecondRequest(`{"role":"assistant","content":[{"type":"thinking","thinking":"I need the weather.","signature":"{{signature 1}}"},{"type":"redacted_thinking","data":"{{data 1}}A"},`+OsloUse+`]}
			`+GotOslo),
			Found(2, "/messages/1/content", "encrypted reasoning came back changed", `reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted "{{data 1}}A"`)),
		Breaks("lost", encrypted, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","id":"tool_1","format":"google-gemini-v1","index":0}]`),
			Found(2, "/messages/1/reasoning_details", "encrypted reasoning came back changed", `reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted ""`)),
	},
}
