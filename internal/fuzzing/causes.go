package fuzzing

import (
	"context"
	"slices"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/report"
)

// examine shrinks the conversation of a hit, and adds it to the findings. Where the loop does not
// break the rule in plainer conversations, but another one that the rulebook says may be the cause,
// that one is the finding, and what was shrunk is listed under it: a dropped call breaks a rule of
// its own for each kind of call.
func (f *fuzzer) examine(ctx context.Context, c *Conversation, number int, h hit) error {
	var alike []Finding
	for {
		s, err := f.shrink(ctx, c, number, h)
		cause := s.cause(alike)
		if err != nil || cause == nil {
			s.small.list(alike)
			f.result.Findings = append(f.result.Findings, s.small)
			return err
		}
		s.small.Cause = cause.finding.Rule
		s.small.File = f.file(&s.small)
		alike = append(alike, s.small)
		if known := f.finding(cause.finding.Rule); known != nil {
			known.list(alike)
			return nil
		}
		c, h = cause.conversation, cause.hit
	}
}

// list adds findings that have the same cause. What has a conversation of its own is not listed
// without one, too.
func (f *Finding) list(alike []Finding) {
	f.Alike = append(f.Alike, alike...)
	f.Follow = slices.DeleteFunc(f.Follow, func(follows report.Finding) bool {
		return slices.ContainsFunc(f.Alike, func(a Finding) bool { return a.Rule == follows.Rule })
	})
}

// cause returns what the loop does wrong in a plainer conversation where that may be the cause of
// what was found, or nil. Rules that were found on the way are none.
func (s *shrinker) cause(alike []Finding) *neighbour {
	var cause *neighbour
	for i := range s.neighbours {
		p := &s.neighbours[i]
		rule := p.finding.Rule
		switch {
		case slices.Contains(s.broken, rule), s.accepts(p.finding), s.small.Level.Outweighs(p.finding.Level), !rulebook.MayStemFrom(s.small.Rule, rule):
		case slices.ContainsFunc(alike, func(f Finding) bool { return f.Rule == rule }):
		case cause == nil, s.finding(rule) != nil && s.finding(cause.finding.Rule) == nil:
			cause = p
		}
	}
	return cause
}

// finding returns the finding of a rule, or nil.
func (f *fuzzer) finding(rule string) *Finding {
	i := slices.IndexFunc(f.result.Findings, func(known Finding) bool { return known.Rule == rule })
	if i < 0 {
		return nil
	}
	return &f.result.Findings[i]
}

// found reports whether a rule is that of a finding, or is listed under one.
func (f *fuzzer) found(rule string) bool {
	return slices.ContainsFunc(f.result.Findings, func(known Finding) bool {
		return known.Rule == rule || slices.ContainsFunc(known.Alike, func(alike Finding) bool { return alike.Rule == rule })
	})
}
