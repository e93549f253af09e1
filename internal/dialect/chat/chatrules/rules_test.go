package chatrules_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat/chatrules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, chatrules.Rules, egressMessageCases, egressRequestCases, egressOptionCases, egresCases, egressToolCases, pairingCases, reasoningCases)
}
