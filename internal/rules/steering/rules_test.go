package steering_test

import (
	"testing"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/rules/steering"
)

func TestRules(t *testing.T) {
	CheckRules(t, steering.Rules, coreCases)
}
