package rulebook_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/wire"
)

// correctElsewhere writes down how public loops hold other conversations.
var correctElsewhere = []correctLoop{
	{"DeepSeek: the message as it came", Thinking, Round(AsReceived), nil},
	{"DeepSeek R1: without its reasoning", Thinking.Under("deepseek-r1"), OneCityDone, nil},
	{"OpenRouter: the message as it came", Thinking.Under("openrouter"), Round(AsReceived), nil},
	{"OpenRouter: raw reasoning as text", Thinking.Under("openrouter"), Round(`
		{"role":"assistant","content":null,"reasoning_content":"I need the weather in Oslo.","tool_calls":[{{oslo call}}]}
		result oslo`), nil},
	{"Mistral: the message as it came, the tool by name", OneCity.Under("mistral"), Round(AsReceived), nil},
	{"vLLM: reasoning dropped", Thinking.Under("vllm"), OneCityDone, nil},
	{"{} for blank arguments", BlankTime, `
		asks
		runs time with {}
		asks on
			{"role":"assistant","content":null,"tool_calls":[{"id":"{{time}}","type":"function","function":{"name":"get_time","arguments":"{}"}}]}
			result time
		completed`, nil},
	{"broken arguments: told so, and repaired in the history", Mangled, `
		asks
		asks on
			{"role":"assistant","content":"","tool_calls":[{"id":"{{broken}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			result broken: Invalid JSON: {"city"
		runs oslo
		asks on
			calls oslo
			result oslo
		completed`, nil},
	{"a broken input: its text in an object", BlockMangled, `
		asks
		asks on
			{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{"INVALID_JSON":"{\"city\""}}]}
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error: no JSON","is_error":true}]}
		runs oslo
		asks on
			calls oslo
			result oslo
		completed`, nil},
	{"a broken input: an empty one", BlockMangled, `
		asks
		asks on
			{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{}}]}
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error: no JSON","is_error":true}]}
		runs oslo
		asks on
			calls oslo
			result oslo
		completed`, nil},
	{"a broken input: as far as a lenient parser reads it", BlockMangled, `
		asks
		asks on
			{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{"city":null}}]}
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error: no JSON","is_error":true}]}
		runs oslo
		asks on
			calls oslo
			result oslo
		completed`, nil},
	{"broken arguments: the tool is run and complains", Wrong, `
		asks
		runs number
		asks on
			calls number
			result number: Error: validation failed
		runs oslo
		asks on
			calls oslo
			result oslo
		completed`, nil},
	{"an unknown tool, with an error in JSON", Unknown, `
		asks
		asks on
			calls python
			result python: {"isError":true,"message":"Tool python not found. Available: get_weather"}
		runs oslo
		asks on
			calls oslo
			result oslo
		completed`, nil},
	{"an empty result becomes a word", Silent, Answering("delete", "result delete: [no output]"), nil},
	{"half an answer is reported as such", Half, AfterRound("completed (length): The weather in Oslo is not"), nil},
	{"half an answer is asked on", Half, AfterRound(`asks on
		assistant: The weather in Oslo is not
		user: Continue.
	completed: The weather in Oslo is not bad.`), nil},
	{"half a call is answered with an error", CutInCall, AfterList(`asks on
		calls delete
		result delete: Error: the arguments were cut off
	completed`), nil},
	{"a rate limit, twice, by the SDK", Busy, AfterRound(`asks on after 1s
	asks on after 2s
	completed`), nil},
	{"a stream that broke off is asked for again", BrokenThenGoodAnswer, AfterRound(`asks on
	completed`), nil},
	{"a stream that broke off is a failure", BrokenAnswer.By(wire.DeliverSSE), AfterRound("failed: stream ended without a finish reason"), nil},
	{"the limit is reached before the last tool is run", Limited, LimitReached, nil},
	{"the limit is reached after the last tool was run", Limited, `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		runs lima
		failed: Max turns (2) exceeded`, nil},
	{"the history is made shorter once it was too long", Overflowing, `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		runs lima
		asks on
			calls lima
			result lima
		asks
			prompt 1
			calls lima
			result lima
		completed`, nil},
	{"an id comes again and is made new", RepeatedIDs, `
		asks
		runs author
		asks on
			calls author
			result author
		runs year as my_2
		asks on
			{"role":"assistant","content":null,"tool_calls":[{"id":"my_2","type":"function","function":{"name":"search","arguments":"{\"query\":\"Faust year\"}"}}]}
			{"role":"tool","tool_call_id":"my_2","content":"1808"}
		completed`, nil},
	{"a prompt that is cancelled in a tool is forgotten with all that came of it", CancelledThenTool, BeforePrompt(`
		runs lima
		cancels
		asks
			prompt 1
			calls oslo
			result oslo
			assistant: It is 4 C in Oslo.
			prompt 3
		runs rome
		asks on
			calls rome
			result rome
		completed`), nil},
	{"a prompt that is cancelled in a tool is kept, with a result that says so", CancelledThenTool, BeforePrompt(`
		runs lima
		cancels
		asks on
			calls lima
			result lima: The user cancelled this.
			prompt 3
		runs rome
		asks on
			calls rome
			result rome
		completed`), nil},
	{"a tool that cannot be aborted runs on, while its call is answered", CancelledThenTool, BeforePrompt(`
		runs lima
		cancels
		asks on
			calls lima
			result lima: [Request interrupted by user]
			assistant: Interrupted.
			prompt 3
		runs rome
		asks on
			calls rome
			result rome
		completed`), nil},
	{"images are shown by the user", Seeing, Looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":"See file 241a70."}
			result oslo
			{"role":"user","content":[{"type":"text","text":"This is file 241a70:"},` + HarbourURL + `]}`), nil},
	{"images are in results where OpenRouter takes them", Seeing.Under("openrouter"), Looked(`
			{"role":"tool","tool_call_id":"{{harbour}}","content":[{"type":"text","text":"The harbour."},` + HarbourURL + `]}
			result oslo`), nil},
	{"a cancel is an error like any other", CancelledAnswer.By(wire.DeliverSSE), BeforeCancel(`
		cancels
		waits 1s
		failed: AbortError: This operation was aborted`), nil},
}
