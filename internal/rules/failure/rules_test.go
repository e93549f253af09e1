package failure_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/failure"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, failure.Rules, bodyCases, connectionCases, coreCases, damagedCases, placeCases, resumedCases)
}
