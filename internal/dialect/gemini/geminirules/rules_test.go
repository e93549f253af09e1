package geminirules_test

import (
	"maps"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/dialect/gemini/geminirules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	all := Cases{}
	for _, cases := range []Cases{geminiCases, endingCases, answerCases, retryCases, configCases, modelCases} {
		maps.Copy(all, cases)
	}
	CheckRules(t, WithoutForm(geminirules.Rules(), gemini.Form()), all)
}
