package rules

var historyPromptsCases = ruleCases{
	"history/prompts-alone": {
		holds("one prompt", oneCity, oneCityDone),
		holds("two prompts", twoPrompts, twoPromptsDone),
		holds("in a part of its own", oneCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"<context>Monday</context>"},{"type":"text","text":"What is the weather in Oslo?"}]}
			asks on
				calls oslo
				result oslo
			completed`),
		seesNothing("no tool was used", noTools, noToolsDone),
		seesNothing("other words are for prompts-sent", twoPrompts, `
			asks
				user: what is the weather in oslo?
			failed: no`),
		breaks("an instruction is added to it", oneCity, `
			asks
				user: What is the weather in Oslo? Answer briefly.
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0/content", "a prompt of the user has other words beside it", `"What is the weather in Oslo?" in a text of its own`, `"What is the weather in Oslo? Answer briefly."`}),
		breaks("a part with more words", oneCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"It is Monday."},{"type":"text","text":"<q>What is the weather in Oslo?</q>"}]}
			asks on
				calls oslo
				result oslo
			completed`,
			finding{1, "/messages/0/content", "a prompt of the user has other words beside it", `"What is the weather in Oslo?" in a text of its own`, `"It is Monday.<q>What is the weather in Oslo?</q>"`}),
	},
	"history/prompts-sent": {
		holds("each prompt begins anew", twoPrompts, startsAnew),
		holds("one prompt", oneCity, oneCityDone),
		holds("two prompts", twoPrompts, twoPromptsDone),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("the second one never", twoPrompts, oneCityDone,
			finding{0, "", "the run was reported as completed, and a prompt was never sent", `"And in Lima?"`, "the loop reported completed"}),
		holds("the second one never, and says so", twoPrompts, afterRound("failed: tired")),
		holds("in a part of its own", oneCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"<context>Monday</context>"},{"type":"text","text":"What is the weather in Oslo?"}]}
			asks on
				calls oslo
				result oslo
			completed`),
		holds("other user messages around it", oneCity, `
			asks
				user: <environment>linux</environment>
				prompt 1
			asks on
				calls oslo
				result oslo
				user: <reminder>Be brief.</reminder>
			completed`),
		holds("examples in front of it", twoPrompts, `
			asks
				user: What is the weather in Rome?
				assistant: It is 11 C in Rome.
				prompt 1
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
				prompt 2
			completed`),
		holds("with retrieved context, a tag and the date around it", oneCity, `
			asks
				user: <context>Oslo is in Norway.</context> <question>What is the weather in Oslo?</question> It is Monday.
			asks on
				calls oslo
				result oslo
			completed`),
		holds("prompts that stand beside each other, joined, after one was taken back", cancelledPrompt, beforePrompt(`cancels
			asks
				prompt 1
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				user: And in Lima? And in Rome?
			completed`)),
		breaks("joined in the wrong order", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				user: And in Lima? What is the weather in Oslo?
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
			completed`,
			finding{3, "/messages", "a prompt of the user is missing, or not in its place", `"And in Lima?"`, `the user says "And in Lima? What is the weather in Oslo?"`}),
		breaks("said once where it was said twice", againAndAgain, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
			completed`,
			finding{3, "/messages", "a prompt of the user is missing, or not in its place", `"What is the weather in Oslo?"`, `the user says "What is the weather in Oslo?"`}),
		breaks("the second prompt is changed", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
				user: and in lima?
			completed`,
			finding{3, "/messages/4/content", "the words of the user are other ones", `"And in Lima?"`, `"and in lima?"`}),
		breaks("the second prompt does not come", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
			completed`,
			finding{3, "/messages", "a prompt of the user is missing, or not in its place", `"And in Lima?"`, `the user says "What is the weather in Oslo?"`}),
		breaks("the prompts come in the wrong order", twoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 2
				prompt 1
				assistant: It is 4 C in Oslo.
			completed`,
			finding{3, "/messages", "a prompt of the user is missing, or not in its place", `"And in Lima?"`, `the user says "And in Lima?", "What is the weather in Oslo?"`}),
	},
}

// threePrompts are answered without tools.
var threePrompts = scene(`
prompts: [Count., Count on., And on.]
model: [{text: One.}, {text: Two.}, {text: Three.}]
`)
