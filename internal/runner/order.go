package runner

import (
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
)

// long is from when on a case counts as one that waits.
const long = 200 * time.Millisecond

// waits reports whether a case takes long by its nature, such as one that asks to be retried after
// a second, or goes silent.
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

// concurrency returns how a case is played beside others.
func (p *Plan) concurrency(c trace.Case) concurrency {
	switch {
	case p.scenarios[c.Scenario].Alone:
		return alone
	case p.waits(c):
		return waiting
	default:
		return concurrent
	}
}

// playingOrder returns the order in which cases are played: those that wait come first, so that
// they wait alongside the others and not after them.
func (p *Plan) playingOrder() []int {
	waiting, others := p.divided()
	return append(waiting, others...)
}

// judgingOrder returns the order in which cases are judged: those that wait come last, since their
// results take longest.
func (p *Plan) judgingOrder() []int {
	waiting, others := p.divided()
	return append(others, waiting...)
}

// divided returns the cases that wait, and the others, both by their places in the plan.
func (p *Plan) divided() (waiting, others []int) {
	for i, c := range p.Cases {
		if p.waits(c) {
			waiting = append(waiting, i)
		} else {
			others = append(others, i)
		}
	}
	return waiting, others
}
