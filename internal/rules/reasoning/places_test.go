package reasoning_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// signedThought signs its reasoning, and signedCall its call.
var (
	signedThought = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning-details: [{type: text, text: I need the weather in Oslo., signed: true, format: anthropic-claude-v1}]
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
	shownThought = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning: I need the weather in Oslo.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
)

// without is the same round with no reasoning in what goes back.
const withoutReasoning = `
	asks
	runs oslo
	asks on
		{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}
		result oslo
	completed`

var placeCases = Cases{
	"reasoning/read-in-every-place": {
		Holds("the end of it after a call", shownThought.Showing("reasoning-behind-call"), OneCityDone),
		Holds("a signature after a call", signedThought.Showing("signature-behind-call"), OneCityDone),
		Holds("the signature of a call after it", OneCity.Showing("call-signature-behind"), Round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"},"extra_content":{"google":{"thought_signature":{{signed oslo}}}}}]}
			result oslo`)),
		Holds("a loop that sends none", shownThought.Showing("reasoning-beside-call"), withoutReasoning),
		Holds("a loop that sends none, nor without the quirk", shownThought.Showing("reasoning-beside-call").Alongside(withoutReasoning), withoutReasoning),
		SeesNothing("no quirk", shownThought.Under("vllm").By("sse"), OneCityDone),
		Breaks("the end of it is lost", shownThought.Showing("reasoning-behind-call"), Round(`
			{"role":"assistant","content":null,"reasoning_content":"I need the weather","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", Does("reasoning-behind-call")+"its reasoning came back changed", `"I need the weather in Oslo."`, `"I need the weather"`)),
		Breaks("all of it is lost", shownThought.Showing("reasoning-beside-call").Alongside(Round(`
			{"role":"assistant","content":null,"reasoning":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`)), withoutReasoning,
			Found(2, "/messages/1", Does("reasoning-beside-call")+"its reasoning did not come back", `"I need the weather in Oslo."`, `{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`)),
		Breaks("the signature is lost", signedThought.Showing("signature-behind-call"), Round(`
			{"role":"assistant","content":null,"reasoning_details":[{"type":"reasoning.text","text":"I need the weather in Oslo.","format":"anthropic-claude-v1","index":0}],"tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_details", Does("signature-behind-call")+"the blocks of its reasoning came back changed",
				`reasoning.text "I need the weather in Oslo.", signature "{{signature 1}}", format anthropic-claude-v1, index 0`,
				`reasoning.text "I need the weather in Oslo.", format anthropic-claude-v1, index 0`)),
		Breaks("the signature of the call is lost", OneCity.Showing("call-signature-behind"), OneCityDone,
			Found(2, "/messages/1/tool_calls/0", Does("call-signature-behind")+"the signature of the call oslo did not come back as it was given", "{{signed oslo}}", "nothing")),
	},
	"reasoning/not-doubled": {
		Holds("under one name", shownThought.Showing("reasoning-twice"), OneCityDone),
		Holds("under both", shownThought.Showing("reasoning-twice"), Round(`
			{"role":"assistant","content":null,"reasoning":"I need the weather in Oslo.","reasoning_content":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("no quirk", shownThought.Under("deepseek").By("sse"), OneCityDone),
		Breaks("put together", shownThought.Showing("reasoning-twice"), Round(`
			{"role":"assistant","content":null,"reasoning_content":"I need the weather in Oslo.I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/reasoning_content", Does("reasoning-twice")+"its reasoning came back changed", `"I need the weather in Oslo."`, `"I need the weather in Oslo.I need the weather in Oslo."`)),
	},
}
