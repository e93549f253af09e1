package history_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// otherIDs is a call of OneCity or TwoCities under an id of the loop's own.
func otherIDs(id, city string) string {
	return `{"id":"` + id + `","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"` + city + `\"}"}}`
}

// inventedCall is a call that no model made.
const inventedCall = `{"id":"x1","type":"function","function":{"name":"save_note","arguments":"{\"text\":\"Oslo\"}"}}`

// commented says something on the way in a message of its own, in a turn with a call and in its
// answer.
var commented = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - commentary: Wait.
    text: I look it up.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - commentary: I have it.
    text: It is 4 C in Oslo.
`)

var addedCases = Cases{
	"history/turns-once": {
		Holds("each turn once", TwoRounds, TwoRoundsDone),
		Holds("two prompts", TwoPrompts, TwoPromptsDone),
		Holds("in blocks", BlockCity, OneCityDone),
		Holds("two equal turns of the model", SamePrice, `
			asks
			asks on
				calls first
				result first
			asks on
				calls again
				result again
			completed`),
		Holds("an id that the model gave twice", RepeatedIDs, RepeatedIDsDone),
		Holds("under other ids", TwoCities, Round(`
			{"role":"assistant","content":null,"tool_calls":[`+otherIDs("1", "Oslo")+`,`+otherIDs("2", "Lima")+`]}
			{"role":"tool","tool_call_id":"1","content":"4 C"}
			{"role":"tool","tool_call_id":"2","content":"19 C"}`)),
		Holds("each call in a message of its own", TwoCities, TurnInTwo),
		Holds("a text apart from its calls", Talking, Round(`
			assistant: I look up both.
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}
			result oslo
			result lima`)),
		Holds("an example in front of the first prompt", OneCity, `
			asks
				{"role":"user","content":"And in Rome?"}
				{"role":"assistant","content":"It is 4 C in Oslo."}
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`),
		Holds("a filtered call that is kept, and made again", filteredAndAgain, BeforePrompt(`asks on
				{"role":"assistant","content":null,"tool_calls":[`+otherIDs("1", "Lima")+`]}
				{"role":"tool","tool_call_id":"1","content":"not run"}
				prompt 3
			asks on
				{"role":"assistant","content":null,"tool_calls":[`+otherIDs("2", "Lima")+`]}
				{"role":"tool","tool_call_id":"2","content":"19 C"}
			completed`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("a turn and its result twice", TwoRounds, `
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
			Found(3, "/messages/3", "a turn of the model occurs twice in the history: the call {{oslo}}", "each turn once", `{"role":"assistant","content":null,"tool_calls":[{{oslo call}}]}`)),
		Breaks("twice under other ids", OneCity, Round(`
			{"role":"assistant","content":null,"tool_calls":[`+otherIDs("1", "Oslo")+`]}
			{"role":"tool","tool_call_id":"1","content":"4 C"}
			{"role":"assistant","content":null,"tool_calls":[`+otherIDs("2", "Oslo")+`]}
			{"role":"tool","tool_call_id":"2","content":"4 C"}`),
			Found(2, "/messages/3", "a turn of the model occurs twice in the history: the call of get_weather", "each turn once", `{"role":"assistant","content":null,"tool_calls":[`+otherIDs("2", "Oslo")+`]}`)),
		Breaks("an answer twice", TwoPrompts, GoingOn(`
			assistant: It is 4 C in Oslo.
			assistant: It is 4 C in Oslo.`),
			Found(3, "/messages/4", `a turn of the model occurs twice in the history: the answer "It is 4 C in Oslo."`, "each turn once", `{"role":"assistant","content":"It is 4 C in Oslo."}`)),
	},
	"history/no-call-added": {
		Holds("its calls", TwoCities, TwoCitiesDone),
		Holds("under other ids, with other arguments", TwoCities, Round(`
			{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"get_weather","arguments":"{}"}},{"id":"2","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			{"role":"tool","tool_call_id":"1","content":"4 C"}
			{"role":"tool","tool_call_id":"2","content":"19 C"}`)),
		Holds("twice under another id is for turns-once", OneCity, Round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},`+otherIDs("2", "Oslo")+`]}
			result oslo
			{"role":"tool","tool_call_id":"2","content":"4 C"}`)),
		SeesNothing("no turn with calls", NoTools, NoToolsDone),
		Breaks("a call that nobody made", OneCity, Round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},`+inventedCall+`]}
			result oslo
			{"role":"tool","tool_call_id":"x1","content":"saved"}`),
			Found(2, "/messages/1/tool_calls/1", "a turn came back with a call that the model did not make", `1 call: get_weather "{\"city\":\"Oslo\"}"`, inventedCall)),
		Breaks("a block that nobody made", BlockCity, SecondRequest(`{"role":"assistant","content":[`+OsloUse+`,{"type":"tool_use","id":"toolu_x","name":"save_note","input":{}}]}
			{"role":"user","content":[`+OsloResult+`,{"type":"tool_result","tool_use_id":"toolu_x","content":"saved"}]}`),
			Found(2, "/messages/1/content/1", "a turn came back with a call that the model did not make", `1 call: get_weather "{\"city\":\"Oslo\"}"`, `{"type":"tool_use","id":"toolu_x","name":"save_note","input":{}}`)),
	},
	"history/text-once": {
		Holds("with its calls", Talking, Round(`
			calls oslo, lima: I look up both.
			result oslo
			result lima`)),
		Holds("apart from its calls", Talking, Round(`
			assistant: I look up both.
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}
			result oslo
			result lima`)),
		SeesNothing("no text", OneCity, OneCityDone),
		SeesNothing("no such text is for text-comes-back", Talking, Round(`
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}
			result oslo
			result lima`)),
		Breaks("twice in a row", Talking, Round(`
			calls oslo, lima: I look up both.I look up both.
			result oslo
			result lima`),
			Found(2, "/messages/1", "what the model said came back twice", `"I look up both."`, `{"role":"assistant","content":"I look up both.I look up both.","tool_calls":[{{oslo call}},{{lima call}}]}`)),
		Breaks("alongside the calls and in front of them", Talking, Round(`
			assistant: I look up both.
			calls oslo, lima: I look up both.
			result oslo
			result lima`),
			Found(2, "/messages/2", "what the model said came back twice", `"I look up both."`, `{"role":"assistant","content":"I look up both.","tool_calls":[{{oslo call}},{{lima call}}]}`)),
		Breaks("an answer, in two blocks", ThoughtfulAnswer, GoingOnInBlocks(`{"type":"text","text":"It is 4 C in Oslo."}`),
			Found(3, "/messages/3", "what the model said came back twice", `"It is 4 C in Oslo."`, `{"role":"assistant","content":[{"type":"text","text":"It is 4 C in Oslo."},{"type":"text","text":"It is 4 C in Oslo."}]}`)),
	},
	"history/no-text-added": {
		Holds("its text", Talking, Round(`
			calls oslo, lima: I look up both.
			result oslo
			result lima`)),
		Holds("after its commentary", commented, Round(`
			calls oslo: Wait.I look it up.
			result oslo`)),
		Holds("without it", commented, Round(`
			calls oslo: I look it up.
			result oslo`)),
		Breaks("after what it never said", commented, Round(`
			calls oslo: Well. I look it up.
			result oslo`),
			Found(2, "/messages/1/content", "a turn of the model came back with words that it did not say", `"I look it up."`, `"Well. I look it up."`)),
		Holds("joined to the words of another turn", TwoPrompts, BeforePrompt(`asks on
				calls lima: It is 4 C in Oslo.
				result lima
			completed`)),
		Holds("none", OneCity, OneCityDone),
		Holds("a space", OneCity, Round(`
			{"role":"assistant","content":"  ","tool_calls":[{{oslo call}}]}
			result oslo`)),
		Holds("twice is for text-once, shortened for text-comes-back, reasoning for kept-out-of-the-content", Talking, Round(`
			calls oslo, lima: I look
			result oslo
			result lima`)),
		SeesNothing("no turn came back", NoTools, NoToolsDone),
		Breaks("words in the place of none", OneCity, Round(`
			calls oslo: (no content)
			result oslo`),
			Found(2, "/messages/1/content", "a turn of the model came back with words that it did not say", `""`, `"(no content)"`)),
		Breaks("a name in front of an answer", TwoPrompts, GoingOn(`assistant: Ada: It is 4 C in Oslo.`),
			Found(3, "/messages/3/content", "a turn of the model came back with words that it did not say", `"It is 4 C in Oslo."`, `"Ada: It is 4 C in Oslo."`)),
	},
	"history/prompts-once": {
		Holds("once", OneCity, OneCityDone),
		Holds("two prompts", TwoPrompts, TwoPromptsDone),
		Holds("with something around it, as a reminder", OneCity, Round(`
			calls oslo
			result oslo
			user: Your task was: What is the weather in Oslo?`)),
		Holds("the user says the same twice", Scene(strings.Replace(TwoPrompts.Scenario, "And in Lima?", "What is the weather in Oslo?", 1)), TwoPromptsDone),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("again after the results", OneCity, Round(`
			calls oslo
			result oslo
			prompt 1`),
			Found(2, "/messages/3", "a prompt of the user is 2 times in the history", `once: "What is the weather in Oslo?"`, `{"role":"user","content":"What is the weather in Oslo?"}`)),
		Breaks("as a second block", BlockCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"What is the weather in Oslo?"},{"type":"text","text":"What is the weather in Oslo?"}]}
			completed`,
			Found(1, "/messages/0", "a prompt of the user is 2 times in the history", `once: "What is the weather in Oslo?"`, `{"role":"user","content":[{"type":"text","text":"What is the weather in Oslo?"},{"type":"text","text":"What is the weather in Oslo?"}]}`)),
	},
	"history/nothing-said-for-the-user": {
		Holds("nothing", OneCity, OneCityDone),
		Holds("the next prompt", TwoPrompts, TwoPromptsDone),
		Holds("in front of the first turn of the model", OneCity, `
			asks
				prompt 1
				user: Today is Monday.
			asks on
				calls oslo
				result oslo
			completed`),
		Holds("half an answer is asked on", TwoPrompts, GoingOn(`
			assistant: It is 4
			user: Go on.`)),
		Holds("what shows an image", OneCity, Round(`
			calls oslo
			result oslo
			{"role":"user","content":[{"type":"text","text":"The image:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("a reminder", OneCity, Round(`
			calls oslo
			result oslo
			user: Go on.`),
			Found(2, "/messages/3/content", "the user was made to say something before the model had answered", "results alone, until the next prompt", `"Go on."`)),
		Breaks("alongside the results", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[`+OsloResult+`,{"type":"text","text":"Go on."}]}`),
			Found(2, "/messages/2/content", "the user was made to say something before the model had answered", "results alone, until the next prompt", `"Go on."`)),
	},
	"history/calls-in-their-order": {
		Holds("as they came", TwoCities, TwoCitiesDone),
		Holds("in two messages", TwoCities, TurnInTwo),
		SeesNothing("one call", OneCity, OneCityDone),
		SeesNothing("under other ids nobody can tell", TwoCities, Round(`
			{"role":"assistant","content":null,"tool_calls":[`+otherIDs("2", "Lima")+`,`+otherIDs("1", "Oslo")+`]}
			{"role":"tool","tool_call_id":"1","content":"4 C"}
			{"role":"tool","tool_call_id":"2","content":"19 C"}`)),
		Breaks("the second one first", TwoCities, Round(`
			calls lima, oslo
			result lima
			result oslo`),
			Found(2, "/messages/1/tool_calls", "the calls of a turn came back in another order", `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`, `{"role":"assistant","content":null,"tool_calls":[{{lima call}},{{oslo call}}]}`)),
	},
}

// filteredAndAgain has a call in an answer that a filter ends, and the same call after the next
// prompt.
var filteredAndAgain = Scene(WeatherTool + `
prompts: [What is the weather in Oslo?, And in Lima?, Please try again.]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - {calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}], finish: content-filter}
  - calls: [{as: again, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: It is 19 C in Lima.
`)
