package egress_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var unicodeCases = Cases{
	"egress/valid-unicode": {
		Holds("an emoji in two escapes, and an escaped backslash before a u", OneCity, Round(`
			calls oslo
			result oslo
			{"role":"user","content":"\ud83d\ude00 \\ud83d"}`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("the first half, the second half, and both in the wrong order", OneCity, Round(`
			calls oslo
			result oslo
			{"role":"user","content":"\ud83d"}
			{"role":"user","content":"a\ude00"}
			{"role":"user","content":"\ude00\ud83d"}`),
			Found(2, "/messages/3/content", "half a surrogate pair", "whole characters", `"\ud83d"`),
			Found(2, "/messages/4/content", "half a surrogate pair", "whole characters", `"a\ude00"`),
			Found(2, "/messages/5/content", "half a surrogate pair", "whole characters", `"\ude00\ud83d"`)),
		Breaks("a result in blocks", OneCity.Under("anthropic"), Round(`
			calls oslo
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 \ud83d"}]}`),
			Found(2, "/messages/2/content/0/content", "half a surrogate pair", "whole characters", `"4 \ud83d"`)),
		Breaks("a result that is an item", OneCity.Under("openai-responses"), Round(`
			calls oslo
			{"type":"function_call_output","call_id":"{{oslo}}","output":"4 \ud83d"}`),
			Found(2, "/input/2/output", "half a surrogate pair", "whole characters", `"4 \ud83d"`)),
		Breaks("a result that is a part", OneCity.Under("gemini-3"), Round(`
			calls oslo
			{"role":"user","parts":[{"functionResponse":{"id":"{{oslo}}","name":"get_weather","response":{"output":"4 \ud83d"}}}]}`),
			Found(2, "/contents/2/parts/0/functionResponse/response/output", "half a surrogate pair", "whole characters", `"4 \ud83d"`)),
	},
}
