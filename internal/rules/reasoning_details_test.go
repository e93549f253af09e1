package rules

import "strings"

// The blocks in which OpenRouter shows what models reason.
var (
	signed    = blocks(`{type: text, text: I need the weather in Oslo., signed: true, format: anthropic-claude-v1}`)
	encrypted = blocks(`{type: encrypted, format: google-gemini-v1, id: tool_1}`)
	inThree   = blocks(`{type: summary, text: Looking it up, format: openai-responses-v1, index: 0}`,
		`{type: encrypted, format: openai-responses-v1, index: 1}`,
		`{type: text, text: I will ask., signed: true, format: anthropic-claude-v1, index: 2}`)
	// oneIndex has two blocks of different kinds under one index.
	oneIndex = blocks(`{type: summary, text: Looking it up, format: openai-responses-v1, index: 0}`,
		`{type: encrypted, format: openai-responses-v1, index: 0}`)
	// raw is plain text that nobody signed; twoTexts is the same in two blocks of one index.
	raw      = blocks(`{type: text, text: I need the weather in Oslo.}`)
	twoTexts = blocks(`{type: text, text: I need }`, `{type: text, text: the weather.}`)
)

func blocks(all ...string) setting {
	list := ""
	for _, b := range all {
		list += "      - " + b + "\n"
	}
	return scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning-details:
` + list + `    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).under("openrouter")
}

// withDetails is a dialogue about one call that goes back with these keys beside it.
func withDetails(keys string) string {
	return round(`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]` + strings.Join(strings.Fields(keys), " ") + `}
		result oslo`)
}

const (
	summaryBlock   = `{"type":"reasoning.summary","summary":"Looking it up","format":"openai-responses-v1","index":0}`
	encryptedBlock = `{"type":"reasoning.encrypted","data":"{{data 1}}","format":"openai-responses-v1","index":1}`
	signedBlock    = `{"type":"reasoning.text","text":"I will ask.","signature":"{{signature 1}}","format":"anthropic-claude-v1","index":2}`

	describedThree = `reasoning.summary "Looking it up", reasoning.encrypted "{{data 1}}", reasoning.text "I will ask."`
)

var reasoningDetailsCases = ruleCases{
	"reasoning/details-come-back": {
		breaks("left out before a provider that refuses it", thoughtful.under("anthropic-4.5"), secondRequest(calledOslo+`
			results oslo`),
			finding{2, "/messages/1/reasoning_details", "blocks of structured reasoning did not come back", `reasoning.text "I need the weather.", reasoning.encrypted "{{data 1}}"`, "none"}),
		seesNothing("left out before a provider that does not ask for it", thoughtful.under("ollama-messages"), secondRequest(calledOslo+`
			results oslo`)),
		holds("all of them", inThree, oneCityDone),
		holds("the message as it came", inThree, round(asReceived)),
		holds("in the pieces of the stream, which is for details-verbatim", signed, withDetails(`,"reasoning_details":[
			{"type":"reasoning.text","text":"I need the ","format":"anthropic-claude-v1","index":0},
			{"type":"reasoning.text","text":"weather in Oslo.","format":"anthropic-claude-v1","index":0},
			{"type":"reasoning.text","signature":"{{signature 1}}","format":"anthropic-claude-v1","index":0}]`)),
		breaks("one of two kinds, in the dialect messages", thoughtful, secondRequest(`{"role":"assistant","content":[{"type":"thinking","thinking":"I need the weather.","signature":"{{signature 1}}"},`+osloUse+`]}
			`+gotOslo),
			finding{2, "/messages/1/content", "blocks of structured reasoning did not come back", `reasoning.text "I need the weather.", reasoning.encrypted "{{data 1}}"`, `reasoning.text "I need the weather."`}),
		holds("raw text as plain reasoning", raw, withDetails(`,"reasoning":"I need the weather in Oslo."`)),
		holds("raw text under its other name", raw, withDetails(`,"reasoning_content":"I need the weather in Oslo."`)),
		holds("two texts of one index, which the stream cannot tell apart, as two or one", twoTexts, oneCityDone),
		holds("merged ones are for details-not-merged", oneIndex, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","summary":"Looking it up","data":"{{data 1}}","index":0}]`)),
		seesNothing("no blocks", thinking, oneCityDone),
		seesNothing("the loop did not ask again", signed, unanswered),
		breaks("the text of a signed one only", signed, withDetails(`,"reasoning":"I need the weather in Oslo."`),
			finding{2, "/messages/1/reasoning_details", "blocks of structured reasoning did not come back", `reasoning.text "I need the weather in Oslo."`, "none"}),
		holds("raw text in other words is for unchanged", raw, withDetails(`,"reasoning":"Hm."`)),
		breaks("raw text that did not come back at all", raw, withDetails(`,"reasoning":""`),
			finding{2, "/messages/1/reasoning_details", "blocks of structured reasoning did not come back", `reasoning.text "I need the weather in Oslo."`, "none"}),
		breaks("an encrypted one", encrypted, withDetails(`,"reasoning_details":[]`),
			finding{2, "/messages/1/reasoning_details", "blocks of structured reasoning did not come back", `reasoning.encrypted "{{data 1}}"`, "none"}),
		breaks("one of three", inThree, withDetails(`,"reasoning_details":[`+summaryBlock+`,`+signedBlock+`]`),
			finding{2, "/messages/1/reasoning_details", "blocks of structured reasoning did not come back", describedThree,
				`reasoning.summary "Looking it up", reasoning.text "I will ask."`}),
	},
	"reasoning/details-verbatim": {
		holds("as they came", inThree, oneCityDone),
		holds("a text that nobody signed, in the pieces of the stream", raw, withDetails(`,"reasoning_details":[
			{"type":"reasoning.text","text":"I need the ","format":"unknown","index":0},
			{"type":"reasoning.text","text":"weather in Oslo.","format":"unknown","index":0}]`)),
		breaks("a signed one in the pieces of the stream", signed, withDetails(`,"reasoning_details":[
			{"type":"reasoning.text","text":"I need the weather in Oslo.","format":"anthropic-claude-v1","index":0},
			{"type":"reasoning.text","signature":"{{signature 1}}","format":"anthropic-claude-v1","index":0}]`),
			finding{2, "/messages/1/reasoning_details", "more blocks of structured reasoning came back than the model gave",
				`reasoning.text "I need the weather in Oslo."`, `reasoning.text "I need the weather in Oslo.", reasoning.text ""`}),
		breaks("in two, in the dialect messages", thoughtful, secondRequest(`{"role":"assistant","content":[{"type":"thinking","thinking":"I need ","signature":""},{"type":"thinking","thinking":"the weather.","signature":"{{signature 1}}"},{"type":"redacted_thinking","data":"{{data 1}}"},`+osloUse+`]}
			`+gotOslo),
			finding{2, "/messages/1/content", "more blocks of structured reasoning came back than the model gave",
				`reasoning.text "I need the weather.", reasoning.encrypted "{{data 1}}"`, `reasoning.text "I need ", reasoning.text "the weather.", reasoning.encrypted "{{data 1}}"`}),
		breaks("of an answer, with another text", thoughtfulAnswer, goingOnInBlocks(`{"type":"thinking","thinking":"Hm.","signature":"{{signature 2}}"}`),
			finding{3, "/messages/3/content", "a block of structured reasoning came back changed", `reasoning.text "It is cold.", signature "{{signature 2}}"`, `reasoning.text "Hm.", signature "{{signature 2}}"`}),
		holds("with more keys, in another order", signed, withDetails(`,"reasoning_details":[
			{"index":0,"id":null,"format":"anthropic-claude-v1","signature":"{{signature 1}}","text":"I need the weather in Oslo.","type":"reasoning.text"}]`)),
		holds("in another order is for details-in-order", inThree, withDetails(`,"reasoning_details":[`+signedBlock+`,`+summaryBlock+`,`+encryptedBlock+`]`)),
		holds("changed data is for encrypted-untouched", encrypted, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","data":"no","format":"google-gemini-v1","index":0}]`)),
		seesNothing("no blocks", thinking, oneCityDone),
		seesNothing("a missing one is for details-come-back", inThree, withDetails(`,"reasoning_details":[`+summaryBlock+`]`)),
		breaks("without the signature", signed, withDetails(`,"reasoning_details":[{"type":"reasoning.text","text":"I need the weather in Oslo.","format":"anthropic-claude-v1","index":0}]`),
			finding{2, "/messages/1/reasoning_details", "a block of structured reasoning came back changed",
				`reasoning.text "I need the weather in Oslo.", signature "{{signature 1}}", format anthropic-claude-v1, index 0`, `reasoning.text "I need the weather in Oslo.", format anthropic-claude-v1, index 0`}),
		breaks("with another text", inThree, withDetails(`,"reasoning_details":[`+
			`{"type":"reasoning.summary","summary":"Looking","format":"openai-responses-v1","index":0},`+encryptedBlock+`,`+signedBlock+`]`),
			finding{2, "/messages/1/reasoning_details", "a block of structured reasoning came back changed", `reasoning.summary "Looking it up", format openai-responses-v1, index 0`, `reasoning.summary "Looking", format openai-responses-v1, index 0`}),
		breaks("twice", encrypted, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","data":"{{data 1}}","format":"google-gemini-v1","index":0},{"type":"reasoning.encrypted","data":"{{data 1}}","format":"google-gemini-v1","index":0}]`),
			finding{2, "/messages/1/reasoning_details", "more blocks of structured reasoning came back than the model gave",
				`reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted "{{data 1}}", reasoning.encrypted "{{data 1}}"`}),
		breaks("with another text under the old signature, in the dialect messages", thoughtful, secondRequest(`{"role":"assistant","content":[{"type":"thinking","thinking":"I need it.","signature":"{{signature 1}}"},{"type":"redacted_thinking","data":"{{data 1}}"},`+osloUse+`]}
			`+gotOslo),
			finding{2, "/messages/1/content", "a block of structured reasoning came back changed",
				`reasoning.text "I need the weather.", signature "{{signature 1}}"`, `reasoning.text "I need it.", signature "{{signature 1}}"`}),
		breaks("without its format", signed, withDetails(`,"reasoning_details":[{"type":"reasoning.text","text":"I need the weather in Oslo.","signature":"{{signature 1}}","index":0}]`),
			finding{2, "/messages/1/reasoning_details", "a block of structured reasoning came back changed",
				`reasoning.text "I need the weather in Oslo.", signature "{{signature 1}}", format anthropic-claude-v1, index 0`, `reasoning.text "I need the weather in Oslo.", signature "{{signature 1}}", index 0`}),
	},
	"reasoning/details-in-order": {
		holds("in their order", inThree, oneCityDone),
		holds("a changed one is for details-verbatim", inThree, withDetails(`,"reasoning_details":[{"type":"reasoning.summary","summary":"no","index":0},`+encryptedBlock+`,`+signedBlock+`]`)),
		seesNothing("a single one", signed, oneCityDone),
		seesNothing("a missing one is for details-come-back", inThree, withDetails(`,"reasoning_details":[`+signedBlock+`,`+summaryBlock+`]`)),
		breaks("the last one first", inThree, withDetails(`,"reasoning_details":[`+signedBlock+`,`+summaryBlock+`,`+encryptedBlock+`]`),
			finding{2, "/messages/1/reasoning_details", "the blocks of structured reasoning came back in another order",
				describedThree, `reasoning.text "I will ask.", reasoning.summary "Looking it up", reasoning.encrypted "{{data 1}}"`}),
	},
	"reasoning/details-not-merged": {
		holds("two of them", oneIndex, oneCityDone),
		seesNothing("indices that differ", inThree, oneCityDone),
		seesNothing("none at all is for details-come-back", oneIndex, withDetails("")),
		breaks("one of them, with the keys of both", oneIndex, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","summary":"Looking it up","data":"{{data 1}}","format":"openai-responses-v1","index":0}]`),
			finding{2, "/messages/1/reasoning_details", "blocks of one index were merged",
				`reasoning.summary "Looking it up", reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted "Looking it up{{data 1}}"`}),
	},
	"reasoning/encrypted-untouched": {
		holds("byte for byte", encrypted, oneCityDone),
		holds("among others", inThree, oneCityDone),
		holds("in another order is for details-in-order", inThree, withDetails(`,"reasoning_details":[`+encryptedBlock+`,`+summaryBlock+`,`+signedBlock+`]`)),
		seesNothing("nothing is encrypted", signed, oneCityDone),
		seesNothing("a missing one is for details-come-back", encrypted, withDetails("")),
		breaks("cut", encrypted, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","data":"abc","format":"google-gemini-v1","index":0}]`),
			finding{2, "/messages/1/reasoning_details", "encrypted reasoning came back changed", `reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted "abc"`}),
		breaks("one letter more, in the dialect messages", thoughtful, secondRequest(`{"role":"assistant","content":[{"type":"thinking","thinking":"I need the weather.","signature":"{{signature 1}}"},{"type":"redacted_thinking","data":"{{data 1}}A"},`+osloUse+`]}
			`+gotOslo),
			finding{2, "/messages/1/content", "encrypted reasoning came back changed", `reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted "{{data 1}}A"`}),
		breaks("lost", encrypted, withDetails(`,"reasoning_details":[{"type":"reasoning.encrypted","id":"tool_1","format":"google-gemini-v1","index":0}]`),
			finding{2, "/messages/1/reasoning_details", "encrypted reasoning came back changed", `reasoning.encrypted "{{data 1}}"`, `reasoning.encrypted ""`}),
	},
}
