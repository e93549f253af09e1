package egress_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/egress"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, egress.Rules, blockKeyCases, parameterTypeCases, parameterValueCases, valueFormCases, requestCases, coreCases, unicodeCases, keyCases, toolCases, schemaCases)
}
