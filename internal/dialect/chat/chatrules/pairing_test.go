package chatrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var pairingCases = Cases{
	"pairing/no-empty-call-list": {
		Holds("no key at all", TwoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
				prompt 2
			completed`),
		SeesNothing("nothing but the prompt was sent", NoTools, NoToolsDone),
		Breaks("an answer with an empty list", TwoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				{"role":"assistant","content":"It is 4 C in Oslo.","tool_calls":[]}
				prompt 2
			completed`,
			Found(3, "/messages/3/tool_calls", "an empty list of tool calls", "no key tool_calls", "[]")),
		Breaks("an answer with a text for its calls", TwoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				{"role":"assistant","content":"It is 4 C in Oslo.","tool_calls":"x"}
				prompt 2
			completed`,
			Found(3, "/messages/3/tool_calls", "the tool calls are no list", "no key tool_calls", `"x"`)),
		Holds("null is not a list", TwoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				{"role":"assistant","content":"It is 4 C in Oslo.","tool_calls":null,"function_call":null}
				prompt 2
			completed`),
	},
}
