package cancel_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/cancel"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, cancel.Rules, coreCases)
}
