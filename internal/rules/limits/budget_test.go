package limits_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

var (
	// twoRoundsFor2000 may cost 2000 tokens; its second answer spends them.
	twoRoundsFor2000 = Scene(WeatherTool + `
needs: [token-budget]
token-budget: 2000
prompt: Compare the weather in Oslo and Lima.
model:
  - {calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}], usage: {input: 700, output: 100}}
  - {calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}], usage: {input: 1200, output: 100}}
  - {text: Lima is warmer., usage: {input: 1300, output: 100}}
`)
	// twoPromptsFor2000 may spend as much for each of two prompts.
	twoPromptsFor2000 = Scene(WeatherTool + `
needs: [token-budget, multi-prompt, resume-after-failure]
token-budget: 2000
prompts: [What is the weather in Oslo?, And in Lima?]
model:
  - {calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}], usage: {input: 2000, output: 100}}
  - {calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}], usage: {input: 700, output: 100}}
  - {text: It is 19 C in Lima., usage: {input: 700, output: 100}}
`)
)

const (
	spentAll = `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			`
	asksPastIt = spentAll + `runs lima
			asks on`
)

var budgetCases = Cases{
	"limits/budget-respected": {
		Holds("stopped when it was spent", twoRoundsFor2000, spentAll+"stopped: the budget is spent"),
		Holds("stopped before the tools", twoRoundsFor2000, spentAll+"failed: the budget is spent"),
		SeesNothing("no budget", OneCity, OneCityDone),
		SeesNothing("stopped at less than half of it", twoRoundsFor2000, `
			asks
			failed: no idea`),
		Breaks("asked once more", twoRoundsFor2000, asksPastIt+`
				calls lima
				result lima
			completed`,
			Found(3, "", "the loop asks the model although its budget is spent", "no request after 2000 tokens", "a request after 2100 tokens")),
		Breaks("a last word", twoRoundsFor2000, asksPastIt+` without tools
				calls lima
				result lima
			completed`,
			Found(3, "", "the loop asks the model although its budget is spent", "no request after 2000 tokens", "a request after 2100 tokens").Only(trace.Should)),
		Holds("another budget for the next prompt", twoPromptsFor2000, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
				user: And in Lima?
			runs lima
			asks on
				calls lima
				result lima
			completed`),
	},
	"limits/budget-is-told": {
		Holds("stopped", twoRoundsFor2000, spentAll+"stopped: the budget is spent"),
		Holds("failed", twoRoundsFor2000, spentAll+"failed: the budget is spent"),
		SeesNothing("the budget was enough", twoRoundsFor2000, `
			asks
			stopped: no idea`),
		Breaks("completed", twoRoundsFor2000, spentAll+"completed: It is 4 C in Oslo.",
			Found(2, "", "a run that ended since its budget was spent was reported as completed", "status stopped or failed", `status completed with the text "It is 4 C in Oslo."`)),
	},
	"limits/budget-usable": {
		Holds("stopped when it was spent", twoRoundsFor2000, spentAll+"stopped: the budget is spent"),
		SeesNothing("no budget", OneCity, OneCityDone),
		Breaks("stopped at less than half of it", Scene(WeatherTool+`
needs: [token-budget]
token-budget: 9000
prompt: Compare the weather in Oslo and Lima.
model:
  - {calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}], usage: {input: 700, output: 100}}
  - {calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}], usage: {input: 1200, output: 100}}
  - {text: Lima is warmer., usage: {input: 1300, output: 100}}
`), spentAll+"stopped: the budget is spent",
			Found(2, "", "the loop ended although less than half of its budget was spent", "another request", "the loop reported stopped (reason: the budget is spent) after 2100 of 9000 tokens")),
	},
}
