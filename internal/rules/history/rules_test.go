package history_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/history"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, history.Rules, keptCases, keyCases, addedCases, orderCases, promptCases, systemCases, coreCases, earlierCases, toolCases, schemaCases, turnCases, summaryCases)
}
