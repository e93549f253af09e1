package runner

import (
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
)

// long is from when on a case counts as one that waits.
const long = 200 * time.Millisecond

// waits reports whether a case takes long by its nature, such as one that asks to be retried after a
// second, or goes silent.
func (p *Plan) waits(c trace.Case) bool {
	for _, step := range p.scenarios[c.Scenario].Model {
		wait := step.RetryAfter != nil && *step.RetryAfter >= long
		if wait || step.Stall != nil && step.Stall.For >= long {
			return true
		}
	}
	return slices.ContainsFunc(p.scenarios[c.Scenario].Tools, func(t scenarios.Tool) bool {
		return slices.ContainsFunc(t.Results, func(r scenarios.Result) bool { return r.After >= long })
	})
}

// manner returns how a case is played beside others.
func (p *Plan) manner(c trace.Case) manner {
	switch {
	case p.scenarios[c.Scenario].Alone:
		return alone
	case p.waits(c):
		return waiting
	default:
		return among
	}
}

// playingOrder returns the order in which cases are played: those that wait come first, so that they wait alongside the
// others and not after them.
func (p *Plan) playingOrder() []int {
	order := make([]int, len(p.Cases))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := p.waits(p.Cases[a]), p.waits(p.Cases[b]); {
		case x == y:
			return 0
		case x:
			return -1
		default:
			return 1
		}
	})
	return order
}
