package chatrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var (
	// unreadable is a call whose arguments are no JSON.
	unreadable = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":'}]
  - text: I do not know.
`).Under("sglang")
)

var egressMessageCases = Cases{
	"egress/no-empty-text-part": {
		Holds("a text", OneCity, OneCityDone),
		Holds("an empty string is not a part", OneCity, Round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("alongside calls", OneCity, Round(`
			{"role":"assistant","content":[{"type":"text","text":""}],"tool_calls":[{{oslo call}}]}
			result oslo`),
			Found(2, "/messages/1/content/0", "a part with an empty text", "no such part", `{"type":"text","text":""}`)),
	},
	"egress/tool-content-is-one-text": {
		Holds("a string", OneCity, OneCityDone),
		Holds("an object is for tool-content-is-text", OneCity, Round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":{}}`)),
		SeesNothing("no result", OneCity, Unanswered),
		Breaks("a list", OneCity, Round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"text","text":"4 C"}]}`),
			Found(2, "/messages/2/content", "the content of a tool message is a list", "a string", `[{"type":"text","text":"4 C"}]`)),
	},
	"egress/assistant-content-is-one-text": {
		Holds("a string", Talking, TwoCitiesDone),
		Holds("blocks of another kind", OneCity, Round(`
			{"role":"assistant","content":[{"type":"thinking","thinking":[]}],"tool_calls":[{{oslo call}}]}
			result oslo`)),
		SeesNothing("no answer yet", NoTools, NoToolsDone),
		Breaks("a list", Talking, `
			asks
			runs oslo
			runs lima
			asks on
				{"role":"assistant","content":[{"type":"text","text":"I look up both."}],"tool_calls":[{{oslo call}},{{lima call}}]}
				result oslo
				result lima
			completed`,
			Found(2, "/messages/1/content", "the text of an assistant message is a list", "a string", `[{"type":"text","text":"I look up both."}]`)),
	},
	"egress/last-message": {
		Holds("a result", OneCity, OneCityDone),
		Holds("a prefix, said to be one", OneCity.Under("mistral"), Round(`
			calls oslo
			result oslo
			{"role":"assistant","prefix":true,"content":"It is"}`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("words put into the model's mouth", OneCity, Round(`
			calls oslo
			result oslo
			assistant: It is`),
			Found(2, "/messages/3", "the last message is one of the assistant", "a message of the user or of a tool", `{"role":"assistant","content":"It is"}`)),
	},
	"egress/system-messages-first": {
		Holds("at the beginning", OneCity, `
			asks
				system: Be terse.
				system: Be kind.
				prompt 1
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("after the result", OneCity, Round(`
			calls oslo
			result oslo
			system: Be kind.`),
			Found(2, "/messages/3", "a system message in the middle of the conversation", "system messages at the beginning", `{"role":"system","content":"Be kind."}`)),
	},
	"egress/arguments-parse": {
		Holds("mended", unreadable, Round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			result oslo: Error: no JSON`)),
		SeesNothing("the model wrote JSON", OneCity.Under("sglang"), OneCityDone),
		SeesNothing("OpenAI does not look", unreadable.Under("openai"), Round(`
			calls oslo
			result oslo: Error: no JSON`)),
		SeesNothing("cut, and left out", CutInCall.Under("sglang"), AfterList(`asks on
			user: Your call was cut off.
		completed`)),
		Holds("cut, and mended", CutInCall.Under("sglang"), AfterList(`asks on
			{"role":"assistant","tool_calls":[{"id":"{{delete}}","type":"function","function":{"name":"delete_file","arguments":"{}"}}]}
			result delete: Error: the call was cut off
		completed`)),
		Breaks("as they were cut", CutInCall.Under("sglang"), AfterList(`asks on
			calls delete
			result delete: Error: the call was cut off
		completed`),
			Found(3, "/messages/3/tool_calls/0/function/arguments", "arguments that are no JSON went back to a provider that reads them", "a JSON object, such as {}", `"{\"name\":\"a.o"`)),
		Breaks("as the model wrote them", unreadable, Round(`
			calls oslo
			result oslo: Error: no JSON`),
			Found(2, "/messages/1/tool_calls/0/function/arguments", "arguments that are no JSON went back to a provider that reads them", "a JSON object, such as {}", `"{\"city\":"`)),
	},
	"pairing/id-form": {
		Holds("that of the provider", OneCity.Under("mistral-common-v11"), OneCityDone),
		SeesNothing("OpenAI takes any", OneCity, OneCityDone),
		SeesNothing("a missing one is for ids-present", OneCity.Under("mistral-common-v11"), Round(`
			{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			{"role":"user","content":"hi"}`)),
		Breaks("one of the loop's own", OneCity.Under("mistral-common-v11"), Round(`
			{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			{"role":"tool","tool_call_id":"call_1","content":"4 C"}`),
			Found(2, "/messages/1/tool_calls/0/id", "an id that the provider does not take", "an id of the form [a-zA-Z0-9]{9}$", `"call_1"`)),
	},
}
