package models_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rules/models"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	CheckRules(t, models.Rules, coreCases)
}
