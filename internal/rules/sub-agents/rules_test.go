package subagents_test

import (
	"testing"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/rules/sub-agents"
)

func TestRules(t *testing.T) {
	CheckRules(t, subagents.Rules, coreCases)
}
