package retry_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/retry"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, retry.Rules, coreCases, waitCases, whichCases)
}
