package execution_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/execution"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, execution.Rules, orderCases, resultCases, badCallCases, coreCases, wrongRunCases, callCases, pollingCases, digitCases, blockCases)
}
