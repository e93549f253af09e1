package fuzzing

import (
	"context"
	"strings"
	"time"
)

// The bounds of shrinking: how long it may take, and how many smaller conversations are played together.
const (
	shrinkTime = 20 * time.Second
	shrinkWith = 8
)

// Replays is how often a conversation is played again in which a loop broke a rule, until it does so again.
const Replays = 3

// shrink returns the smallest conversation that it finds in which the loop breaks a rule, beginning with one in which it does, and
// which was drawn with a number.
func (f *fuzzer) shrink(ctx context.Context, c *Conversation, number int, h hit) (Finding, error) {
	f.result.Shrinking = h.finding.Rule
	f.tell()
	defer func() { f.result.Shrinking = "" }()
	small := Finding{Finding: h.finding, Case: h.caseID, Number: number, Name: f.nameOf(h.finding.Rule, number), Small: c}
	until, cancel := context.WithTimeout(ctx, shrinkTime)
	defer cancel()

	narrow := c.clone()
	narrow.Profiles, narrow.Deliveries = h.profiles, h.deliveries
	err := f.try(until, &small, []*Conversation{narrow})
	if small.Small == c && err == nil {
		small.Once, err = f.once(until, &small)
	}
	for smaller := !small.Once; smaller && err == nil && until.Err() == nil; {
		smaller, err = f.step(until, &small)
	}
	if ctx.Err() == nil && until.Err() != nil {
		err = nil // small enough
	}
	small.File = f.file(&small)
	return small, err
}

// once reports whether the loop does not break the rule of a finding again.
func (f *fuzzer) once(ctx context.Context, small *Finding) (bool, error) {
	for range Replays {
		again := small.Small.clone()
		if err := f.try(ctx, small, []*Conversation{again}); err != nil || small.Small == again {
			return false, err
		}
	}
	return true, nil
}

// step goes once through all ways to make a conversation smaller, and reports whether one of them did.
func (f *fuzzer) step(ctx context.Context, small *Finding) (smaller bool, err error) {
	for _, reduce := range reductions {
		for at := 0; ; {
			candidates := reduce(small.Small)
			if at >= len(candidates) {
				break
			}
			some := candidates[at:min(at+shrinkWith, len(candidates))]
			before := small.Small
			if err := f.try(ctx, small, some); err != nil {
				return smaller, err
			}
			if small.Small == before {
				at += len(some)
				continue
			}
			smaller = true // there are fewer candidates now; those before did not break the rule
		}
	}
	return smaller, nil
}

// try plays some conversations, and keeps the first in which the loop breaks the same rule, in a way that is not accepted.
func (f *fuzzer) try(ctx context.Context, small *Finding, candidates []*Conversation) error {
	b := newBatch()
	for i, c := range candidates {
		f.add(b, small.Name+strings.Repeat("~", i), c) // what is left may be no conversation
	}
	hits, _, err := f.play(ctx, b)
	for _, h := range hits {
		if h.finding.Rule == small.Rule && !f.accepts(h.finding) {
			small.Finding, small.Case, small.Small = h.finding, h.caseID, b.conversations[h.scenario]
			break
		}
	}
	return err
}
