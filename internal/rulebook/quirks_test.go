package rulebook_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
)

// TestRulesAboutQuirks: each quirk belongs to a rule, and a scenario with quirks lists the rules
// about them and others that look at single requests.
func TestRulesAboutQuirks(t *testing.T) {
	owners := map[string]string{}
	for _, rule := range rulebook.Book() {
		for _, q := range rule.Quirks {
			if _, known := profiles.QuirkNamed(profiles.All(), q.Name); !known {
				t.Errorf("%s is about the quirk %s, which does not exist", rule.ID, q.Name)
			}
			if owners[q.Name] != "" {
				t.Errorf("%s and %s are both about the quirk %s", owners[q.Name], rule.ID, q.Name)
			}
			owners[q.Name] = rule.ID
		}
	}
	asked := map[string]bool{}
	all, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for _, name := range s.Facts().Quirks {
			asked[name] = true
			if !rules.ContainsText(fmt.Sprint(s.Rules), owners[name]) {
				t.Errorf("%s asks for the quirk %s and does not list the rule %s", s.ID, name, owners[name])
			}
		}
	}
	for _, d := range dialect.All() {
		for _, q := range d.AllQuirks() {
			shows := func(p *profiles.Profile) bool { _, shown := p.Quirk(q.Name); return p.Speaks == d && shown }
			if !slices.ContainsFunc(profiles.All(), shows) {
				t.Errorf("no profile of the dialect %s shows the quirk %s", d.Name, q.Name)
			}
		}
	}
	for _, q := range profiles.AllQuirks(profiles.All()) {
		if owners[q.Name] == "" {
			t.Errorf("no rule is about the quirk %s", q.Name)
		}
		if !asked[q.Name] {
			t.Errorf("no scenario asks for the quirk %s", q.Name)
		}
	}
}
