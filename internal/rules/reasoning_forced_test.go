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
	"reasoning/thinking-form": {
		holds("adaptive", thoughtful.under("anthropic-5.5"), `
			asks with {"thinking":{"type":"adaptive"}}
			runs oslo
			asks on with {"thinking":{"type":"adaptive"}}
				{{message 1}}
				results oslo
			completed`),
		seesNothing("a generation that takes both", thoughtful, oneCityDone),
		seesNothing("no thinking", thoughtful.under("anthropic-5.5"), `
			asks without thinking
			runs oslo
			asks on without thinking
				`+calledOslo+`
				results oslo
			completed`),
		breaks("a budget for the newest", thoughtful.under("anthropic-5.5"), `asks with {"thinking":{"type":"enabled","budget_tokens":2000}}`,
			finding{1, "/thinking", "thinking is asked for in a form that models of this generation do not take", "thinking of the type adaptive or disabled", `{"type":"enabled","budget_tokens":2000}`}),
		breaks("adaptive for an old one", thoughtful.under("anthropic-4.5"), `asks with {"thinking":{"type":"adaptive"}}`,
			finding{1, "/thinking", "thinking is asked for in a form that models of this generation do not take", "thinking of the type enabled or disabled", `{"type":"adaptive"}`}),
	},
}
