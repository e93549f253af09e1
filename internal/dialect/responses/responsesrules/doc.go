// Package responsesrules holds the rules that are about the dialect responses alone, in files named
// after their areas.
package responsesrules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/rules"
)

// Rules returns the rules of this dialect, area by area.
func Rules() []rules.Rule {
	return rules.Only(responses.API, slices.Concat(formRules(), egressItems, egressDeferred, responsesRequest, responsesModel, historyKept, historyItems, commentary, approvals, customTools, reasoningParts, argumentsWhenDone, responsesStream, responsesEnds, responsesShapes, responsesIncomplete, responsesFailed))
}
