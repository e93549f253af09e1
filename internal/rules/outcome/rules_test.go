package outcome_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/outcome"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, outcome.Rules, coreCases, ownFailureCases, usageCases, schemaCases)
}
