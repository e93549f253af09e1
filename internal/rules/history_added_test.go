package rules

import "strings"

// otherIDs is a call of oneCity or twoCities under an id of the loop's own.
func otherIDs(id, city string) string {
	return `{"id":"` + id + `","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"` + city + `\"}"}}`
}

// inventedCall is a call that no model made.
const inventedCall = `{"id":"x1","type":"function","function":{"name":"save_note","arguments":"{\"text\":\"Oslo\"}"}}`

var historyAddedCases = ruleCases{
	"history/turns-once": {
		holds("each turn once", twoRounds, twoRoundsDone),
		holds("two prompts", twoPrompts, twoPromptsDone),
		holds("in blocks", blockCity, oneCityDone),
		holds("two equal turns of the model", samePrice, `
			asks
			asks on
				calls first
				result first
			asks on
				calls again
				result again
			completed`),
		holds("an id that the model gave twice", repeatedIDs, repeatedIDsDone),
		holds("under other ids", twoCities, round(`
			{"role":"assistant","content":null,"tool_calls":[`+otherIDs("1", "Oslo")+`,`+otherIDs("2", "Lima")+`]}
			{"role":"tool","tool_call_id":"1","content":"4 C"}
			{"role":"tool","tool_call_id":"2","content":"19 C"}`)),
		holds("each call in a message of its own", twoCities, turnInTwo),
		holds("a text apart from its calls", talking, round(`
			assistant: I look up both.
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}
			result oslo
			result lima`)),
		holds("an example in front of the first prompt", oneCity, `
			asks
				{"role":"user","content":"And in Rome?"}
				{"role":"assistant","content":"It is 4 C in Oslo."}
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("a turn and its result twice", twoRounds, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls oslo
				result oslo
				calls lima
				result lima
			completed`,
			finding{3, "/messages/3", "a turn of the model stands twice in the history: the call {{oslo}}", "each turn once", `{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`}),
		breaks("twice under other ids", oneCity, round(`
			{"role":"assistant","content":null,"tool_calls":[`+otherIDs("1", "Oslo")+`]}
			{"role":"tool","tool_call_id":"1","content":"4 C"}
			{"role":"assistant","content":null,"tool_calls":[`+otherIDs("2", "Oslo")+`]}
			{"role":"tool","tool_call_id":"2","content":"4 C"}`),
			finding{2, "/messages/3", "a turn of the model stands twice in the history: the call of get_weather", "each turn once", `{"role":"assistant","content":null,"tool_calls":[` + otherIDs("2", "Oslo") + `]}`}),
		breaks("an answer twice", twoPrompts, goingOn(`
			assistant: It is 4 C in Oslo.
			assistant: It is 4 C in Oslo.`),
			finding{3, "/messages/4", `a turn of the model stands twice in the history: the answer "It is 4 C in Oslo."`, "each turn once", `{"role":"assistant","content":"It is 4 C in Oslo."}`}),
	},
	"history/no-call-added": {
		holds("its calls", twoCities, twoCitiesDone),
		holds("under other ids, with other arguments", twoCities, round(`
			{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"2","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			{"role":"tool","tool_call_id":"1","content":"4 C"}
			{"role":"tool","tool_call_id":"2","content":"19 C"}`)),
		holds("twice under another id is for turns-once", oneCity, round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},`+otherIDs("2", "Oslo")+`]}
			result oslo
			{"role":"tool","tool_call_id":"2","content":"4 C"}`)),
		seesNothing("no turn with calls", noTools, noToolsDone),
		breaks("a call that nobody made", oneCity, round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},`+inventedCall+`]}
			result oslo
			{"role":"tool","tool_call_id":"x1","content":"saved"}`),
			finding{2, "/messages/1/tool_calls/1", "a turn came back with a call that the model did not make", `1 call: get_weather "{\"city\":\"Oslo\"}"`, inventedCall}),
		breaks("a block that nobody made", blockCity, secondRequest(`{"role":"assistant","content":[`+osloUse+`,{"type":"tool_use","id":"toolu_x","name":"save_note","input":{}}]}
			{"role":"user","content":[`+osloResult+`,{"type":"tool_result","tool_use_id":"toolu_x","content":"saved"}]}`),
			finding{2, "/messages/1/content/1", "a turn came back with a call that the model did not make", `1 call: get_weather "{\"city\":\"Oslo\"}"`, `{"type":"tool_use","id":"toolu_x","name":"save_note","input":{}}`}),
	},
	"history/text-once": {
		holds("with its calls", talking, round(`
			calls oslo, lima: I look up both.
			result oslo
			result lima`)),
		holds("apart from its calls", talking, round(`
			assistant: I look up both.
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}
			result oslo
			result lima`)),
		seesNothing("no text", oneCity, oneCityDone),
		seesNothing("no such text is for text-comes-back", talking, round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}
			result oslo
			result lima`)),
		breaks("twice in a row", talking, round(`
			calls oslo, lima: I look up both.I look up both.
			result oslo
			result lima`),
			finding{2, "/messages/1", "what the model said came back twice", `"I look up both."`, `{"role":"assistant","content":"I look up both.I look up both.","tool_calls":[{{oslo call}},{{lima call}}]}`}),
		breaks("beside the calls and in front of them", talking, round(`
			assistant: I look up both.
			calls oslo, lima: I look up both.
			result oslo
			result lima`),
			finding{2, "/messages/2", "what the model said came back twice", `"I look up both."`, `{"role":"assistant","content":"I look up both.","tool_calls":[{{oslo call}},{{lima call}}]}`}),
		breaks("an answer, in two blocks", thoughtfulAnswer, goingOnInBlocks(`{"type":"text","text":"It is 4 C in Oslo."}`),
			finding{3, "/messages/3", "what the model said came back twice", `"It is 4 C in Oslo."`, `{"role":"assistant","content":[{"type":"text","text":"It is 4 C in Oslo."},{"type":"text","text":"It is 4 C in Oslo."}]}`}),
	},
	"history/no-text-added": {
		holds("its text", talking, round(`
			calls oslo, lima: I look up both.
			result oslo
			result lima`)),
		holds("none", oneCity, oneCityDone),
		holds("a space", oneCity, round(`
			{"role":"assistant","content":"  ","tool_calls":[{{oslo call}}]}
			result oslo`)),
		holds("twice is for text-once, shortened for text-comes-back, reasoning for kept-out-of-the-content", talking, round(`
			calls oslo, lima: I look
			result oslo
			result lima`)),
		seesNothing("no turn came back", noTools, noToolsDone),
		breaks("words in the place of none", oneCity, round(`
			calls oslo: (no content)
			result oslo`),
			finding{2, "/messages/1/content", "a turn of the model came back with words that it did not say", `""`, `"(no content)"`}),
		breaks("a name in front of an answer", twoPrompts, goingOn(`assistant: Ada: It is 4 C in Oslo.`),
			finding{3, "/messages/3/content", "a turn of the model came back with words that it did not say", `"It is 4 C in Oslo."`, `"Ada: It is 4 C in Oslo."`}),
	},
	"history/prompts-once": {
		holds("once", oneCity, oneCityDone),
		holds("two prompts", twoPrompts, twoPromptsDone),
		holds("with something around it, as a reminder", oneCity, round(`
			calls oslo
			result oslo
			user: Your task was: What is the weather in Oslo?`)),
		holds("the user says the same twice", scene(strings.Replace(twoPrompts.scenario, "And in Lima?", "What is the weather in Oslo?", 1)), twoPromptsDone),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("again behind the results", oneCity, round(`
			calls oslo
			result oslo
			prompt 1`),
			finding{2, "/messages/3", "a prompt of the user stands 2 times in the history", `once: "What is the weather in Oslo?"`, `{"role":"user","content":"What is the weather in Oslo?"}`}),
		breaks("as a second block", blockCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"What is the weather in Oslo?"},{"type":"text","text":"What is the weather in Oslo?"}]}
			completed`,
			finding{1, "/messages/0", "a prompt of the user stands 2 times in the history", `once: "What is the weather in Oslo?"`, `{"role":"user","content":[{"type":"text","text":"What is the weather in Oslo?"},{"type":"text","text":"What is the weather in Oslo?"}]}`}),
	},
	"history/nothing-said-for-the-user": {
		holds("nothing", oneCity, oneCityDone),
		holds("the next prompt", twoPrompts, twoPromptsDone),
		holds("in front of the first turn of the model", oneCity, `
			asks
				prompt 1
				user: Today is Monday.
			asks on
				calls oslo
				result oslo
			completed`),
		holds("half an answer is asked on", twoPrompts, goingOn(`
			assistant: It is 4
			user: Go on.`)),
		holds("what shows an image", oneCity, round(`
			calls oslo
			result oslo
			{"role":"user","content":[{"type":"text","text":"The image:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("a reminder", oneCity, round(`
			calls oslo
			result oslo
			user: Go on.`),
			finding{2, "/messages/3/content", "the user was made to say something before the model had answered", "results alone, until the next prompt", `"Go on."`}),
		breaks("beside the results", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[`+osloResult+`,{"type":"text","text":"Go on."}]}`),
			finding{2, "/messages/2/content", "the user was made to say something before the model had answered", "results alone, until the next prompt", `"Go on."`}),
	},
	"history/calls-in-their-order": {
		holds("as they came", twoCities, twoCitiesDone),
		holds("in two messages", twoCities, turnInTwo),
		seesNothing("one call", oneCity, oneCityDone),
		seesNothing("under other ids nobody can tell", twoCities, round(`
			{"role":"assistant","content":null,"tool_calls":[`+otherIDs("2", "Lima")+`,`+otherIDs("1", "Oslo")+`]}
			{"role":"tool","tool_call_id":"1","content":"4 C"}
			{"role":"tool","tool_call_id":"2","content":"19 C"}`)),
		breaks("the second one first", twoCities, round(`
			calls lima, oslo
			result lima
			result oslo`),
			finding{2, "/messages/1/tool_calls", "the calls of a turn came back in another order", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, `{"role":"assistant","content":null,"tool_calls":[{{lima call}},{{oslo call}}]}`}),
	},
}
