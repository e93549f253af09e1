package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/wire"
)

// lacks lists what a draft still lacks to be a full dialect, given the scenarios that are played in
// it.
func (b *book) lacks(page *textlayout.Builder, d *wire.Dialect, played map[string]bool) {
	heading(page, "What it lacks to be no draft")
	for _, part := range []struct {
		lacks bool
		what  string
	}{
		{d.Form == nil, "the form of its requests, in request.yaml of its package"},
		{d.Likeness == nil, "a likeness, by which lint tells its requests from those of other dialects"},
		{d.Demands == nil, "demands: what a request asks for that an answer has to keep"},
		{d.Images.Read == nil, "images in requests"},
		{d.Models.List == nil, "the list of its models"},
		{len(d.AllQuirks()) == 0, "quirks: the known ways in which its servers depart from the form of answers"},
		{!slices.ContainsFunc(rulebook.Book(), func(r *rules.Rule) bool { return r.Dialect == d }), "rules about it alone, or the certainty that it needs none"},
	} {
		if part.lacks {
			page.Line(2, "- "+part.what)
		}
	}
	for _, p := range profiles.Of(d.Name, b.profiles) {
		page.Line(2, fmt.Sprintf("- %s: it refuses what breaks %s; look up what else the provider refuses", p.Name, count(len(p.Refuses), "rule")))
	}
	b.notPlayed(page, d)
	page.Line(2, "- "+b.withoutEvidence(d, played))
	page.Line(2, "- the faults and variations of the reference loop, which are judged in it once Draft is gone: go test ./internal/faults")
	page.Line(2, "- faults about its bytes, in a package of internal/faults")
	page.Line(2, "- the circumstances that can occur in it: cd lab && go run ./site --out FOLDER")
}

// notPlayed counts, by why that is so, the scenarios that are played nowhere in a dialect.
func (b *book) notPlayed(page *textlayout.Builder, d *wire.Dialect) {
	reasons, all := map[string]int{}, 0
	for _, s := range b.scenarios {
		why, none := s.NotPlayedIn(d, b.profiles)
		if !none || !s.Prompted() || len(s.Rules) == 0 || len(s.Facts().Recorded) > 0 {
			continue
		}
		switch {
		case len(s.Facts().Quirks) > 0:
			why.Why = "no profile has the quirk that they are about, or the dialect has no place for it"
		case len(s.Profiles) > 0:
			why.Why = "they are about what other providers do"
		}
		reasons[why.Why]++
		all++
	}
	page.Line(2, fmt.Sprintf("- %s are not played in it; check that each reason is right:", count(all, "scenario")))
	sorted := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return cmp.Or(reasons[b]-reasons[a], strings.Compare(a, b)) })
	for _, why := range sorted {
		page.Line(4, fmt.Sprintf("%3d  %s", reasons[why], why))
	}
}

// withoutEvidence names the rules that apply to a dialect and that no scenario played in it tests.
func (b *book) withoutEvidence(d *wire.Dialect, played map[string]bool) string {
	var without []string
	for _, r := range rulebook.Book() {
		tested := slices.ContainsFunc(b.scenarios, func(s *scenarios.Scenario) bool { return played[s.ID] && slices.Contains(s.Rules, r.ID) })
		if r.In(d) && !tested {
			without = append(without, r.ID)
		}
	}
	return fmt.Sprintf("a scenario for each of %s that apply to it and that none tests yet: loopproof run --dialect %s names those without evidence", count(len(without), "rule"), d.Name)
}
