package sessions_test

import (
	"testing"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/rules/sessions"
)

func TestRules(t *testing.T) {
	CheckRules(t, sessions.Rules, coreCases)
}
