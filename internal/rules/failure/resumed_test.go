package failure_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// thirdPrompt ends a dialogue whose second prompt got no answer.
const thirdPrompt = `
		asks on
			prompt 3
		runs rome
		asks on
			calls rome
			result rome
		completed`

// failsTwice gets no answer to either prompt.
var failsTwice = Scene(Resuming + `
prompts: [What is the weather in Oslo?, And in Lima?]
model:
  - status: 429
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - status: 429
`)

var resumedCases = Cases{
	"failure/next-prompt-asked": {
		Holds("after what failed", Resumed, BeforePrompt(thirdPrompt)),
		Holds("and nothing of it goes back", Resumed, BeforePrompt(`asks
			prompt 1
			calls oslo
			result oslo
			assistant: It is 4 C in Oslo.
			prompt 3
		completed`)),
		Holds("an error at the last prompt, which a loop has forgotten that keeps the newest messages", failsTwice, `
			asks
			asks on
				prompt 2
			runs lima
			asks
				calls lima
				result lima
			failed: 429`),
		Holds("after a call that broke off", ResumedBehindCut, BeforePrompt("asks on\nprompt 3\ncompleted")),
		SeesNothing("the user did not go on", OneCity, OneCityDone),
		SeesNothing("no tool was used", Resumed, "asks\nasks\nasks\nprompt 2\nasks\nprompt 3\ncompleted"),
		SeesNothing("it ended before", Resumed, "asks\nfailed: 500"),
		SeesNothing("completed is for prompts-sent", Resumed, BeforePrompt("completed: It is 4 C in Oslo.")),
		Breaks("it ends with the failure", Resumed, BeforePrompt("failed: 429"),
			Found(3, "", "the conversation ended at a prompt without an answer, although the user went on", `a request with "And in Rome?"`, `the loop reported failed: "429" after 3 requests`)),
	},
}
