package reasoning_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// providerCases are about rules that a single provider asks for.
var providerCases = Cases{
	"reasoning/resent-on-all-turns": {
		Holds("with the answer", ThinkingTwice, OnTheWay(`{"role":"assistant","content":"It is 4 C in Oslo.","reasoning_content":"The tool says 4 C."}`)),
		SeesNothing("DeepSeek ignores that of answers", ThinkingTwice.Under("deepseek"), OnTheWay(`assistant: It is 4 C in Oslo.`)),
		SeesNothing("one prompt only", OneCity.Under("moonshot"), OneCityDone),
		Breaks("left out", ThinkingTwice, OnTheWay(`assistant: It is 4 C in Oslo.`),
			Found(3, "/messages/3/reasoning_content", "the reasoning of an answer did not go back", `"reasoning_content": "The tool says 4 C."`, "only role, content")),
	},
}
