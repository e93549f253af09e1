package arguments_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/arguments"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, arguments.Rules, coreCases)
}
