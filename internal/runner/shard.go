package runner

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

// Shard is one of several parts into which a run is split, so that several machines can share it.
// The zero value is the whole run. [report.Merge] combines the reports of all shards.
type Shard struct {
	Index int // from 1
	Of    int
}

// shardSeed is the seed of shards that are given none: they have to be played with the same one.
const shardSeed = 1

func (s Shard) check() error {
	if s.Of < 0 || s.Of > 0 && (s.Index < 1 || s.Index > s.Of) {
		return fmt.Errorf("there is no shard %d/%d; the first of eight is 1/8, the last 8/8", s.Index, s.Of)
	}
	return nil
}

// split keeps the cases of a shard. The cases of a scenario stay together, since they are compared
// with each other; each scenario goes to the shard that has the fewest cases by then.
func (p *Plan) split(s Shard) error {
	if s.Of == 0 {
		return nil
	}
	size := make([]int, s.Of)
	shardOf := map[string]int{}
	cases := map[string]int{}
	for _, c := range p.Cases {
		cases[c.Scenario]++
	}
	part := &report.Shard{Index: s.Index, Of: s.Of, Filtered: p.Filtered}
	var kept []trace.Case
	for place, c := range p.Cases {
		at, known := shardOf[c.Scenario]
		if !known {
			at = smallest(size)
			shardOf[c.Scenario] = at
			size[at] += cases[c.Scenario]
		}
		if at == s.Index-1 {
			kept = append(kept, c)
			part.Places = append(part.Places, place)
		}
	}
	if len(kept) == 0 {
		return fmt.Errorf("the shard %d/%d has no cases, as there are more shards than scenarios (%d); make fewer shards", s.Index, s.Of, len(cases))
	}
	p.Cases, p.part, p.Filtered = kept, part, true
	return nil
}

func smallest(sizes []int) int {
	least := 0
	for i, n := range sizes {
		if n < sizes[least] {
			least = i
		}
	}
	return least
}

// PlanOf returns the plan of a report, as far as a known-failing list needs it. filtered says that
// the selection left out something that the loop claims.
func PlanOf(r *report.Report, filtered bool) Plan {
	p := Plan{Filtered: filtered}
	for _, c := range r.Cases {
		p.Cases = append(p.Cases, trace.Case{Scenario: c.Scenario, Dialect: c.Dialect, Profile: c.Profile, Delivery: wire.Delivery(c.Delivery)})
	}
	return p
}

// IDs returns the ids of the cases.
func (p *Plan) IDs() []string {
	ids := make([]string, len(p.Cases))
	for i, c := range p.Cases {
		ids[i] = c.ID()
	}
	return ids
}
