package suite

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/report"
)

// timeless are the parts of a report that are of one run alone.
var timeless = cmp.Options{
	cmpopts.IgnoreFields(report.Report{}, "Started", "DurationMS"),
	cmpopts.IgnoreFields(report.Case{}, "DurationMS", "Trace"),
	cmpopts.EquateEmpty(),
}

// The reports of all shards make that of the whole run, whatever the loop does.
func TestShardsMakeTheWhole(t *testing.T) {
	asksOnce := LoopFunc(func(ctx context.Context, task Task) (Outcome, error) {
		post(ctx, task, firstRequest(task))
		return Outcome{Status: Completed, Text: "Done."}, nil
	})
	for name, c := range map[string]Config{
		"many scenarios at a glance": {Scenarios: []string{"{arguments,outcome}/*"}, Quick: true},
		"one area in full":           {Scenarios: []string{"pairing/*"}, Profiles: []string{"openai", "mistral", "anthropic"}},
		"a loop that breaks rules":   {Loop: asksOnce, Scenarios: []string{"{pairing,finish}/*"}, Profiles: []string{"openai", "mistral"}, Strict: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := withLoop(c)
			c.Seed = 7
			whole := play(t, c)
			var parts []*report.Report
			for i := range 3 {
				c.Shard = Shard{Index: i + 1, Of: 3}
				parts = append(parts, play(t, c))
			}
			merged, err := report.Merge(parts[2], parts[0], parts[1])
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(whole, merged, timeless); diff != "" {
				t.Errorf("the merged report is another one than that of the whole run: %s", diff)
			}
			if n := len(whole.Cases) / 6; len(parts[0].Cases) < n || len(parts[2].Cases) < n {
				t.Errorf("the shards have %d, %d and %d cases, which is no even split", len(parts[0].Cases), len(parts[1].Cases), len(parts[2].Cases))
			}
		})
	}
}

// withLoop returns a config for a loop that claims everything: the reference loop, unless there is one.
func withLoop(c Config) Config {
	if c.Loop == nil {
		c.Loop = LoopFunc(reference)
	}
	c.ClaimedDialects, c.Features, c.ClaimedProfiles = profiles.Dialects(), referenceClaims, []string{"**"}
	return c
}

func play(t *testing.T, c Config) *report.Report {
	t.Helper()
	r, err := Play(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWrongShards(t *testing.T) {
	for _, s := range []Shard{{Index: 0, Of: 2}, {Index: 3, Of: 2}, {Index: 1, Of: -1}} {
		c := withLoop(Config{Shard: s})
		if _, err := Play(context.Background(), c); err == nil || !strings.Contains(err.Error(), "there is no shard") {
			t.Errorf("the shard %+v gives %v", s, err)
		}
	}
	c := withLoop(Config{Scenarios: []string{"pairing/single-call"}, Shard: Shard{Index: 2, Of: 2}})
	if _, err := Play(context.Background(), c); err == nil || !strings.Contains(err.Error(), "has no cases, as there are more shards than scenarios (1)") {
		t.Errorf("a shard without cases gives %v", err)
	}
}
