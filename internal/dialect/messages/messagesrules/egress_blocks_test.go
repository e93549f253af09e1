package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"strings"
)

var egressBlockCases = Cases{
	"egress/user-comes-first": {
		Holds("the prompt", BlockCity, OneCityDone),
		SeesNothing("no result in it", BlockCity, "asks"),
		Breaks("a greeting", BlockCity, `
			asks
				assistant: Hello.
				prompt 1`,
			Found(1, "/messages/0", "the first message is not one of the user", `the role "user"`, `"assistant"`)),
	},
	"egress/system-stands-apart": {
		Holds("apart", BlockCity, OneCityDone),
		SeesNothing("no result in it", BlockCity, "asks"),
		Holds("in the middle of a conversation, after the results and at the end", BlockCity, SecondRequest("calls oslo\nresult oslo\nsystem: Be terse.")),
		Holds("in front of a turn of the assistant, two of them", blockTwice, `
			asks
			asks
				prompt 1
				system: Be terse.
				system: Be kind.
				calls oslo
				result oslo
			completed`),
		Holds("after what a tool of the provider returned", BlockCity, SecondRequest(`calls oslo
				result oslo
				{"role":"assistant","content":[{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]}
				system: Be terse.`)),
		Holds("a message that says nothing and sets how the answer is to be", BlockCity, SecondRequest(`calls oslo
				result oslo
				{"role":"system","content":[],"output_config":{"effort":"low"}}
				user: Go on.`)),
		Breaks("in the first place", BlockCity, `
			asks
				system: Be terse.
				prompt 1`,
			Found(1, "/messages/0", "a message of the role system in the first place", "the key system of the request", `{"role":"system","content":"Be terse."}`)),
		Breaks("between a call and its result", BlockCity, SecondRequest("calls oslo\nsystem: Be terse.\nresult oslo"),
			Found(2, "/messages/2", "a message of the role system after one of the assistant", "it after a message of the user", `{"role":"system","content":"Be terse."}`)),
		Breaks("in front of the user, two of them", BlockCity, SecondRequest("calls oslo\nresult oslo\nsystem: Be terse.\nsystem: Be kind.\nuser: Go on."),
			Found(2, "/messages/3", "a message of the role system in front of one of the user", "it in front of a message of the assistant, or at the end", `{"role":"system","content":"Be terse."}`)),
		Breaks("without a block", BlockCity, SecondRequest(`calls oslo
			result oslo
			{"role":"system","content":[]}`),
			Found(2, "/messages/3", "a message of the role system without a block", "a text", `{"role":"system","content":[]}`)),
		Breaks("blank", BlockCity, SecondRequest(`calls oslo
			result oslo
			{"role":"system","content":[{"type":"text","text":"Be terse."},{"type":"text","text":" "}]}`),
			Found(2, "/messages/3", "a message of the role system with white space for a text", "a text", `{"role":"system","content":[{"type":"text","text":"Be terse."},{"type":"text","text":" "}]}`)),
		Breaks("with a document", BlockCity, SecondRequest(`calls oslo
			result oslo
			{"role":"system","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}}]}`),
			Found(2, "/messages/3", "a message of the role system with a block that is no text", "texts alone", `{"role":"system","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}}]}`)),
		Breaks("at the end, to a model that takes none", OneCity.Under("anthropic-4.7"), SecondRequest("calls oslo\nresult oslo\nsystem: Be terse."),
			Found(2, "/messages/3", "a message of the role system, which this model does not take", "the key system of the request", `{"role":"system","content":"Be terse."}`)),
		Breaks("at the end, to an older one", OneCity.Under("anthropic-4.5"), SecondRequest("calls oslo\nresult oslo\nsystem: Be terse."),
			Found(2, "/messages/3", "a message of the role system, which this model does not take", "the key system of the request", `{"role":"system","content":"Be terse."}`)),
	},
	"egress/no-white-text": {
		Holds("none", BlockCity, OneCityDone),
		Holds("an empty one is for no-empty-text", BlockCity, SecondRequest(`{"role":"assistant","content":[{"type":"text","text":""},`+OsloUse+`]}
			`+GotOslo)),
		SeesNothing("no result in it", BlockCity, "asks"),
		Breaks("alongside a call", BlockCity, SecondRequest(`{"role":"assistant","content":[{"type":"text","text":"\n"},`+OsloUse+`]}
			`+GotOslo),
			Found(2, "/messages/1/content/0", "a text block of white space", "a text, or no such block", `{"type":"text","text":"\n"}`)),
		Holds("in a result, of which nothing is known", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"text","text":" "}]}]}`)),
	},
	"egress/tools-stay-defined": {
		Holds("they stay", BlockCity, OneCityDone),
		SeesNothing("no result in it", BlockCity, "asks"),
		Breaks("left out at the end", BlockCity, `
			asks
			runs oslo
			asks on without tools
				calls oslo
				result oslo`,
			Found(2, "/tools", "a history with tool calls and no tools", "the tools of the requests before", "nothing")),
	},
	"egress/cache-marks-bounded": {
		Holds("four", BlockCity, SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":"4 C","cache_control":{"type":"ephemeral"}}]}`)),
		Holds("in the arguments of a call, where it is none", BlockCity, SecondRequest(`{"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"a":{"cache_control":{}},"b":{"cache_control":{}},"c":{"cache_control":{}},"d":{"cache_control":{}},"e":{"cache_control":{}}}}]}
			`+GotOslo)),
		Holds("as arguments and properties of that name", BlockCity, strings.Replace(SecondRequest(`{"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"cache_control":{}}}]}
			`+GotOslo), "asks on", `asks on with {"tools":[{"name":"a","input_schema":{"type":"object","properties":{"cache_control":{}}}},{"name":"b","input_schema":{"type":"object","properties":{"cache_control":{}}}},{"name":"c","input_schema":{"type":"object","properties":{"cache_control":{}}}},{"name":"d","input_schema":{"type":"object","properties":{"cache_control":{}}}},{"name":"e","input_schema":{"type":"object","properties":{"cache_control":{}}}}]}`, 1)),
		SeesNothing("no result in it", BlockCity, "asks"),
		Breaks("five", BlockCity, `asks with {"system":[{"cache_control":{}},{"cache_control":{}},{"cache_control":{}},{"cache_control":{}},{"cache_control":{}}]}`,
			Found(1, "/system/4/cache_control", "5 blocks carry a cache_control", "at most 4", "5")),
	},
}
