package approvals_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/approvals"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, approvals.Rules, coreCases)
}
