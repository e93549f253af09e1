package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var reasoningForcedCases = Cases{
	"reasoning/no-forced-tools": {
		Holds("free to choose", Thoughtful, OneCityDone),
		SeesNothing("no thinking", Thoughtful, `
			asks without thinking
			runs oslo
			asks on without thinking
				`+CalledOslo+`
				results oslo
			completed`),
		Breaks("forced", Thoughtful, `asks with {"thinking":{"type":"enabled","budget_tokens":2000},"tool_choice":{"type":"any"}}`,
			Found(1, "/tool_choice", "a tool is forced while the model thinks", "auto, none, or no tool_choice", `{"type":"any"}`)),
	},
	"reasoning/budget-below-max-tokens": {
		Holds("no budget", Thoughtful, OneCityDone),
		Holds("room for an answer", Thoughtful, `
			asks
			runs oslo
			asks on with {"max_tokens":2001,"thinking":{"type":"enabled","budget_tokens":2000}}
				{{message 1}}
				results oslo
			completed`),
		Holds("thinking between calls", Thoughtful, `
			asks
			runs oslo
			asks on with {"max_tokens":2000,"thinking":{"type":"enabled","budget_tokens":4000}}
				header anthropic-beta: interleaved-thinking-2025-05-14
				{{message 1}}
				results oslo
			completed`),
		SeesNothing("no thinking", Thoughtful, `
			asks without thinking
			runs oslo
			asks on without thinking
				`+CalledOslo+`
				results oslo
			completed`),
		Breaks("equal", Thoughtful, `asks with {"max_tokens":2000,"thinking":{"type":"enabled","budget_tokens":2000}}`,
			Found(1, "/max_tokens", "the budget for thinking leaves no room for an answer", "more than the budget_tokens of thinking, 2000", "2000")),
	},
	"reasoning/thinks-at-temperature-one": {
		Holds("none", Thoughtful, OneCityDone),
		Holds("1", Thoughtful, `
			asks
			runs oslo
			asks on with {"temperature":1.0,"thinking":{"type":"adaptive"}}
				{{message 1}}
				results oslo
			completed`),
		SeesNothing("no thinking", Thoughtful, `
			asks without thinking
			runs oslo
			asks on without thinking
				`+CalledOslo+`
				results oslo
			completed`),
		Breaks("another", Thoughtful, `asks with {"temperature":0.2,"thinking":{"type":"adaptive"}}`,
			Found(1, "/temperature", "a temperature is sent while the model thinks", "1, or no such key", "0.2")),
		Holds("top_p from 0.95 on", Thoughtful, `
			asks
			runs oslo
			asks on with {"top_p":0.95,"thinking":{"type":"enabled","budget_tokens":1024}}
				{{message 1}}
				results oslo
			completed`),
		Breaks("other settings", Thoughtful, `asks with {"top_k":5,"top_p":0.9,"thinking":{"type":"enabled","budget_tokens":1024}}`,
			Found(1, "/top_k", "top_k is sent while the model thinks", "no such key", "5"),
			Found(1, "/top_p", "top_p is sent while the model thinks", "0.95 or more, or no such key", "0.9")),
	},
	"reasoning/thinking-form": {
		Holds("adaptive", Thoughtful.Under("anthropic-5.5"), `
			asks with {"thinking":{"type":"adaptive"}}
			runs oslo
			asks on with {"thinking":{"type":"adaptive"}}
				{{message 1}}
				results oslo
			completed`),
		SeesNothing("a generation that takes both", Thoughtful, OneCityDone),
		SeesNothing("no thinking", Thoughtful.Under("anthropic-5.5"), `
			asks without thinking
			runs oslo
			asks on without thinking
				`+CalledOslo+`
				results oslo
			completed`),
		Breaks("a budget for the newest", Thoughtful.Under("anthropic-5.5"), `asks with {"thinking":{"type":"enabled","budget_tokens":2000}}`,
			Found(1, "/thinking", "thinking is asked for in a form that models of this generation do not take", "thinking of the type adaptive or between_tools or disabled", `{"type":"enabled","budget_tokens":2000}`)),
		Breaks("adaptive for an old one", Thoughtful.Under("anthropic-4.5"), `asks with {"thinking":{"type":"adaptive"}}`,
			Found(1, "/thinking", "thinking is asked for in a form that models of this generation do not take", "thinking of the type enabled or disabled", `{"type":"adaptive"}`)),
	},
}
