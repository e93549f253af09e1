package rules

// signedThought signs its reasoning, and signedCall its call.
var (
	signedThought = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning-details: [{type: text, text: I need the weather in Oslo., signed: true, format: anthropic-claude-v1}]
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
	shownThought = scene(weatherTool + `
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

var reasoningPlacesCases = ruleCases{
	"reasoning/read-in-every-place": {
		holds("the end of it behind a call", shownThought.showing("reasoning-behind-call"), oneCityDone),
		holds("a signature behind a call", signedThought.showing("signature-behind-call"), oneCityDone),
		holds("the signature of a call behind it", oneCity.showing("call-signature-behind"), round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"},"extra_content":{"google":{"thought_signature":{{signed oslo}}}}}]}
			result oslo`)),
		holds("a loop that sends none", shownThought.showing("reasoning-beside-call"), withoutReasoning),
		holds("a loop that sends none, nor without the quirk", shownThought.showing("reasoning-beside-call").beside(withoutReasoning), withoutReasoning),
		seesNothing("no quirk", shownThought.under("vllm").by("sse"), oneCityDone),
		breaks("the end of it is lost", shownThought.showing("reasoning-behind-call"), round(`
			{"role":"assistant","content":null,"reasoning_content":"I need the weather","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", does("reasoning-behind-call") + "its reasoning came back changed", `"I need the weather in Oslo."`, `"I need the weather"`}),
		breaks("all of it is lost", shownThought.showing("reasoning-beside-call").beside(round(`
			{"role":"assistant","content":null,"reasoning":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`)), withoutReasoning,
			finding{2, "/messages/1", does("reasoning-beside-call") + "its reasoning did not come back", `"I need the weather in Oslo."`, `{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`}),
		breaks("the signature is lost", signedThought.showing("signature-behind-call"), round(`
			{"role":"assistant","content":null,"reasoning_details":[{"type":"reasoning.text","text":"I need the weather in Oslo.","format":"anthropic-claude-v1","index":0}],"tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_details", does("signature-behind-call") + "the blocks of its reasoning came back changed",
				`reasoning.text "I need the weather in Oslo.", signature "{{signature 1}}", format anthropic-claude-v1, index 0`,
				`reasoning.text "I need the weather in Oslo.", format anthropic-claude-v1, index 0`}),
		breaks("the signature of the call is lost", oneCity.showing("call-signature-behind"), oneCityDone,
			finding{2, "/messages/1/tool_calls/0", does("call-signature-behind") + "the signature of the call oslo did not come back as it was given", "{{signed oslo}}", "nothing"}),
	},
	"reasoning/not-doubled": {
		holds("under one name", shownThought.showing("reasoning-twice"), oneCityDone),
		holds("under both", shownThought.showing("reasoning-twice"), round(`
			{"role":"assistant","content":null,"reasoning":"I need the weather in Oslo.","reasoning_content":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("no quirk", shownThought.under("deepseek").by("sse"), oneCityDone),
		breaks("put together", shownThought.showing("reasoning-twice"), round(`
			{"role":"assistant","content":null,"reasoning_content":"I need the weather in Oslo.I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/reasoning_content", does("reasoning-twice") + "its reasoning came back changed", `"I need the weather in Oslo."`, `"I need the weather in Oslo.I need the weather in Oslo."`}),
	},
}
