package rules

var (
	// unreadable is a call whose arguments are no JSON.
	unreadable = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":'}]
  - text: I do not know.
`).under("sglang")
)

var egressMessagesCases = ruleCases{
	"egress/message-name": {
		holds("none", oneCity, oneCityDone),
		holds("without a space", oneCity, round(`
			calls oslo
			result oslo
			{"role":"user","name":"Ada_1","content":"hi"}`)),
		holds("of a tool, as the model wrote it", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","name":"get weather","content":"4 C"}`)),
		holds("of the provider itself", oneCity.under("minimax"), round(`
			{"role":"assistant","name":"MiniMax AI","content":"","tool_calls":[{{oslo call}}]}
			result oslo`)),
		breaks("of a tool, and empty", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","name":"","content":"4 C"}`),
			finding{2, "/messages/2/name", "a message has a name that providers refuse", "at most 64 of a-z, A-Z, 0-9, _ and -", `""`}),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("with a space", oneCity, round(`
			calls oslo
			result oslo
			{"role":"user","name":"Ada L","content":"hi"}`),
			finding{2, "/messages/3/name", "a message has a name that providers refuse", "at most 64 of a-z, A-Z, 0-9, _ and -", `"Ada L"`}),
	},
	"egress/part-types": {
		holds("text and images", oneCity, round(`
			calls oslo
			result oslo
			{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url","image_url":{"url":"x"}}]}`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("a word of another API", oneCity, round(`
			calls oslo
			result oslo
			{"role":"user","content":[{"type":"input_text","text":"hi"}]}`),
			finding{2, "/messages/3/content/0/type", `the provider takes no part of the type "input_text"`, "one of text, image_url, input_audio, file, refusal", "input_text"}),
		breaks("an image, for DeepSeek", oneCity.under("deepseek"), round(`
			calls oslo
			result oslo
			{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}`),
			finding{2, "/messages/3/content/0/type", `the provider takes no part of the type "image_url"`, "one of text", "image_url"}),
	},
	"egress/no-empty-text-part": {
		holds("a text", oneCity, oneCityDone),
		holds("an empty string is no part", oneCity, round(`
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("beside calls", oneCity, round(`
			{"role":"assistant","content":[{"type":"text","text":""}],"tool_calls":[{{oslo call}}]}
			result oslo`),
			finding{2, "/messages/1/content/0", "a part with an empty text", "no such part", `{"type":"text","text":""}`}),
	},
	"egress/tool-content-is-one-text": {
		holds("a string", oneCity, oneCityDone),
		holds("an object is for tool-content-is-text", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":{}}`)),
		seesNothing("no result", oneCity, unanswered),
		breaks("a list", oneCity, round(`
			calls oslo
			{"role":"tool","tool_call_id":"{{oslo}}","content":[{"type":"text","text":"4 C"}]}`),
			finding{2, "/messages/2/content", "the content of a tool message is a list", "a string", `[{"type":"text","text":"4 C"}]`}),
	},
	"egress/assistant-content-is-one-text": {
		holds("a string", talking, twoCitiesDone),
		holds("blocks of another kind", oneCity, round(`
			{"role":"assistant","content":[{"type":"thinking","thinking":[]}],"tool_calls":[{{oslo call}}]}
			result oslo`)),
		seesNothing("no answer yet", noTools, noToolsDone),
		breaks("a list", talking, `
			asks
			runs oslo
			runs lima
			asks on
				{"role":"assistant","content":[{"type":"text","text":"I look up both."}],"tool_calls":[{{oslo call}},{{lima call}}]}
				result oslo
				result lima
			completed`,
			finding{2, "/messages/1/content", "the text of an assistant message is a list", "a string", `[{"type":"text","text":"I look up both."}]`}),
	},
	"egress/last-message": {
		holds("a result", oneCity, oneCityDone),
		holds("a prefix, said to be one", oneCity.under("mistral"), round(`
			calls oslo
			result oslo
			{"role":"assistant","prefix":true,"content":"It is"}`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("words put into the model's mouth", oneCity, round(`
			calls oslo
			result oslo
			assistant: It is`),
			finding{2, "/messages/3", "the last message is one of the assistant", "a message of the user or of a tool", `{"role":"assistant","content":"It is"}`}),
	},
	"egress/system-messages-first": {
		holds("at the beginning", oneCity, `
			asks
				system: Be terse.
				system: Be kind.
				prompt 1
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("behind the result", oneCity, round(`
			calls oslo
			result oslo
			system: Be kind.`),
			finding{2, "/messages/3", "a system message in the middle of the conversation", "system messages at the beginning", `{"role":"system","content":"Be kind."}`}),
	},
	"egress/valid-unicode": {
		holds("an emoji in two escapes, and an escaped backslash before a u", oneCity, round(`
			calls oslo
			result oslo
			{"role":"user","content":"\ud83d\ude00 \\ud83d"}`)),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("the first half, the second half, and both in the wrong order", oneCity, round(`
			calls oslo
			result oslo
			{"role":"user","content":"\ud83d"}
			{"role":"user","content":"a\ude00"}
			{"role":"user","content":"\ude00\ud83d"}`),
			finding{2, "/messages/3/content", "half a surrogate pair", "whole characters", `"\ud83d"`},
			finding{2, "/messages/4/content", "half a surrogate pair", "whole characters", `"a\ude00"`},
			finding{2, "/messages/5/content", "half a surrogate pair", "whole characters", `"\ude00\ud83d"`}),
	},
	"egress/arguments-parse": {
		holds("mended", unreadable, round(`
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			result oslo: Error: no JSON`)),
		seesNothing("the model wrote JSON", oneCity.under("sglang"), oneCityDone),
		seesNothing("OpenAI does not look", unreadable.under("openai"), round(`
			calls oslo
			result oslo: Error: no JSON`)),
		breaks("as the model wrote them", unreadable, round(`
			calls oslo
			result oslo: Error: no JSON`),
			finding{2, "/messages/1/tool_calls/0/function/arguments", "arguments that are no JSON went back to a provider that reads them", "a JSON object, such as {}", `"{\"city\":"`}),
	},
	"pairing/id-form": {
		holds("that of the provider", oneCity.under("mistral-common-v11"), oneCityDone),
		seesNothing("OpenAI takes any", oneCity, oneCityDone),
		seesNothing("a missing one is for ids-present", oneCity.under("mistral-common-v11"), round(`
			{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			{"role":"user","content":"hi"}`)),
		breaks("one of the loop's own", oneCity.under("mistral-common-v11"), round(`
			{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			{"role":"tool","tool_call_id":"call_1","content":"4 C"}`),
			finding{2, "/messages/1/tool_calls/0/id", "an id that the provider does not take", "an id of the form [a-zA-Z0-9]{9}$", `"call_1"`}),
	},
}
