package report_test

import (
	"testing"

	"github.com/loopproof/loopproof/report"
)

func TestCacheInASentence(t *testing.T) {
	for want, c := range map[string]*report.Cache{
		"": {Conversations: 5},
		"the cached prefix is lost in 2 of 5 conversations, from request 2 on; there 97 % of what was sent before is paid in full again (history/tools-stay)": {Conversations: 5, Broken: 2, Bytes: 1000, Lost: 975, From: 2, Rule: "history/tools-stay"},
		"the cached prefix is lost in 1 of 1 conversation, from request 9 on; there less than 1 % of what was sent before is paid in full again":              {Conversations: 1, Broken: 1, Bytes: 1000, Lost: 9, From: 9},
	} {
		if got := c.String(); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	if got := (*report.Cache)(nil).String(); got != "" {
		t.Errorf("no conversation says %q", got)
	}
}

// The whole has the example of the first case, whatever the order of the shards.
func TestMergedCaches(t *testing.T) {
	example := func(id string) *report.CacheExample { return &report.CacheExample{Case: id} }
	a, b, c := shard(1, 3), shard(2, 3), shard(3, 3)
	a.Cases, a.Shard.Places = []report.Case{{ID: "late"}}, []int{1}
	b.Cases, b.Shard.Places = []report.Case{{ID: "early"}}, []int{0}
	a.Cache = &report.Cache{Conversations: 3, Broken: 1, Bytes: 100, Lost: 50, From: 3, Rule: "history/only-grows", Example: example("late")}
	b.Cache = &report.Cache{Conversations: 2, Broken: 1, Bytes: 10, Lost: 5, From: 2, Rule: "history/tools-stay", Example: example("early")}
	whole, err := report.Merge(a, b, c)
	if err != nil {
		t.Fatal(err)
	}
	got := *whole.Cache
	if got.Example == nil || got.Example.Case != "early" {
		t.Errorf("the example is %+v", got.Example)
	}
	got.Example = nil
	if want := (report.Cache{Conversations: 5, Broken: 2, Bytes: 110, Lost: 55, From: 2, Rule: "history/tools-stay"}); got != want {
		t.Errorf("the whole says %+v, want %+v", got, want)
	}
}
