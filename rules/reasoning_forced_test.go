package rules

var reasoningForcedCases = ruleCases{
	"reasoning/no-forced-tools": {
		holds("free to choose", thoughtful, oneCityDone),
		seesNothing("no thinking", thoughtful, `
			asks without thinking
			runs oslo
			asks on without thinking
				`+calledOslo+`
				results oslo
			completed`),
		breaks("forced", thoughtful, `asks with {"thinking":{"type":"enabled","budget_tokens":2000},"tool_choice":{"type":"any"}}`,
			finding{1, "/tool_choice", "a tool is forced while the model thinks", "auto, none, or no tool_choice", `{"type":"any"}`}),
	},
	"reasoning/budget-fits": {
		holds("no budget needed", thoughtful, oneCityDone),
		seesNothing("no thinking", thoughtful, `
			asks without thinking
			runs oslo
			asks on without thinking
				`+calledOslo+`
				results oslo
			completed`),
		breaks("too small", thoughtful, `asks with {"thinking":{"type":"enabled","budget_tokens":1000}}`,
			finding{1, "/thinking/budget_tokens", "the budget for thinking is too small", "at least 1024", "1000"}),
		breaks("none", thoughtful, `asks with {"thinking":{"type":"enabled"}}`,
			finding{1, "/thinking/budget_tokens", "the budget for thinking is too small", "at least 1024", "nothing"}),
	},
}
