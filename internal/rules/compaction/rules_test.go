package compaction_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/compaction"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, compaction.Rules, coreCases, providerCases)
}
