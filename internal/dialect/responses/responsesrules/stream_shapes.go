package responsesrules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// responsesShapes are the rules of the area stream about keys that servers leave out of their
// items.
var responsesShapes = []rules.Rule{
	{
		ID:       "stream/annotations-missing",
		Level:    trace.Should,
		Text:     "A text without a list of annotations is a text.",
		Why:      "Compatible servers leave the list out where it would be empty; a loop that requires it loses the answer.",
		Quirks:   []rules.Quirk{{Name: "annotations-missing", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a text without annotations",
		Sources: []rules.Source{
			{URL: "https://github.com/anomalyco/opencode/pull/29482", Says: "endpoints that omit output_text.annotations, and a parser that required them"},
			{URL: "https://github.com/suhaibbinyounis/github-copilot-api-vscode/issues/32", Says: "the missing list ended the run of a client"},
		},
	},
	{
		ID:       "stream/item-status-missing",
		Level:    trace.Should,
		Text:     "An item that ends without a status is complete.",
		Why:      "Translating gateways leave it out; a loop that looks for the word completed runs no call.",
		Quirks:   []rules.Quirk{{Name: "item-status-missing", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after items without a status",
		Sources: []rules.Source{
			{URL: "https://github.com/Menci/Floway/pull/315", Says: "translated items without a status, which strict clients rejected"},
		},
	},
	{
		ID:       "stream/usage-bare",
		Level:    trace.Should,
		Text:     "Token counts without their details are read.",
		Why:      "Local servers count no cached and no reasoning tokens, and leave the details out.",
		Quirks:   []rules.Quirk{{Name: "usage-bare", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after counts without details",
		Sources: []rules.Source{
			{URL: "https://github.com/exo-explore/exo/pull/1885", Says: "a server whose usage had no input_tokens_details"},
			{URL: "https://github.com/jundot/omlx/pull/1008", Says: "the same, and a client that broke on it"},
		},
	},
}
