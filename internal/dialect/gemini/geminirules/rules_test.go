package geminirules_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/gemini/geminirules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) { CheckRules(t, geminirules.Rules, geminiCases) }
