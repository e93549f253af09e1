package scenarios_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/strictyaml"
)

// TestWrite: what is written of a scenario is read again as the same scenario.
func TestWrite(t *testing.T) {
	all, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if !s.Prompted() {
			continue
		}
		written := *s
		if written.Prompt != "" {
			written.Prompts = nil
		}
		text, err := strictyaml.Write(&written)
		if err != nil {
			t.Errorf("%s: %v", s.ID, err)
			continue
		}
		again, err := scenarios.Parse(s.ID+".yaml", text, rulebook.Vocabulary(profiles.Known{}))
		if err != nil {
			t.Errorf("%s: %v\n%s", s.ID, err, text)
			continue
		}
		ignored := cmpopts.IgnoreFields(scenarios.Scenario{}, "Why")
		if diff := cmp.Diff(s, again, ignored, cmpopts.IgnoreUnexported(scenarios.Scenario{}, scenarios.Step{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s is another one when it is written and read again:\n%s\n%s", s.ID, diff, text)
		}
	}
}
