package scenarios_test

import (
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// readEmbedded reads and checks every scenario of Loopproof, those of quirks among them.
var readEmbedded = sync.OnceValues(func() ([]*scenarios.Scenario, error) {
	if err := catalog.CheckScenarios(); err != nil {
		return nil, err
	}
	return catalog.Scenarios(nil, profiles.Known{})
})

func embedded(t *testing.T) []*scenarios.Scenario {
	t.Helper()
	all, err := readEmbedded()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEmbeddedScenarios(t *testing.T) {
	areas := map[string]bool{}
	for _, id := range rulebook.IDs() {
		areas[rulebook.Lookup(id).Area()] = true
	}
	titles, ids := map[string]string{}, map[string]bool{}
	for _, s := range embedded(t) {
		if ids[s.ID] {
			t.Errorf("there are two scenarios %s", s.ID)
		}
		ids[s.ID] = true
		if !strings.HasSuffix(s.Why, ".") {
			t.Errorf("%s does not begin with a comment that says why it exists, in whole sentences: %q", s.ID, s.Why)
		}
		if area, _, _ := strings.Cut(s.ID, "/"); !areas[area] {
			t.Errorf("%s is in a folder that is no area of the rulebook", s.ID)
		}
		if other, taken := titles[s.Title]; taken {
			t.Errorf("%s and %s have the same title", s.ID, other)
		}
		titles[s.Title] = s.ID
	}
}

func TestEveryEmbeddedFileIsLoaded(t *testing.T) {
	files, err := fs.Glob(scenarios.Files(), "*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all, err := scenarios.Load(scenarios.Files(), rulebook.NamesOnly(profiles.Known{}))
	if err != nil || len(all) != len(files) || len(all) < 45 {
		t.Errorf("%d scenarios are loaded from %d files, want all of them and at least 45: %v", len(all), len(files), err)
	}
}

// Whatever is embedded can be played under some profile, and its calls have ids of their own.
func TestEmbeddedScenariosCompile(t *testing.T) {
	for _, s := range embedded(t) {
		played := 0
		for _, p := range profiles.All() {
			if s.Plays(p) {
				played++
				checkIDs(t, s, p)
			}
		}
		if played == 0 {
			t.Errorf("no profile can play %s", s.ID)
		}
	}
}

func checkIDs(t *testing.T, s *scenarios.Scenario, p *profiles.Profile) {
	t.Helper()
	owner := map[string]string{}
	for _, turn := range scenarios.Compile(s, p, "secret").Turns {
		for n := range turn.Step.Calls {
			call, made := turn.Step.Calls[n], turn.Answer.Calls[n]
			if other, taken := owner[made.ID]; taken && made.ID != "" && call.SameIDAs == "" && other != call.As {
				t.Errorf("%s under %s: the calls %s and %s have the id %s", s.ID, p.Name, other, call.As, made.ID)
			}
			owner[made.ID] = call.As
		}
	}
}
