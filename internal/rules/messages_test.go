package rules

import "github.com/loopproof/loopproof/internal/wire"

// The cases of the rules that are about the dialect messages alone.

var (
	blockCity   = oneCity.under("anthropic")
	blockCities = twoCities.under("anthropic")
	blockTwice  = twoRounds.under("anthropic")
	// blockMangled has an input that is no JSON, which only a stream can carry.
	blockMangled = mangled.under("anthropic").by(wire.DeliverSSE)
	// thoughtful reasons before it calls; its blocks are signed, and one is encrypted.
	thoughtful = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - reasoning-details: [{type: text, text: I need the weather.}, {type: encrypted}]
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).under("anthropic")
	// thoughtfulAnswer reasons before it answers, too, and the user goes on.
	thoughtfulAnswer = scene(weatherTool + `
prompts: [What is the weather in Oslo?, Thank you.]
model:
  - reasoning-details: [{type: text, text: I need the weather.}]
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning-details: [{type: text, text: It is cold.}]
    text: It is 4 C in Oslo.
  - text: You are welcome.
`).under("anthropic")
	// computing leaves the provider's code waiting in its container.
	computing = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: I compute it.
    blocks: ['{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{"code":"1"}}']
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    container: true
  - text: It is 4 C in Oslo.
`).under("anthropic")
	// searching uses a tool of the provider beside one of the loop.
	searching = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - text: I look it up.
    blocks: ['{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}}']
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).under("anthropic")
	// halting breaks off in the middle of its own work.
	halting = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: One moment.
    blocks: ['{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}']
    finish: pause
  - text: It is 4 C in Oslo.
`).under("anthropic")
	// fullWindow is cut off where the memory was full.
	fullWindow = scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - {text: "It is 4 C in Oslo, and", finish: context-window}
`).under("anthropic")
	// brokenTool fails for Bonn.
	brokenTool = down.under("anthropic")
)

// secondRequest is a run of one round whose second request is written out behind the first prompt.
func secondRequest(messages string) string {
	return `
		asks
		runs oslo
		asks on
		` + messages + `
		completed`
}

// goingOnInBlocks is a run of thoughtfulAnswer in which the answer goes back with these blocks in front.
func goingOnInBlocks(reasoning string) string {
	return `
		asks
		runs oslo
		asks on
			{{message 1}}
			` + gotOslo + `
		asks on
			{"role":"assistant","content":[` + reasoning + `,{"type":"text","text":"It is 4 C in Oslo."}]}
			prompt 2
		completed`
}

const (
	osloUse    = `{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}`
	osloResult = `{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C"}`
	calledOslo = `{"role":"assistant","content":[` + osloUse + `]}`
	gotOslo    = `{"role":"user","content":[` + osloResult + `]}`
)

var pairingBlockCases = ruleCases{
	"pairing/results-first": {
		holds("alone", blockCity, oneCityDone),
		holds("with text behind them", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[`+osloResult+`,{"type":"text","text":"Go on."}]}`)),
		seesNothing("no results", blockCity, "asks"),
		breaks("behind a text", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"text","text":"Here:"},`+osloResult+`]}`),
			finding{2, "/messages/2/content/0", `a block of the type "text" stands before the results`, "the results first", `{"type":"text","text":"Here:"}`}),
	},
	"pairing/results-in-one-message": {
		holds("one message", blockCities, `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				results oslo, lima
			completed`),
		seesNothing("one result", blockCity, oneCityDone),
		breaks("two messages", blockCities, twoCitiesDone,
			finding{2, "/messages/3", "the results of one turn are spread over several messages", "one message with 2 results", "2 messages"}),
	},
	"pairing/blocks-in-their-roles": {
		holds("as they belong", blockCity, oneCityDone),
		seesNothing("no blocks", blockCity, "asks"),
		breaks("a use of the user", blockCity, secondRequest(`{"role":"user","content":[`+osloUse+`]}
			`+gotOslo),
			finding{2, "/messages/1/content/0", `a tool_use in a message of the role "user"`, `the role "assistant"`, `{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}`}),
		breaks("a result of the assistant", blockCity, secondRequest(calledOslo+`
			{"role":"assistant","content":[`+osloResult+`]}`),
			finding{2, "/messages/2/content/0", `a tool_result in a message of the role "assistant"`, `the role "user"`, osloResult}),
	},
	"pairing/ids-well-formed": {
		holds("the model's", blockCity, oneCityDone),
		holds("an empty one is for ids-present", blockCity, secondRequest(`{"role":"assistant","content":[{"type":"tool_use","id":"","name":"get_weather","input":{}}]}
			`+gotOslo)),
		seesNothing("no calls", blockCity, "asks"),
		breaks("dots and colons", blockCity, secondRequest(`{"role":"assistant","content":[{"type":"tool_use","id":"functions.get_weather:0","name":"get_weather","input":{}}]}
			`+gotOslo),
			finding{2, "/messages/1/content/0/id", "the id of a tool_use has characters that are not taken", "letters, digits, _ and -", "functions.get_weather:0"}),
	},
}

var egressBlocksCases = ruleCases{
	"egress/max-tokens-given": {
		holds("given", blockCity, oneCityDone),
		seesNothing("no result in it", blockCity, "asks"),
		breaks("not given", blockCity, "asks without max_tokens",
			finding{1, "/max_tokens", "there is no max_tokens", "a number", "nothing"}),
		breaks("a text", blockCity, `asks with {"max_tokens":"many"}`,
			finding{1, "/max_tokens", "there is no max_tokens", "a number", `"many"`}),
	},
	"egress/user-comes-first": {
		holds("the prompt", blockCity, oneCityDone),
		seesNothing("no result in it", blockCity, "asks"),
		breaks("a greeting", blockCity, `
			asks
				assistant: Hello.
				prompt 1`,
			finding{1, "/messages/0", "the first message is not one of the user", `the role "user"`, `"assistant"`}),
	},
	"egress/system-stands-apart": {
		holds("apart", blockCity, oneCityDone),
		seesNothing("no result in it", blockCity, "asks"),
		holds("in the middle of a conversation, behind the results and at the end", blockCity, secondRequest("calls oslo\nresult oslo\nsystem: Be terse.")),
		holds("in front of a turn of the assistant, two of them", blockTwice, `
			asks
			asks
				prompt 1
				system: Be terse.
				system: Be kind.
				calls oslo
				result oslo
			completed`),
		holds("behind what a tool of the provider returned", blockCity, secondRequest(`calls oslo
				result oslo
				{"role":"assistant","content":[{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]}
				system: Be terse.`)),
		holds("a message that says nothing and sets how the answer is to be", blockCity, secondRequest(`calls oslo
				result oslo
				{"role":"system","content":[],"output_config":{"effort":"low"}}
				user: Go on.`)),
		breaks("in the first place", blockCity, `
			asks
				system: Be terse.
				prompt 1`,
			finding{1, "/messages/0", "a message of the role system in the first place", "the key system of the request", `{"role":"system","content":"Be terse."}`}),
		breaks("between a call and its result", blockCity, secondRequest("calls oslo\nsystem: Be terse.\nresult oslo"),
			finding{2, "/messages/2", "a message of the role system behind one of the assistant", "it behind a message of the user", `{"role":"system","content":"Be terse."}`}),
		breaks("in front of the user, two of them", blockCity, secondRequest("calls oslo\nresult oslo\nsystem: Be terse.\nsystem: Be kind.\nuser: Go on."),
			finding{2, "/messages/3", "a message of the role system in front of one of the user", "it in front of a message of the assistant, or at the end", `{"role":"system","content":"Be terse."}`}),
		breaks("at the end, to a model that takes none", oneCity.under("anthropic-4.7"), secondRequest("calls oslo\nresult oslo\nsystem: Be terse."),
			finding{2, "/messages/3", "a message of the role system, which this model does not take", "the key system of the request", `{"role":"system","content":"Be terse."}`}),
		breaks("at the end, to an older one", oneCity.under("anthropic-4.5"), secondRequest("calls oslo\nresult oslo\nsystem: Be terse."),
			finding{2, "/messages/3", "a message of the role system, which this model does not take", "the key system of the request", `{"role":"system","content":"Be terse."}`}),
	},
	"egress/no-empty-text": {
		holds("none", blockCity, oneCityDone),
		holds("a result without content", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}"}]}`)),
		seesNothing("no result in it", blockCity, "asks"),
		breaks("beside a call", blockCity, secondRequest(`{"role":"assistant","content":[{"type":"text","text":""},`+osloUse+`]}
			`+gotOslo),
			finding{2, "/messages/1/content/0", "an empty text block", "a text, or no such block", `{"type":"text","text":""}`}),
		breaks("in a result", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"text","text":""}]}]}`),
			finding{2, "/messages/2/content/0/content/0", "an empty text block", "a text, or no such block", `{"type":"text","text":""}`}),
		breaks("null for a text, and none at all", blockCity, secondRequest(`{"role":"assistant","content":[{"type":"text","text":null},`+osloUse+`]}
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"text"}]}]}`),
			finding{2, "/messages/1/content/0", "a text block without a text", "a text, or no such block", `{"type":"text","text":null}`},
			finding{2, "/messages/2/content/0/content/0", "a text block without a text", "a text, or no such block", `{"type":"text"}`}),
	},
	"egress/no-white-text": {
		holds("none", blockCity, oneCityDone),
		holds("an empty one is for no-empty-text", blockCity, secondRequest(`{"role":"assistant","content":[{"type":"text","text":""},`+osloUse+`]}
			`+gotOslo)),
		seesNothing("no result in it", blockCity, "asks"),
		breaks("beside a call", blockCity, secondRequest(`{"role":"assistant","content":[{"type":"text","text":"\n"},`+osloUse+`]}
			`+gotOslo),
			finding{2, "/messages/1/content/0", "a text block of white space", "a text, or no such block", `{"type":"text","text":"\n"}`}),
	},
	"egress/input-is-object": {
		holds("an object", blockCity, oneCityDone),
		seesNothing("no calls", blockCity, "asks"),
		breaks("a text", blockCity, secondRequest(`{"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":"{}"}]}
			`+gotOslo),
			finding{2, "/messages/1/content/0/input", "the input of a tool_use is no object", "a JSON object", `"{}"`}),
		breaks("nothing", blockCity, secondRequest(`{"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather"}]}
			`+gotOslo),
			finding{2, "/messages/1/content/0/input", "the input of a tool_use is no object", "a JSON object", "nothing"}),
	},
	"egress/tools-stay-defined": {
		holds("they stay", blockCity, oneCityDone),
		seesNothing("no result in it", blockCity, "asks"),
		breaks("left out at the end", blockCity, `
			asks
			runs oslo
			asks on without tools
				calls oslo
				result oslo`,
			finding{2, "/tools", "a history with tool calls and no tools", "the tools of the requests before", "nothing"}),
	},
	"egress/cache-marks-bounded": {
		holds("four", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C","cache_control":{"type":"ephemeral"}}]}`)),
		holds("in the arguments of a call, where it is none", blockCity, secondRequest(`{"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"a":{"cache_control":{}},"b":{"cache_control":{}},"c":{"cache_control":{}},"d":{"cache_control":{}},"e":{"cache_control":{}}}}]}
			`+gotOslo)),
		seesNothing("no result in it", blockCity, "asks"),
		breaks("five", blockCity, `asks with {"system":[{"cache_control":{}},{"cache_control":{}},{"cache_control":{}},{"cache_control":{}},{"cache_control":{}}]}`,
			finding{1, "/system/4/cache_control", "5 blocks carry a cache_control", "at most 4", "5"}),
	},
}

var executionFlagsCases = ruleCases{
	"execution/failure-is-flagged": {
		holds("flagged", brokenTool, `
			asks
			runs bonn
			asks on
				calls bonn
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{bonn}}","content":"Error: down","is_error":true}]}
			completed`),
		seesNothing("nothing failed", blockCity, oneCityDone),
		holds("an input that is no JSON, flagged", blockMangled, `
			asks
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{"INVALID_JSON":"{\"city\""}}]}
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error: no JSON","is_error":true}]}
			completed`),
		seesNothing("it was run on a guess, which is for invalid-json-not-run", blockMangled, `
			asks
			runs broken with {"city":"Oslo"}
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{"city":"Oslo"}}]}
				result broken: 4 C
			completed`),
		breaks("an input that is no JSON, not flagged", blockMangled, `
			asks
			asks on
				{"role":"assistant","content":[{"type":"tool_use","id":"{{broken}}","name":"get_weather","input":{}}]}
				result broken: Error
			completed`,
			finding{2, "/messages/2/content/0", "broken: a call that went wrong is answered as if it had not", `"is_error":true`, `{"type":"tool_result","tool_use_id":"{{broken}}","content":"Error"}`}),
		breaks("not flagged", brokenTool, `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn: Error
			completed`,
			finding{2, "/messages/2/content/0", "bonn: a call that went wrong is answered as if it had not", `"is_error":true`, `{"type":"tool_result","tool_use_id":"{{bonn}}","content":"Error"}`}),
	},
	"execution/success-is-not-flagged": {
		holds("no flag", blockCity, oneCityDone),
		holds("a flag that says no", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C","is_error":false}]}`)),
		seesNothing("nobody saw it run", blockCity, `
			asks
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("the tool had not returned: the loop has a limit of its own", blockCity, `
			asks
			runs oslo for 1s
			asks on
				calls oslo
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"Error: no answer within 50 ms","is_error":true}]}
			completed`),
		seesNothing("the same, and the loop let go of it", blockCity, `
			asks
			runs oslo for 1s given up
			asks on
				calls oslo
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"Error: no answer within 50 ms","is_error":true}]}
			completed`),
		breaks("flagged", blockCity, secondRequest(calledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C","is_error":true}]}`),
			finding{2, "/messages/2/content/0", "oslo: a call that went well is answered as an error", "no is_error, or false", `{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C","is_error":true}`}),
	},
	"execution/error-result-is-text": {
		holds("text", brokenTool, `
			asks
			runs bonn
			asks on
				calls bonn
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{bonn}}","content":[{"type":"text","text":"down"}],"is_error":true}]}
			completed`),
		seesNothing("no error", blockCity, oneCityDone),
		breaks("an image", brokenTool, `
			asks
			runs bonn
			asks on
				calls bonn
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{bonn}}","content":[{"type":"image"}],"is_error":true}]}
			completed`,
			finding{2, "/messages/2/content/0", "bonn: an error that is not text", "text blocks alone", `{"type":"tool_result","tool_use_id":"{{bonn}}","content":[{"type":"image"}],"is_error":true}`}),
	},
}

var historyContainerCases = ruleCases{
	"history/container-named": {
		holds("by its id", computing, `
			asks
			runs oslo
			asks on with {"container":"{{container 1}}"}
				{{message 1}}
				results oslo
			completed`),
		holds("with what it is to hold", computing, `
			asks
			asks on with {"container":{"id":"{{container 1}}","skills":[]}}
				{{message 1}}
				results oslo
			completed`),
		seesNothing("nothing runs there", searching, `
			asks
			asks on
				{{message 1}}
				results oslo
			completed`),
		breaks("left out", computing, `
			asks
			asks on
				{{message 1}}
				results oslo
			completed`,
			finding{2, "/container", "the request does not name the container in which a tool of the provider still runs", `"{{container 1}}", or an object with this id`, "nothing"}),
		breaks("another one", computing, `
			asks
			asks on with {"container":"container_1"}
				{{message 1}}
				results oslo
			completed`,
			finding{2, "/container", "the request does not name the container in which a tool of the provider still runs", `"{{container 1}}", or an object with this id`, `"container_1"`}),
	},
}

var historyBlocksCases = ruleCases{
	"history/unknown-blocks-come-back": {
		holds("as they came", searching, `
			asks
			runs oslo
			asks on
				{{message 1}}
				results oslo
			completed`),
		seesNothing("there are none", blockCity, oneCityDone),
		breaks("left out", searching, oneCityDone,
			finding{2, "/messages", `a block of the type "server_tool_use" did not come back as it was`, `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}}`,
				`{"role":"assistant","content":[{"type":"text","text":"I look it up."},{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}]}`}),
		holds("marked for the cache", searching, secondRequest(`{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"},"cache_control":{"type":"ephemeral"}},{"type":"text","text":"I look it up."},`+osloUse+`]}
			`+gotOslo)),
		breaks("twice", searching, secondRequest(`{"role":"assistant","content":[`+searchUse+`,`+searchUse+`,{"type":"text","text":"I look it up."},`+osloUse+`]}
			`+gotOslo),
			finding{2, "/messages", `a block of the type "server_tool_use" came back 2 times`, searchUse,
				`{"role":"assistant","content":[` + searchUse + `,` + searchUse + `,{"type":"text","text":"I look it up."},` + osloUse + `]}`}),
	},
}

const searchUse = `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}}`

var finishPauseCases = ruleCases{
	"finish/pause-is-continued": {
		holds("sent back as it is", halting, `
			asks
			runs oslo
			asks on
				calls oslo
				results oslo
			asks on
				{{message 2}}
			completed`),
		seesNothing("nothing paused", blockCity, oneCityDone),
		seesNothing("the loop gave up and says so", halting, afterRound("stopped: it paused")),
		breaks("taken for the answer", halting, afterRound("completed: One moment."),
			finding{2, "", "a turn that paused was reported as the answer", "the turn goes back, and the provider goes on", "the loop reported completed"}),
		breaks("urged on by the user", halting, `
			asks
			runs oslo
			asks on
				calls oslo
				results oslo
			asks on
				{{message 2}}
				user: Go on.
			completed`,
			finding{3, "/messages/4", "after a turn that paused the request does not end with that turn", "the turn as the last message", `{"role":"user","content":"Go on."}`}),
	},
	"finish/full-window-is-not-success": {
		holds("stopped", fullWindow, afterRound("stopped: the window is full")),
		holds("completed, with the reason", fullWindow, afterRound("completed (model_context_window_exceeded): It is")),
		seesNothing("a whole answer", blockCity, oneCityDone),
		breaks("completed", fullWindow, afterRound("completed: It is 4 C in Oslo, and"),
			finding{2, "", "an answer that ended with context-window was reported as completed", `status stopped or failed, or finish_reason "context-window"`, `status completed with the text "It is 4 C in Oslo, and"`}),
	},
}

var reasoningThinkingCases = ruleCases{
	"reasoning/thinking-first": {
		holds("first", thoughtful, oneCityDone),
		seesNothing("no reasoning", blockCity, oneCityDone),
		breaks("behind the call", thoughtful, secondRequest(`{"role":"assistant","content":[`+osloUse+`,{{blocks 1}}]}
			results oslo`),
			finding{2, "/messages/1/content/0", "a message with reasoning begins with something else", "thinking or redacted_thinking", osloUse}),
	},
	"reasoning/signature-present": {
		holds("there", thoughtful, oneCityDone),
		seesNothing("no reasoning", blockCity, oneCityDone),
		breaks("lost", thoughtful, secondRequest(`{"role":"assistant","content":[{"type":"thinking","thinking":"I need the weather."},`+osloUse+`]}
			results oslo`),
			finding{2, "/messages/1/content/0/signature", "a block of reasoning without its signature", "the signature that the model gave", "nothing"}),
		breaks("nothing encrypted", thoughtful, secondRequest(`{"role":"assistant","content":[{"type":"redacted_thinking"},`+osloUse+`]}
			results oslo`),
			finding{2, "/messages/1/content/0/data", "a block of reasoning without its data", "the data that the model gave", "nothing"}),
	},
	"reasoning/not-at-the-end": {
		holds("in the middle", thoughtful, oneCityDone),
		seesNothing("no reasoning", blockCity, oneCityDone),
		breaks("what was left of a broken turn", thoughtful, `
			asks
				prompt 1
				{"role":"assistant","content":[{"type":"thinking","thinking":"I","signature":"s"}]}`,
			finding{1, "/messages/1/content/0", "the request ends with reasoning", "text or calls behind it, or no such message", `{"type":"thinking","thinking":"I","signature":"s"}`}),
	},
	"reasoning/switch-stays": {
		holds("on", thoughtful, oneCityDone),
		seesNothing("off all the time", thoughtful, `
			asks without thinking
			runs oslo
			asks on without thinking
				`+calledOslo+`
				results oslo
			completed`),
		breaks("turned off for the results", thoughtful, `
			asks
			runs oslo
			asks on without thinking
				calls oslo
				results oslo
			completed`,
			finding{2, "/thinking", "thinking was switched in the middle of a turn", `{"type":"adaptive"}`, "nothing"}),
	},
}
