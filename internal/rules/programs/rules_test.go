package programs_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/programs"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, programs.Rules, coreCases)
}
