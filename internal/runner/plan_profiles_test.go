package runner

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/protocol"
)

// TestEveryProfilePlaysWhatItWants: however few scenarios a profile plays, those that list what it
// refuses and what it wants of reasoning are among them.
func TestEveryProfilePlaysWhatItWants(t *testing.T) {
	plan, err := Overview(Config{})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string][]string{} // by profile
	for _, c := range plan.Cases {
		listed[c.Profile] = append(listed[c.Profile], plan.listed(c)...)
	}
	for _, p := range profiles.All() {
		if len(listed[p.Name]) == 0 {
			t.Errorf("nothing is played under %s", p.Name)
		}
		if p.QuirksOnly || p.ByNameOnly {
			continue // all else is played under the profile that it is like
		}
		for _, id := range wanted(p) {
			if !slices.Contains(listed[p.Name], id) && !rulebook.Lookup(id).Invariant {
				t.Errorf("no scenario that lists %s is played under %s", id, p.Name)
			}
		}
		for _, id := range wantedOfReasoning(p) {
			if !slices.Contains(listed[p.Name], id) {
				t.Errorf("no scenario that lists %s is played under %s", id, p.Name)
			}
		}
	}
}

// wanted are the rules whose violation a profile is known to refuse today.
func wanted(p *profiles.Profile) []string {
	var ids []string
	for _, r := range p.Refuses {
		if r.KnownBy.Strong() && r.Until == "" {
			ids = append(ids, r.Rule)
		}
	}
	return ids
}

// wantedOfReasoning are the rules by which the policy of a profile is judged.
func wantedOfReasoning(p *profiles.Profile) []string {
	var ids []string
	if p.Dialect != "chat" {
		return nil
	}
	if p.Reasoning.Resend.OnToolTurns() {
		ids = append(ids, "reasoning/resent-on-tool-turns")
	}
	if p.Reasoning.EvenIfEmpty {
		ids = append(ids, "reasoning/empty-resent")
	}
	if p.Reasoning.Resend == profiles.ResendAllTurns {
		ids = append(ids, "reasoning/resent-on-all-turns")
	}
	if p.Reasoning.Resend == profiles.ResendNever {
		ids = append(ids, "reasoning/withheld")
	}
	if p.Traits.ReasoningBlocks && p.Traits.ReasoningField != "" {
		ids = append(ids, "reasoning/details-come-back")
	}
	if len(p.Traits.CallSignature) > 0 {
		ids = append(ids, "reasoning/call-signature-returned")
	}
	return ids
}

// TestCloudsAreClaimed: a loop needs the client of a cloud to be played behind its door.
func TestCloudsAreClaimed(t *testing.T) {
	const cloud = "anthropic-vertex"
	for _, c := range []struct {
		claimed, selected []string
		played            bool
	}{
		{nil, nil, false},
		{nil, []string{cloud}, true},
		{[]string{cloud}, nil, true},
		{[]string{"anthropic*"}, nil, true},
		{[]string{"**"}, nil, true},
		{[]string{"anthropic"}, nil, false},
	} {
		hello := protocol.Hello{Dialects: []string{"messages"}, Profiles: c.claimed}
		got := slices.Contains(profiles.Names(claimedOf(profiles.All(), hello, c.selected)), cloud)
		if got != c.played {
			t.Errorf("claims %v, selected %v: %s is played: %t", c.claimed, c.selected, cloud, got)
		}
	}
}
