package fuzzing

import (
	"context"
	"slices"
	"strings"
	"time"
)

// The bounds of shrinking: how long it may take, and how many smaller conversations are played
// together.
const (
	shrinkTime = 20 * time.Second
	shrinkWith = 8
)

// Replays is how often a conversation is played again in which a loop broke a rule, until it does
// so again.
const Replays = 3

// shrinker is the search for the smallest conversation in which a loop breaks a rule.
type shrinker struct {
	*fuzzer
	small  Finding
	broken []string // the rules that the loop breaks in it

	// neighbours are the conversations in which it does not break the rule, each one change away
	// from the smallest, with what else it does wrong there.
	neighbours []neighbour
}

// neighbour is what a loop does wrong in a conversation that is plainer than the smallest one.
type neighbour struct {
	hit
	conversation *Conversation
}

// shrink returns the smallest conversation that it finds in which the loop breaks a rule, beginning
// with one in which it does, and which was drawn with a number.
func (f *fuzzer) shrink(ctx context.Context, c *Conversation, number int, h hit) (*shrinker, error) {
	f.result.Shrinking = h.finding.Rule
	f.tell()
	defer func() { f.result.Shrinking = "" }()
	s := &shrinker{fuzzer: f, small: Finding{
		Finding: h.finding, Follow: h.follow, Case: h.caseID, Number: number, Name: f.nameOf(h.finding.Rule, number), Small: c,
	}}
	until, cancel := context.WithTimeout(ctx, shrinkTime)
	defer cancel()

	narrow := c.clone()
	narrow.Profiles, narrow.Deliveries = h.profiles, h.deliveries
	err := s.try(until, []*Conversation{narrow})
	if s.small.Small == c && err == nil {
		s.small.Once, err = s.once(until)
	}
	for smaller := !s.small.Once; smaller && err == nil && until.Err() == nil; {
		smaller, err = s.step(until)
	}
	if ctx.Err() == nil && until.Err() != nil {
		err = nil // small enough
	}
	s.small.File = f.file(&s.small)
	return s, err
}

// once reports whether the loop does not break the rule of a finding again.
func (s *shrinker) once(ctx context.Context) (bool, error) {
	for range Replays {
		again := s.small.Small.clone()
		if err := s.try(ctx, []*Conversation{again}); err != nil || s.small.Small == again {
			return false, err
		}
	}
	return true, nil
}

// step goes once through all ways to make a conversation smaller, and reports whether one of them
// did.
func (s *shrinker) step(ctx context.Context) (smaller bool, err error) {
	for _, reduce := range reductions {
		for at := 0; ; {
			candidates := reduce(s.small.Small)
			if at >= len(candidates) {
				break
			}
			some := candidates[at:min(at+shrinkWith, len(candidates))]
			before := s.small.Small
			if err := s.try(ctx, some); err != nil {
				return smaller, err
			}
			if s.small.Small == before {
				at += len(some)
				continue
			}
			smaller = true // there are fewer candidates now; those before did not break the rule
		}
	}
	return smaller, nil
}

// try plays some conversations, and keeps the first in which the loop breaks the same rule, in a
// way that is not accepted.
func (s *shrinker) try(ctx context.Context, candidates []*Conversation) error {
	b := newBatch()
	for i, c := range candidates {
		s.add(b, s.small.Name+strings.Repeat("~", i), c) // what is left may be no conversation
	}
	hits, _, err := s.play(ctx, b)
	at := slices.IndexFunc(hits, func(h hit) bool { return h.finding.Rule == s.small.Rule && !s.accepts(h.finding) })
	if at < 0 {
		for _, h := range hits {
			s.neighbours = append(s.neighbours, neighbour{h, b.conversations[h.scenario]})
		}
		return err
	}
	h := hits[at]
	s.small.Finding, s.small.Follow, s.small.Case, s.small.Small = h.finding, h.follow, h.caseID, b.conversations[h.scenario]
	s.broken, s.neighbours = brokenIn(hits, h.caseID), nil
	return err
}

// brokenIn returns the rules that are broken in a case.
func brokenIn(hits []hit, caseID string) (broken []string) {
	for _, h := range hits {
		if h.caseID != caseID {
			continue
		}
		broken = append(broken, h.finding.Rule)
		for _, follows := range h.follow {
			broken = append(broken, follows.Rule)
		}
	}
	return broken
}
