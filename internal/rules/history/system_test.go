package history_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

var systemCases = Cases{
	"history/system-prompt-sent": {
		Holds("as a system message", Instructed, OneCityDone),
		Holds("without the space around it", linesBothWays, spoken(`You are terse.\r\nAnswer.`, `In Oslo?`)),
		Breaks("with other line ends", linesBothWays, spoken(`You are terse.\nAnswer.`, `In Oslo?\nWhy?`),
			Found(1, "/messages/0", "the system prompt is sent with other letters or spaces", `a system message with "You are terse.\r\nAnswer.\n"`, `{"role":"system","content":"You are terse.\nAnswer."}`).Only(trace.Should)),
		Breaks("with indented lines", linesBothWays, spoken(`You are:\n    You are terse.\n    Answer.`, `In Oslo?\nWhy?`),
			Found(1, "/messages/0", "the system prompt is sent with other letters or spaces", `a system message with "You are terse.\r\nAnswer.\n"`, `{"role":"system","content":"You are:\n    You are terse.\n    Answer."}`).Only(trace.Should)),
		Holds("as developer, in parts, among other instructions", Instructed, `
			asks
				{"role":"developer","content":[{"type":"text","text":"Be kind. "},{"type":"text","text":"You are terse."}]}
				system: Today is Monday.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`),
		SeesNothing("the task has none", OneCity, OneCityDone),
		SeesNothing("no tool was used", Scene("system: Be terse.\n"+NoTools.Scenario), NoToolsDone),
		Breaks("only in the first request", Instructed, `
			asks
			asks
				prompt 1
				calls oslo
				result oslo
			completed`,
			Found(2, "/messages/0", "the system prompt is missing", `a system message with "You are terse."`, `{"role":"user","content":"What is the weather in Oslo?"}`)),
		Breaks("never", Instructed, `
			asks
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/messages/0", "the system prompt is missing", `a system message with "You are terse."`, `{"role":"user","content":"What is the weather in Oslo?"}`)),
		Breaks("in other words", Instructed, `
			asks
				system: You are verbose.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/messages/0", "the system prompt is missing", `a system message with "You are terse."`, `{"role":"system","content":"You are verbose."}`)),
	},
	"history/system-prompt-once": {
		Holds("once, among other instructions", Instructed, `
			asks
				{"role":"developer","content":[{"type":"text","text":"Be kind. "},{"type":"text","text":"You are terse."}]}
				system: Today is Monday.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`),
		Holds("the user reminds the model of it", Instructed, `
			asks
			asks on
				calls oslo
				result oslo
				user: You are terse.
			completed`),
		SeesNothing("the task has none", OneCity, OneCityDone),
		SeesNothing("no tool was used", Scene("system: Be terse.\n"+NoTools.Scenario), NoToolsDone),
		Breaks("two messages", Instructed, `
			asks
			asks
				system: You are terse.
				system: You are terse.
				prompt 1
				calls oslo
				result oslo
			completed`,
			Found(2, "/messages/1", "the system prompt is 2 times in the request", `"You are terse." once`, `{"role":"system","content":"You are terse."}`)),
		Breaks("twice in one text, after a tool call", Instructed, `
			asks
			asks
				system: You are terse. You are terse.
				prompt 1
				calls oslo
				result oslo
			completed`,
			Found(2, "/messages/0", "the system prompt is 2 times in the request", `"You are terse." once`, `{"role":"system","content":"You are terse. You are terse."}`)),
	},
	"history/system-prompt-in-its-role": {
		Holds("as a system message", Instructed, OneCityDone),
		Holds("in the key system", Instructed.Under("anthropic"), "asks with {\"system\":\"You are terse.\"}\nprompt 1\nruns oslo\nasks on with {\"system\":\"You are terse.\"}\ncalls oslo\nresult oslo\ncompleted"),
		Holds("as a system message, and again alongside the prompt", Instructed, `
			asks
				system: You are terse.
				user: You are terse. What is the weather in Oslo?
			asks on
				calls oslo
				result oslo
			completed`),
		SeesNothing("the task has none", OneCity, OneCityDone),
		SeesNothing("a missing one is for system-prompt-sent", Instructed, `
			asks
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`),
		SeesNothing("braces are for system-prompt-is-no-template", Braced, OneCityDone),
		Breaks("as the user", Instructed, `
			asks
				user: You are terse.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/messages/0", "the system prompt is sent in the user's name", `a system message with "You are terse."`, `{"role":"user","content":"You are terse."}`)),
		Breaks("in front of the prompt, in the same text", Instructed, `
			asks
				user: You are terse. What is the weather in Oslo?
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/messages/0", "the system prompt is sent in the user's name", `a system message with "You are terse."`, `{"role":"user","content":"You are terse. What is the weather in Oslo?"}`)),
	},
	"history/system-prompt-is-no-template": {
		Holds("as it is", Braced, OneCityDone),
		SeesNothing("no braces", Instructed, OneCityDone),
		SeesNothing("no tool was used", Scene("system: 'Say {x}.'\n"+NoTools.Scenario), NoToolsDone),
		SeesNothing("a loop that fails for another reason, later", Braced, `
			asks
			failed: no idea`),
		Breaks("the variables are filled in", Braced, `
			asks
				system: Answer as {"city": ""}, in .
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/messages/0", "the system prompt, which has braces, is not sent as it was given", `a system message with "Answer as {\"city\": \"\"}, in {language}."`, `{"role":"system","content":"Answer as {\"city\": \"\"}, in ."}`)),
		Breaks("the run fails before it begins", Braced, "failed: missing variable language",
			Found(0, "", "the run failed before the model was asked, and the system prompt has braces", `a request with "Answer as {\"city\": \"\"}, in {language}."`, `the loop reported failed: "missing variable language"`)),
	},
}
