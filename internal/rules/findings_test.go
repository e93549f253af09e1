package rules_test

import (
	"fmt"
	"testing"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// finding is one about the i-th of many things, which some values describe.
func finding(i int, vars ...string) trace.Finding {
	f := trace.Finding{Pointer: fmt.Sprintf("/messages/%d", i), Vars: map[string]string{"index": fmt.Sprint(i)}}
	for k := 0; k < len(vars); k += 2 {
		f.Vars[vars[k]] = vars[k+1]
	}
	return f
}

// The results of several checks together have no more findings than that of one.
func TestVeryManyFindingsOfSeveralChecks(t *testing.T) {
	var all rules.CheckResult
	for check := range 5 {
		var one rules.CheckResult
		for i := range 900 {
			one.Find(finding(900*check + i))
		}
		all.Add(one)
	}
	if n := len(all.Findings); n != 1000 {
		t.Errorf("%d findings are kept, want 1000", n)
	}
}

// Of very many findings the first are kept, and of the others those that a profile may refuse
// although it takes the first.
func TestVeryManyFindings(t *testing.T) {
	const many = 100_000
	for name, c := range map[string]struct {
		make func(i int) trace.Finding
		want []int // these are kept besides the first
		most int
	}{
		"alike":             {func(i int) trace.Finding { return finding(i) }, nil, 1000},
		"with other keys":   {func(i int) trace.Finding { return finding(i, "key", fmt.Sprint("k", i)) }, nil, 1100},
		"with other values": {func(i int) trace.Finding { return finding(i, "found", fmt.Sprint(i)) }, nil, 2000},
		"of another kind": {func(i int) trace.Finding {
			of := "nobody"
			if i >= many-2 {
				of = "another API"
			}
			return finding(i, "key", fmt.Sprint("k", i), "of", of)
		}, []int{many - 2, many - 1}, 1102},
		"with another key": {func(i int) trace.Finding {
			key := "tool"
			if i >= many-2 {
				key = "tools"
			}
			return finding(i, "key", key)
		}, []int{many - 2}, 1001},
	} {
		t.Run(name, func(t *testing.T) {
			var j rules.CheckResult
			for i := range many {
				j.Find(c.make(i))
			}
			kept := map[string]bool{}
			for _, f := range j.Findings {
				kept[f.Pointer] = true
			}
			for i := range 1000 {
				c.want = append(c.want, i)
			}
			for _, i := range c.want {
				if !kept[fmt.Sprintf("/messages/%d", i)] {
					t.Errorf("finding %d is not kept", i)
				}
			}
			if !j.HasEvidence || len(j.Findings) > c.most {
				t.Errorf("%d findings are kept, want %d at most", len(j.Findings), c.most)
			}
		})
	}
}
