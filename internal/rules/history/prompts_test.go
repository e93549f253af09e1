package history_test

import (
	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

// answersFor1000 has an answer that costs more than it may, and a prompt without an answer for the
// same reason.
var answersFor1000 = Scene(WeatherTool + `
needs: [token-budget, multi-prompt, resume-after-failure]
token-budget: 1000
prompts: [What is the weather in Oslo?, And in Lima?, And in Rome?]
model:
  - {text: It is 4 C in Oslo., usage: {input: 1100, output: 100}}
  - {calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}], usage: {input: 700, output: 100}}
  - {calls: [{as: again, tool: get_weather, arguments: '{"city":"Lima"}'}], usage: {input: 700, output: 100}}
  - {text: It is 11 C in Rome., usage: {input: 700, output: 100}}
`)

// goOn has a user who says the same twice.
var goOn = Scene(WeatherTool + `
prompts: [Go on., Go on.]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - text: There is nothing more.
`)

// sameAgain holds this conversation, with one more message behind the first answer.
func sameAgain(behind string) string {
	return `
		asks
		asks on
			calls oslo
			result oslo
		asks on
			assistant: It is 4 C in Oslo.
			` + behind + `
		completed`
}

// linesBothWays has lines of Windows, a letter that nobody sees, and space at the end of what is
// said.
var linesBothWays = Scene(WeatherTool + `
system: "You are terse.\r\nAnswer.\n"
prompt: "\u200bIn Oslo?\r\nWhy?\n"
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is cold.
`)

// spoken are the requests of linesBothWays with these texts.
func spoken(system, user string) string {
	return `
		asks
			{"role":"system","content":"` + system + `"}
			{"role":"user","content":"` + user + `"}
		runs oslo
		asks on
			calls oslo
			result oslo
		completed`
}

var promptCases = Cases{
	"history/prompts-alone": {
		Holds("one prompt", OneCity, OneCityDone),
		Holds("two prompts", TwoPrompts, TwoPromptsDone),
		Holds("in a part of its own", OneCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"<context>Monday</context>"},{"type":"text","text":"What is the weather in Oslo?"}]}
			asks on
				calls oslo
				result oslo
			completed`),
		Holds("two prompts in two parts of a message", TwoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				{"role":"user","content":[{"type":"text","text":"What is the weather in Oslo?"},{"type":"text","text":"And in Lima?"}]}
			asks on
				calls lima
				result lima
			completed`),
		Breaks("two prompts in one part", TwoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				{"role":"user","content":[{"type":"text","text":"What is the weather in Oslo? And in Lima?"}]}
			asks on
				calls lima
				result lima
			completed`,
			Found(3, "/messages/0/content", "a prompt of the user has other words alongside it", `"What is the weather in Oslo?" in a text of its own`, `"What is the weather in Oslo? And in Lima?"`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		SeesNothing("other words are for prompts-sent", TwoPrompts, `
			asks
				user: what is the weather in oslo?
			failed: no`),
		Breaks("an instruction is added to it", OneCity, `
			asks
				user: What is the weather in Oslo? Answer briefly.
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/messages/0/content", "a prompt of the user has other words alongside it", `"What is the weather in Oslo?" in a text of its own`, `"What is the weather in Oslo? Answer briefly."`)),
		Breaks("a part with more words", OneCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"It is Monday."},{"type":"text","text":"<q>What is the weather in Oslo?</q>"}]}
			asks on
				calls oslo
				result oslo
			completed`,
			Found(1, "/messages/0/content", "a prompt of the user has other words alongside it", `"What is the weather in Oslo?" in a text of its own`, `"It is Monday.<q>What is the weather in Oslo?</q>"`)),
	},
	"history/prompts-sent": {
		Holds("without the space around it", linesBothWays, spoken(`You are terse.\r\nAnswer.`, `\u200bIn Oslo?\r\nWhy?`)),
		Breaks("with other line ends, and without a letter that nobody sees", linesBothWays, spoken(`You are terse.\nAnswer.`, `In Oslo?\nWhy?`),
			Found(1, "/messages/1/content", "the words of the user are other ones", rules.Quote("\u200bIn Oslo?\r\nWhy?\n"), `"In Oslo?\nWhy?"`).Only(trace.Should)),
		Holds("a prompt at which nobody listened", GoneAtTheSecond, AfterRound("completed: It is 4 C in Oslo.")),
		Holds("each prompt begins again", TwoPrompts, StartsAnew),
		Holds("one prompt", OneCity, OneCityDone),
		Holds("two prompts", TwoPrompts, TwoPromptsDone),
		Holds("the answer to the first prompt spends its budget", answersFor1000, `
			asks
			asks on
				assistant: It is 4 C in Oslo.
				prompt 2
			runs lima
			asks on
				calls lima
				result lima
			stopped: the budget is spent`),
		Holds("one without an answer is dropped", Resumed, BeforePrompt(`asks
			prompt 1
			calls oslo
			result oslo
			assistant: It is 4 C in Oslo.
			prompt 3
		asks on
			calls rome
			result rome
		completed`)),
		Holds("one is dropped at whose call the loop gave up", ResumedBehindBrokenCall, GivesUpAtBrokenCall),
		Holds("one is dropped at whose tool the loop gave up", ResumedBehindFailedTool, GivesUpAtFailedTool),
		Breaks("the one after a prompt without an answer is dropped later", Resumed, BeforePrompt(`asks on
			prompt 3
		asks
			prompt 1
			calls oslo
			result oslo
			assistant: It is 4 C in Oslo.
			prompt 2
			calls rome
			result rome
		completed`),
			Found(5, "/messages/4/content", "the words of the user are other ones", `"And in Rome?"`, `"And in Lima?"`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("the second one never", TwoPrompts, OneCityDone,
			Found(0, "", "the run was reported as completed, and a prompt was never sent", `"And in Lima?"`, "the loop reported completed")),
		Holds("the same words twice", goOn, sameAgain("prompt 2")),
		Holds("the same words twice, each time anew", goOn, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 2
			completed`),
		Breaks("the same words once", goOn, OneCityDone,
			Found(0, "", "the run was reported as completed, and a prompt was never sent", `"Go on." 2 times`, "the loop reported completed")),
		Breaks("the same words once, with both answers", goOn, sameAgain(""),
			Found(3, "/messages", "a prompt of the user is missing, or not in its place", `"Go on."`, `the user says "Go on."`)),
		Holds("the second one never, and says so", TwoPrompts, AfterRound("failed: tired")),
		Holds("in a part of its own", OneCity, `
			asks
				{"role":"user","content":[{"type":"text","text":"<context>Monday</context>"},{"type":"text","text":"What is the weather in Oslo?"}]}
			asks on
				calls oslo
				result oslo
			completed`),
		Holds("other user messages around it", OneCity, `
			asks
				user: <environment>linux</environment>
				prompt 1
			asks on
				calls oslo
				result oslo
				user: <reminder>Be brief.</reminder>
			completed`),
		Holds("examples in front of it", TwoPrompts, `
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
		Holds("with retrieved context, a tag and the date around it", OneCity, `
			asks
				user: <context>Oslo is in Norway.</context> <question>What is the weather in Oslo?</question> It is Monday.
			asks on
				calls oslo
				result oslo
			completed`),
		Holds("prompts that are alongside each other, joined, after one was taken back", CancelledPrompt, BeforePrompt(`cancels
			asks
				prompt 1
				calls oslo
				result oslo
				assistant: It is 4 C in Oslo.
				user: And in Lima? And in Rome?
			completed`)),
		Breaks("joined in the wrong order", TwoPrompts, `
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
			Found(3, "/messages", "a prompt of the user is missing, or not in its place", `"And in Lima?"`, `the user says "And in Lima? What is the weather in Oslo?"`)),
		Breaks("said once where it was said twice", againAndAgain, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
			completed`,
			Found(3, "/messages", "a prompt of the user is missing, or not in its place", `"What is the weather in Oslo?"`, `the user says "What is the weather in Oslo?"`)),
		Breaks("the second prompt is changed", TwoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
				user: and in lima?
			completed`,
			Found(3, "/messages/4/content", "the words of the user are other ones", `"And in Lima?"`, `"and in lima?"`)),
		Breaks("the second prompt does not come", TwoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				assistant: It is 4 C in Oslo.
			completed`,
			Found(3, "/messages", "a prompt of the user is missing, or not in its place", `"And in Lima?"`, `the user says "What is the weather in Oslo?"`)),
		Breaks("the prompts come in the wrong order", TwoPrompts, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 2
				prompt 1
				assistant: It is 4 C in Oslo.
			completed`,
			Found(3, "/messages", "a prompt of the user is missing, or not in its place", `"And in Lima?"`, `the user says "And in Lima?", "What is the weather in Oslo?"`)),
	},
}

// threePrompts are answered without tools.
var threePrompts = Scene(`
prompts: [Count., Count on., And on.]
model: [{text: One.}, {text: Two.}, {text: Three.}]
`)
