package messagesrules_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/messages/messagesrules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, messagesrules.Rules, egressBlockKeyCases, egressBlocksFormCases, egressHeaderCases, historyThreadCases, pairingBlockCases, egressBlockCases, executionFlagCases, historyContainerCases, historyBlockCases, finishPauseCases, reasoningThinkingCases, streamEventCases, finishWordCases, reasoningForcedCases, egressLimitCases, egressModelCases, egressDeferredCases, pairingServerToolCases)
}
