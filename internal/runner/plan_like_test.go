package runner

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/loopproof/loopproof/protocol"
)

// planned returns the areas that are played under a profile to a loop with these claims.
func planned(t *testing.T, profile string, claimed ...string) []string {
	t.Helper()
	plan, err := newPlan(Config{}, protocol.Hello{Dialects: []string{"chat"}, Features: protocol.Features(), Profiles: claimed})
	if err != nil {
		t.Fatal(err)
	}
	var areas []string
	for _, c := range plan.Cases {
		if area := plan.scenarios[c.Scenario].Area(); c.Profile == profile && len(plan.scenarios[c.Scenario].Profiles) == 0 && !slices.Contains(areas, area) {
			areas = append(areas, area)
		}
	}
	slices.Sort(areas)
	return areas
}

// TestProfileLikeAnother: it plays where providers differ, and everything to a loop that claims no
// other.
func TestProfileLikeAnother(t *testing.T) {
	for _, c := range []struct {
		name    string
		claimed []string
		want    []string
	}{
		{"alongside others", nil, []string{"egress", "images", "pairing", "reasoning", "stream"}},
		{"alone", []string{"groq"}, planned(t, "openrouter", "openrouter")}, // which shows reasoning and sees images, too
	} {
		if got := planned(t, "groq", c.claimed...); !slices.Equal(got, c.want) {
			t.Errorf("%s groq plays the areas %q, want %q", c.name, got, c.want)
		}
	}
}

// TestQuickLookAtOneProfile plays each scenario once under a profile that is the primary one of
// none.
func TestQuickLookAtOneProfile(t *testing.T) {
	plan, err := Overview(Config{OwnProfiles: fstest.MapFS{"a-provider.yaml": {Data: []byte("loopproof: 1\ntitle: Acme\nlike: openai\n")}}, Select: Select{Profiles: []string{"a-provider"}, Quick: true}})
	if err != nil {
		t.Fatal(err)
	}
	deliveries := map[string]int{}
	for _, c := range plan.Cases {
		if c.Profile != "a-provider" {
			t.Errorf("%s is played", c.ID())
		}
		deliveries[c.Scenario]++
	}
	if len(deliveries) < 10 || deliveries["pairing/two-tools"] != 2 {
		t.Errorf("%d scenarios are played, and pairing/two-tools in %d deliveries, want many, and 2", len(deliveries), deliveries["pairing/two-tools"])
	}
	_, err = Overview(Config{Select: Select{Cases: []string{"pairing/two-tools@chat/openai/sse-bytes"}, Quick: true}})
	if err == nil || !strings.Contains(err.Error(), "play it without quick") {
		t.Errorf("a quick look at nothing: %v", err)
	}
}
