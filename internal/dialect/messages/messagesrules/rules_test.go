package messagesrules_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/dialect/messages/messagesrules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, WithoutForm(messagesrules.Rules(), messages.Form()), egressBlocksFormCases, egressHeaderCases, historyThreadCases, pairingBlockCases, egressBlockCases, executionFlagCases, historyContainerCases, historyBlockCases, finishPauseCases, reasoningThinkingCases, streamEventCases, finishWordCases, reasoningForcedCases, egressLimitCases, egressModelCases, egressDeferredCases, programCases, pairingServerToolCases)
}
