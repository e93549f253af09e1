package rulebook_test

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// TestBrokenIn: the scenarios in which a rule can be broken exist, and are not among those that
// give evidence for it.
func TestBrokenIn(t *testing.T) {
	all, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range rulebook.Book() {
		for _, id := range rule.BrokenIn {
			at := slices.IndexFunc(all, func(s *scenarios.Scenario) bool { return s.ID == id })
			if at < 0 {
				t.Errorf("%s: there is no scenario %s", rule.ID, id)
			} else if slices.Contains(all[at].Rules, rule.ID) {
				t.Errorf("%s: %s gives evidence, and is tested there", rule.ID, id)
			}
		}
	}
}
