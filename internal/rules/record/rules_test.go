package record_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/record"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, record.Rules, eventCases, timeCases, openAgentLoopCases, resultCases, coreCases, turnCases, aguiCases, otelCases)
}
