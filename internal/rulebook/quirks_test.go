package rulebook_test

import (
	"fmt"
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// TestRulesAboutQuirks: each quirk belongs to a rule, and a scenario with quirks lists the rules
// about them and others that look at single requests.
func TestRulesAboutQuirks(t *testing.T) {
	owners := map[string]string{}
	for _, rule := range rulebook.Book() {
		for _, name := range rule.Quirks {
			if _, known := profiles.QuirkNamed(profiles.All(), name); !known {
				t.Errorf("%s is about the quirk %s, which does not exist", rule.ID, name)
			}
			if owners[name] != "" {
				t.Errorf("%s and %s are both about the quirk %s", owners[name], rule.ID, name)
			}
			owners[name] = rule.ID
		}
	}
	asked := map[string]bool{}
	all, err := scenarios.Load(scenarios.Files(), rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for _, name := range s.Quirks() {
			asked[name] = true
			if !rules.ContainsText(fmt.Sprint(s.Rules), owners[name]) {
				t.Errorf("%s asks for the quirk %s and does not list the rule %s", s.ID, name, owners[name])
			}
		}
	}
	for _, q := range profiles.AllQuirks(profiles.All()) {
		if owners[q.Name] == "" {
			t.Errorf("no rule is about the quirk %s", q.Name)
		}
		if len(profiles.Quirks(profiles.All())[q.Name]) == 0 {
			t.Errorf("no profile shows the quirk %s", q.Name)
		}
		if !asked[q.Name] {
			t.Errorf("no scenario asks for the quirk %s", q.Name)
		}
	}
}
