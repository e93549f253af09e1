package limits_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/limits"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, limits.Rules, coreCases, budgetCases)
}
