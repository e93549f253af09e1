package history_test

import . "github.com/loopproof/loopproof/internal/rules/rulestest"

// osloBlock is the result of the call oslo in a message of the user.
const osloBlock = `{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C"}`

var earlierCases = Cases{
	"history/earlier-messages-unchanged": {
		SeesNothing("sent otherwise to another model", textInItems, `
			asks with {"input":"Compare the weather in Oslo and Lima."}
			asks with {"model":"second-model"}
				user: Compare the weather in Oslo.
				calls oslo
				result oslo
			completed`),
		Holds("a text that becomes a message", textInItems, `
			asks with {"input":"Compare the weather in Oslo and Lima."}
			asks on
				calls oslo
				result oslo
			completed`),
		Breaks("a text that becomes another message", textInItems, `
			asks with {"input":"Compare the weather in Oslo and Lima."}
			asks
				user: Compare the weather in Oslo.
				calls oslo
				result oslo
			completed`,
			Found(2, "/input/0", "a message changed after it was sent", `"Compare the weather in Oslo and Lima."`, `{"role":"user","content":"Compare the weather in Oslo."}`)),
		Holds("items of two turns that no result parts", textInItems, `
			asks
			asks on
				assistant: I look it up.
			asks on
				calls lima
				result lima
			completed`),
		Breaks("an item within earlier ones", textInItems, `
			asks
			asks on
				assistant: I look it up.
				{"type":"function_call","call_id":"{{oslo}}","name":"get_weather","arguments":"{}"}
				result oslo
			asks
				prompt 1
				assistant: I look it up.
				assistant: Once more.
				{"type":"function_call","call_id":"{{oslo}}","name":"get_weather","arguments":"{}"}
				result oslo
				calls lima
				result lima
			completed`,
			Found(3, "/input/1", "a message changed after it was sent",
				`[{"role":"assistant","content":"I look it up."},{"type":"function_call","call_id":"{{oslo}}","name":"get_weather","arguments":"{}"}]`,
				`[{"role":"assistant","content":"I look it up."},{"role":"assistant","content":"Once more."},{"type":"function_call","call_id":"{{oslo}}","name":"get_weather","arguments":"{}"}]`)),
		Holds("two rounds", TwoRounds, TwoRoundsDone),
		Holds("the order of keys means nothing", TwoRounds, `
			asks
			asks on
				calls oslo
				{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}
			asks
				{"content":"Compare the weather in Oslo and Lima.","role":"user"}
				calls oslo
				{"content":"4 \u0043","tool_call_id":"{{oslo}}","role":"tool"}
				calls lima
				result lima
			completed`),
		Holds("the mark of what is to be cached moves on", TwoRounds, `
			asks
				{"role":"user","content":[{"type":"text","text":"Compare the weather in Oslo and Lima.","cache_control":{"type":"ephemeral"}}]}
			asks on
				calls oslo
				{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"text","text":"4 C","cache_control":{"type":"ephemeral"}}]}
			asks
				{"role":"user","content":"Compare the weather in Oslo and Lima."}
				calls oslo
				{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"text","text":"4 C"}]}
				calls lima
				result lima
			completed`),
		Holds("a message that has more at the end, where a turn was left out", TwoRounds.Under("anthropic"), `
			asks
			asks on
				calls oslo
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C","cache_control":{"type":"ephemeral"}}]}
			asks
				prompt 1
				calls oslo
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C"},{"type":"text","text":"Call it again."}]}
			completed`),
		Breaks("a message that has more, and then another", TwoRounds.Under("anthropic"), `
			asks
			asks on
				calls oslo
				{"role":"user","content":[`+osloBlock+`]}
			asks
				prompt 1
				calls oslo
				{"role":"user","content":[`+osloBlock+`,{"type":"text","text":"Now Lima."}]}
				calls lima
				result lima
			completed`,
			Found(3, "/messages/2", "a message changed after it was sent",
				`{"role":"user","content":[`+osloBlock+`]}`,
				`{"role":"user","content":[`+osloBlock+`,{"type":"text","text":"Now Lima."}]}`)),
		Breaks("a message that has more before", TwoRounds.Under("anthropic"), `
			asks
			asks on
				calls oslo
				{"role":"user","content":[`+osloBlock+`]}
			asks
				prompt 1
				calls oslo
				{"role":"user","content":[{"type":"text","text":"Now Lima."},`+osloBlock+`]}
			completed`,
			Found(3, "/messages/2", "a message changed after it was sent",
				`{"role":"user","content":[`+osloBlock+`]}`,
				`{"role":"user","content":[{"type":"text","text":"Now Lima."},`+osloBlock+`]}`)),
		SeesNothing("a single request", NoTools, NoToolsDone),
		Breaks("half a letter is replaced", TwoRounds, `
			asks
			asks on
				calls oslo
				{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C \ud83d"}
			asks
				prompt 1
				calls oslo
				{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C \ufffd"}
				calls lima
				result lima
			completed`,
			Found(3, "/messages/2", "a message changed after it was sent",
				`{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C \ud83d"}`, `{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C \ufffd"}`)),
		Breaks("an old result is shortened", TwoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				calls oslo
				result oslo: [shown before]
				calls lima
				result lima
			completed`,
			Found(3, "/messages/2", "a message changed after it was sent",
				`{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`, `{"role":"tool","tool_call_id":"{{oslo}}","content":"[shown before]"}`)),
		Breaks("the time is in the system prompt", Instructed, `
			asks
				system: You are terse. It is 12:00.
				prompt 1
			asks
				system: You are terse. It is 12:01.
				prompt 1
				calls oslo
				result oslo
			completed`,
			Found(2, "/messages/0", "a message changed after it was sent",
				`{"role":"system","content":"You are terse. It is 12:00."}`, `{"role":"system","content":"You are terse. It is 12:01."}`)),
		Breaks("a reminder moves to the end each time", OneCity, `
			asks
				prompt 1
				system: 3 turns left.
			asks
				prompt 1
				calls oslo
				result oslo
				system: 2 turns left.
			completed`,
			Found(2, "/messages/1", "a message changed after it was sent",
				`{"role":"system","content":"3 turns left."}`, `{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`)),
		Holds("what is missing is for only-grows", TwoRounds, `
			asks
			asks on
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				calls lima
				result lima
			completed`),
		Holds("a smaller history after the provider refused the long one", Overflowing, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
			asks
				prompt 1
				calls oslo
				result oslo: [dropped]
			completed`),
	},
	"history/tool-turns-stay": {
		Holds("two prompts", TwoPrompts, TwoPromptsDone),
		SeesNothing("one prompt", TwoRounds, TwoRoundsDone),
		SeesNothing("no tools were called before", threePrompts, `
			asks
			asks on
				assistant: One.
				prompt 2
			completed`),
		Breaks("questions and answers alone", TwoPrompts, QuestionsAndAnswers,
			Found(3, "/messages", "a tool turn of request 2 is not in the history of the next prompt",
				`{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`, "3 messages without it")),
		Breaks("the results are dropped", TwoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				calls oslo
				assistant: It is 4 C in Oslo.
				prompt 2
			asks on
				calls lima
				result lima
			completed`,
			Found(3, "/messages", "a tool turn of request 2 is not in the history of the next prompt",
				`{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C"}`, "4 messages without it")),
	},
}
