package fuzzing

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// The bounds of shrinking: how long it may take, and how many smaller conversations are played together.
const (
	shrinkTime = 20 * time.Second
	shrinkWith = 8
)

// shrink returns the smallest conversation that it finds in which the loop breaks a rule, beginning with one in which it does.
func (f *fuzzer) shrink(ctx context.Context, c *Conversation, broken trace.Finding, in runner.Played) (Finding, error) {
	f.result.Shrinking = broken.Rule
	f.tell()
	defer func() { f.result.Shrinking = "" }()
	small := Finding{Finding: broken, Case: in.Case.ID, Name: strings.ReplaceAll(broken.Rule, "/", "-"), Small: c}
	until, cancel := context.WithTimeout(ctx, shrinkTime)
	defer cancel()

	narrow := c.clone()
	narrow.Profiles, narrow.Deliveries = []string{in.Case.Profile}, []wire.Delivery{wire.Delivery(in.Case.Delivery)}
	err := f.try(until, &small, []*Conversation{narrow})
	for smaller := true; smaller && err == nil && until.Err() == nil; {
		smaller, err = f.step(until, &small)
	}
	if ctx.Err() == nil && until.Err() != nil {
		err = nil // small enough
	}
	small.File = f.file(&small)
	return small, err
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

// try plays some conversations, and keeps the first in which the loop breaks the same rule.
func (f *fuzzer) try(ctx context.Context, small *Finding, candidates []*Conversation) error {
	byID := map[string]*Conversation{}
	var batch []*scenarios.Scenario
	for i, c := range candidates {
		s, err := f.scenario(small.Name+strings.Repeat("~", i), c)
		if err != nil {
			continue // what is left is no conversation
		}
		byID[s.ID] = c
		batch = append(batch, s)
	}
	played, err := f.Session.Play(ctx, batch)
	for _, p := range played {
		i := slices.IndexFunc(f.broken(p), func(b trace.Finding) bool { return b.Rule == small.Rule })
		if i >= 0 {
			small.Finding, small.Case, small.Small = f.broken(p)[i], p.Case.ID, byID[p.Case.Scenario]
			break
		}
	}
	return err
}
