package pairing_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/pairing"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, pairing.Rules, idCases, coreCases)
}
