package rules

var historySystemCases = ruleCases{
	"history/system-prompt-sent": {
		holds("as a system message", instructed, oneCityDone),
		holds("as developer, in parts, among other instructions", instructed, `
			asks
				{"role":"developer","content":[{"type":"text","text":"Be kind. "},{"type":"text","text":"You are terse."}]}
				system: Today is Monday.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("the task has none", oneCity, oneCityDone),
		seesNothing("no tool was used", scene("system: Be terse.\n"+noTools.scenario), noToolsDone),
		breaks("only in the first request", instructed, `
			asks
			asks
				prompt 1
				calls oslo
				result oslo
			completed`,
			finding{2, "/messages/0", "the system prompt is missing", `a system message with "You are terse."`, `{"role":"user","content":"What is the weather in Oslo?"}`}),
		breaks("never", instructed, `
			asks
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0", "the system prompt is missing", `a system message with "You are terse."`, `{"role":"user","content":"What is the weather in Oslo?"}`}),
		breaks("in other words", instructed, `
			asks
				system: You are verbose.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0", "the system prompt is missing", `a system message with "You are terse."`, `{"role":"system","content":"You are verbose."}`}),
	},
	"history/system-prompt-once": {
		holds("once, among other instructions", instructed, `
			asks
				{"role":"developer","content":[{"type":"text","text":"Be kind. "},{"type":"text","text":"You are terse."}]}
				system: Today is Monday.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`),
		holds("the user reminds the model of it", instructed, `
			asks
			asks on
				calls oslo
				result oslo
				user: You are terse.
			completed`),
		seesNothing("the task has none", oneCity, oneCityDone),
		seesNothing("no tool was used", scene("system: Be terse.\n"+noTools.scenario), noToolsDone),
		breaks("two messages", instructed, `
			asks
			asks
				system: You are terse.
				system: You are terse.
				prompt 1
				calls oslo
				result oslo
			completed`,
			finding{2, "/messages/1", "the system prompt stands 2 times in the request", `"You are terse." once`, `{"role":"system","content":"You are terse."}`}),
		breaks("twice in one text, after a tool call", instructed, `
			asks
			asks
				system: You are terse. You are terse.
				prompt 1
				calls oslo
				result oslo
			completed`,
			finding{2, "/messages/0", "the system prompt stands 2 times in the request", `"You are terse." once`, `{"role":"system","content":"You are terse. You are terse."}`}),
	},
	"history/system-prompt-in-its-role": {
		holds("as a system message", instructed, oneCityDone),
		holds("in the key system", instructed.under("anthropic"), "asks with {\"system\":\"You are terse.\"}\nprompt 1\nruns oslo\nasks on with {\"system\":\"You are terse.\"}\ncalls oslo\nresult oslo\ncompleted"),
		holds("as a system message, and again beside the prompt", instructed, `
			asks
				system: You are terse.
				user: You are terse. What is the weather in Oslo?
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("the task has none", oneCity, oneCityDone),
		seesNothing("a missing one is for system-prompt-sent", instructed, `
			asks
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("braces are for system-prompt-is-no-template", braced, oneCityDone),
		breaks("as the user", instructed, `
			asks
				user: You are terse.
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0", "the system prompt is sent in the user's name", `a system message with "You are terse."`, `{"role":"user","content":"You are terse."}`}),
		breaks("in front of the prompt, in the same text", instructed, `
			asks
				user: You are terse. What is the weather in Oslo?
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0", "the system prompt is sent in the user's name", `a system message with "You are terse."`, `{"role":"user","content":"You are terse. What is the weather in Oslo?"}`}),
	},
	"history/system-prompt-is-no-template": {
		holds("as it is", braced, oneCityDone),
		seesNothing("no braces", instructed, oneCityDone),
		seesNothing("no tool was used", scene("system: 'Say {x}.'\n"+noTools.scenario), noToolsDone),
		seesNothing("a loop that fails for another reason, later", braced, `
			asks
			failed: no idea`),
		breaks("the variables are filled in", braced, `
			asks
				system: Answer as {"city": ""}, in .
				prompt 1
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0", "the system prompt, which has braces, is not sent as it was given", `a system message with "Answer as {\"city\": \"\"}, in {language}."`, `{"role":"system","content":"Answer as {\"city\": \"\"}, in ."}`}),
		breaks("the run fails before it begins", braced, "failed: missing variable language",
			finding{0, "", "the run failed before the model was asked, and the system prompt has braces", `a request with "Answer as {\"city\": \"\"}, in {language}."`, `the loop reported failed: "missing variable language"`}),
	},
}
