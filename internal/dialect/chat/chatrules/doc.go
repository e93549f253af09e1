// Package chatrules holds the rules that are about the dialect chat alone, in files named after
// their areas.
package chatrules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/rules"
)

// Rules returns the rules of this dialect, area by area.
func Rules() []rules.Rule {
	return rules.Only(chat.API, slices.Concat(
		pairingIDFormRules,
		formRules(),
		egressToolRules,
		egressParameterRules,
		egressModelRules,
		egressMessageRules,
		egressDoorRules,
		egressArgumentRules,
		reasoningRules,
		reasoningPlainRules,
	))
}
