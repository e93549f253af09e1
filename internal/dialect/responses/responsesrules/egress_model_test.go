package responsesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var responsesModelCases = Cases{
	"egress/model-takes-options": {
		Holds("another model", OneCity.Under("openai-responses"), Asking(`"temperature":0.2,"reasoning":{"effort":"minimal"}`)),
		Holds("what a model that thinks takes", OneCity.Under("openai-responses"), Asking(`"model":"gpt-5","temperature":1,"reasoning":{"effort":"minimal","summary":"auto"},"include":["reasoning.encrypted_content"],"text":{"verbosity":"low"}`)),
		Holds("what another takes", OneCity.Under("openai-responses"), Asking(`"model":"gpt-4o-mini-2024-07-18","temperature":0.2,"reasoning":{"effort":null},"text":{"verbosity":"medium"},"include":["message.output_text.logprobs"]`)),
		Holds("a newer one may take a temperature", OneCity.Under("openai-responses"), Asking(`"model":"gpt-5.2","temperature":0.2,"reasoning":{"effort":"xhigh"}`)),
		SeesNothing("no tool was used", NoTools.Under("openai-responses"), NoToolsDone),
		Breaks("reasoning for a model that does not think", OneCity.Under("openai-responses"), Asking(`"model":"openai/gpt-4.1","reasoning":{"effort":"low"},"include":["reasoning.encrypted_content"],"text":{"verbosity":"low"}`),
			Found(2, "/reasoning/effort", "the model gpt-4.1 does not take this effort", "no such key", `"low"`),
			Found(2, "/include/0", "the model gpt-4.1 has no reasoning to include", "no such word", `"reasoning.encrypted_content"`),
			Found(2, "/text/verbosity", "the model gpt-4.1 does not take this verbosity", "medium", `"low"`)),
		Breaks("an effort of another model, and a temperature", OneCity.Under("openai-responses"), Asking(`"model":"o3","temperature":0.2,"reasoning":{"effort":"minimal"}`),
			Found(2, "/temperature", "the model o3 does not take this temperature", "1, or no such key", "0.2"),
			Found(2, "/reasoning/effort", "the model o3 does not take this effort", "one of low, medium, high", `"minimal"`)),
	},
}
