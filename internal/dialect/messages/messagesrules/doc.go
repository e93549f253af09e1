// Package messagesrules holds the rules that are about the dialect messages alone, in files named
// after their areas.
package messagesrules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/rules"
)

// Rules returns the rules of this dialect, area by area.
func Rules() []rules.Rule {
	return rules.Only(messages.API, slices.Concat(
		pairingBlockRules,
		pairingServerToolRules,
		historyBlockRules,
		historyContainerRules,
		historyThreadRules,
		egressHeaderRules,
		egressCloudRules,
		egressSystemRules,
		egressBlockRules,
		egressBlocksFormRules,
		formRules(),
		egressLimitRules,
		egressModelRules,
		egressDocumentRules,
		egressDeferredRules,
		executionFlagRules,
		reasoningThinkingRules,
		reasoningForcedRules,
		streamEventRules,
		finishPauseRules,
		oddFinishRules,
		programRules,
	))
}
