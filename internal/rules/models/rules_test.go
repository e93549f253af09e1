package models_test

import (
	"maps"
	"testing"

	"github.com/loopproof/loopproof/internal/rules/models"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

func TestRules(t *testing.T) {
	all := maps.Clone(coreCases)
	maps.Copy(all, apiCases)
	for id, cases := range overAPIs {
		all[id] = append(all[id], cases...)
	}
	CheckRules(t, models.Rules, all)
}
