package egress

import (
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const valueFormsID = "egress/value-forms"

// valueFormRules is the rule of the area egress about forms of requests that no rule of their
// own is about.
var valueFormRules = []rules.Rule{
	{
		ID:        valueFormsID,
		Level:     trace.Should,
		Text:      "Tools of the provider, parts with media and nested options have the form that the provider's reference gives them: the keys that they need, their types, words and lengths.",
		Why:       "The provider refuses another one: a file_search without vector_store_ids, a web search of an unknown size, five stop sequences.",
		Where:     hasValueForms,
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-openapi", Says: "the schemas of tools, parts and options of OpenAI"},
			{URL: rules.MessagesTypes, Says: "the types of blocks, tools and options of Anthropic"},
			{URL: "https://github.com/continuedev/continue/issues/1572", Says: "the 400 of OpenAI for more than four stop sequences"},
			{URL: "https://github.com/mcp-use/mcp-use/issues/90", Says: "the 400 of OpenAI for the name of a function in the history"},
			{URL: "https://github.com/ProjectTech4DevAI/kaapi-backend/issues/317", Says: "the 400 of OpenAI for a previous_response_id that is none"},
		},
		Vars:    rules.FormVars,
		Request: valueForms,
	},
}

func hasValueForms(d *wire.Dialect) bool {
	return d.Form != nil && len(d.Form().Breaks(valueFormsID)) > 0
}

// valueForms finds what a provider refuses. A provider that is not known to refuse such values has
// forms of its own, and takes them all.
func valueForms(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	if _, refuses := p.Refusal(valueFormsID); !refuses {
		return j
	}
	j.FindBreaches(valueFormsID, p, req, nil, nil)
	return j
}
