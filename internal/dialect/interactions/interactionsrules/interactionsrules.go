// Package interactionsrules holds the rules that are about the dialect interactions alone, and says
// which of other APIs are about it, too.
package interactionsrules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/interactions"
	"github.com/loopproof/loopproof/internal/rules"
)

// Rules returns the rules of this dialect.
func Rules() []rules.Rule {
	return rules.Only(interactions.API, slices.Concat(rules.FromForm(interactions.Form(), nil), ofOthers))
}

const (
	overview = "https://ai.google.dev/gemini-api/docs/interactions"
	types    = "https://github.com/googleapis/python-genai/tree/v3.6.1/google/genai/_gaos/types/interactions"
)

// ofOthers are rules of Responses and of Messages that hold here, too, as they are described there.
var ofOthers = []rules.Rule{
	{ID: "history/only-what-is-new", Sources: []rules.Source{{URL: overview, Says: "previous_interaction_id: the history is kept, and not sent again"}}},
	{ID: "history/tools-with-each-request", Sources: []rules.Source{{URL: overview, Says: "tools, system_instruction and generation_config are of one interaction, and are said again"}}},
	{ID: "history/named-response-is-stored", Sources: []rules.Source{{URL: overview, Says: "store: false: no later request can name the interaction"}}},
	{ID: "execution/failure-is-flagged", Sources: []rules.Source{{URL: types, Says: "FunctionResultStep: is_error"}}},
	{ID: "execution/success-is-not-flagged", Sources: []rules.Source{{URL: types, Says: "FunctionResultStep: is_error"}}},
}
