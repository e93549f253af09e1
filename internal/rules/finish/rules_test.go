package finish_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/finish"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, finish.Rules, coreCases, restCases, wordCases)
}
