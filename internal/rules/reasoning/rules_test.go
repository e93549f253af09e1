package reasoning_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/reasoning"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, reasoning.Rules, detailCases, placeCases, providerCases, coreCases, signatureCases)
}
