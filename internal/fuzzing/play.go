package fuzzing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

// batch are conversations that are played together.
type batch struct {
	conversations map[string]*Conversation // by the id of their scenario
	numbers       map[string]int           // under which they were drawn
	comparisons   map[string]string        // the ids of those without failures
	scenarios     []*scenarios.Scenario
}

func newBatch() *batch {
	return &batch{conversations: map[string]*Conversation{}, numbers: map[string]int{}, comparisons: map[string]string{}}
}

// hit is a case in which the loop broke a rule, or in which it differs from itself.
type hit struct {
	scenario, caseID string
	profiles         []string // and deliveries, in which it shows
	deliveries       []wire.Delivery
	finding          report.Finding
	follow           []report.Finding // what only follows from it
}

// add adds a conversation, and the one with which it is compared.
func (f *fuzzer) add(b *batch, id string, c *Conversation) error {
	if comparison := c.comparison(); comparison != nil && len(f.Session.JudgedRules()) == 0 {
		s, err := comparison.Scenario(id+"-without-failures", f.vocabulary)
		if err != nil {
			return err
		}
		b.comparisons[id] = s.ID
		b.scenarios = append(b.scenarios, s)
	}
	s, err := c.Scenario(id, f.vocabulary)
	if err != nil {
		return err
	}
	s.Rules = judgedBy(s)
	b.conversations[id] = c
	b.scenarios = append(b.scenarios, s)
	return nil
}

// judgedBy returns the rules that are judged besides the invariants. A scenario of the library
// lists those that it gives evidence for; here each is judged where it happens to find some.
func judgedBy(s *scenarios.Scenario) []string {
	var ids []string
	shown := s.Facts().Quirks
	for _, r := range rulebook.Book() {
		if !r.Invariant && (len(r.Quirks) == 0 || slices.ContainsFunc(shown, r.IsAbout)) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// play plays a batch, and returns what the loop did wrong in it, and what is kept of each case.
func (f *fuzzer) play(ctx context.Context, b *batch) (hits []hit, played []ended, err error) {
	err = f.Session.Play(ctx, b.scenarios, func(p runner.Played) {
		played = append(played, whatRemains(p))
		if b.conversations[p.Case.Scenario] == nil {
			return // a comparison
		}
		for _, broken := range f.broken(p) {
			hits = append(hits, hit{
				scenario: p.Case.Scenario, caseID: p.Case.ID, finding: broken, follow: following(p, broken.Rule),
				profiles: []string{p.Case.Profile}, deliveries: []wire.Delivery{wire.Delivery(p.Case.Delivery)},
			})
		}
	})
	if len(f.Session.JudgedRules()) == 0 {
		hits = append(hits, f.compare(b, played)...)
	}
	return hits, played, err
}

// broken returns a finding for each rule that a case breaks, without those that only follow from
// others: the first that is not accepted, or else the first.
func (f *fuzzer) broken(p runner.Played) []report.Finding {
	var all []report.Finding
	for _, finding := range p.Case.Findings {
		if finding.Because != "" || !f.fatal(finding.Level) {
			continue
		}
		i := slices.IndexFunc(all, func(other report.Finding) bool { return other.Rule == finding.Rule })
		switch {
		case i < 0:
			all = append(all, finding)
		case f.accepts(all[i]):
			all[i] = finding
		}
	}
	return all
}

// following returns a finding for each rule whose violation in a case only follows from that of
// another.
func following(p runner.Played, cause string) (all []report.Finding) {
	for _, finding := range p.Case.Findings {
		known := slices.ContainsFunc(all, func(other report.Finding) bool { return other.Rule == finding.Rule })
		if finding.Because == cause && !known && p.Case.Because(finding.Rule) == cause {
			all = append(all, finding)
		}
	}
	return all
}

func (f *fuzzer) accepts(finding report.Finding) bool {
	return f.Accepted != nil && f.Accepted(finding.Rule, finding.Message)
}

func (f *fuzzer) fatal(l trace.Level) bool {
	return l == trace.Must || f.Strict && l == trace.Should
}

// playBatch draws some conversations, plays them, and shrinks those that break a rule that none
// before has broken.
func (f *fuzzer) playBatch(ctx context.Context) error {
	b := newBatch()
	for range f.batch {
		if f.drewAll() {
			break
		}
		number := f.drawn
		f.drawn++
		c := f.grammar.Draw(f.Seed, number)
		if len(c.Profiles) == 0 {
			continue
		}
		id := fmt.Sprintf("conversation-%d", number)
		if err := f.add(b, id, c); err != nil {
			return err
		}
		b.numbers[id] = number
	}
	hits, played, err := f.play(ctx, b)
	f.count(b, played)
	f.tell()
	for _, h := range hits {
		if f.accepts(h.finding) {
			f.result.Known[h.finding.Rule]++
			continue
		}
		if f.found(h.finding.Rule) || ctx.Err() != nil || len(f.result.Findings) >= maxFindings {
			continue
		}
		c, number := b.conversations[h.scenario], b.numbers[h.scenario]
		if f.First {
			f.result.Findings = append(f.result.Findings, Finding{Finding: h.finding, Follow: h.follow, Case: h.caseID, Number: number, Small: c})
			continue
		}
		err = errors.Join(err, f.examine(ctx, c, number, h))
	}
	return err
}

// count adds what was played to the result.
func (f *fuzzer) count(b *batch, played []ended) {
	f.result.Cases += len(played)
	seen := map[string]bool{}
	for _, p := range played {
		id := p.scenario
		if c := b.conversations[id]; c != nil && !seen[id] {
			seen[id] = true
			f.result.Conversations++
			f.result.Coverage.count(c)
		}
		f.result.Coverage.countCase(p)
	}
}
