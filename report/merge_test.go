package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/report"
)

func shard(index, of int) *report.Report {
	return &report.Report{
		Schema: report.Schema, Version: "0.1.0", Seed: 1, Loop: report.Loop{Name: "mine"},
		Shard: &report.Shard{Index: index, Of: of, RulePlaces: []int{0}},
	}
}

func TestReportsThatAreNotTheShardsOfOneRun(t *testing.T) {
	seeded, named, whole := shard(2, 2), shard(2, 2), shard(2, 2)
	seeded.Seed, named.Loop.Name, whole.Shard = 2, "yours", nil
	for want, parts := range map[string][]*report.Report{
		"no reports to merge":                              {},
		"shard 2/3 is missing\nshard 3/3 is missing":       {shard(1, 3)},
		"shard 1/2 occurs twice\nshard 2/2 is missing":     {shard(1, 2), shard(1, 2)},
		"shard 2/3 has the number of shards 3":             {shard(1, 2), shard(2, 3)},
		"shard 2/2 has the seed 2, and shard 1/2 has 1":    {shard(1, 2), seeded},
		"shard 2/2 has the loop yours, and shard 1/2 has ": {shard(1, 2), named},
		"report 2 is not of a shard":                       {shard(1, 2), whole},
	} {
		if _, err := report.Merge(parts...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}

// The whole has what its shards have: the strongest verdict, the sum of the cases, the time of the
// slowest.
func TestMergedVerdicts(t *testing.T) {
	const id = "pairing/every-call-answered"
	for _, c := range []struct {
		a, b   report.Verdict
		want   report.Verdict
		result report.Result
	}{
		{report.Passed, report.Failed, report.Failed, report.NotConformant},
		{report.Passed, report.Untested, report.Passed, report.Conformant},
		{report.Untested, report.Unclaimed, report.Untested, report.NotConformant},
		{report.Unclaimed, report.Unclaimed, report.Unclaimed, report.Conformant},
	} {
		a, b := shard(1, 2), shard(2, 2)
		a.Rules = []report.Rule{{ID: id, Level: report.Must, Verdict: c.a, Cases: 2}}
		b.Rules = []report.Rule{{ID: id, Level: report.Must, Verdict: c.b, Cases: 3}}
		a.Started, b.Started = time.Unix(9, 0), time.Unix(5, 0)
		a.DurationMS, b.DurationMS = 10, 20
		whole, err := report.Merge(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if got := whole.Rules[0]; got.Verdict != c.want || got.Cases != 5 || whole.Result != c.result {
			t.Errorf("%s and %s give %+v and the result %s, want %s and %s", c.a, c.b, got, whole.Result, c.want, c.result)
		}
		if !whole.Started.Equal(b.Started) || whole.DurationMS != 20 || whole.Shard != nil {
			t.Errorf("the whole began at %v and took %d ms", whole.Started, whole.DurationMS)
		}
	}
	stopped, filtered := shard(1, 1), shard(1, 1)
	stopped.Stopped, filtered.Shard.Filtered = "the loop hung", true
	if whole, err := report.Merge(stopped); err != nil || whole.Result != report.NotConformant || whole.Stopped != "in shard 1/1 the loop hung" {
		t.Errorf("a shard that stopped makes %+v (%v)", whole, err)
	}
	if whole, err := report.Merge(filtered); err != nil || whole.Result != report.Partial {
		t.Errorf("shards of a selection make %+v (%v)", whole, err)
	}
}
