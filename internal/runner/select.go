package runner

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// selectCases keeps the cases that the config asks for. A pattern that matches nothing is an error,
// and so is a selection that leaves nothing.
func (p *Plan) selectCases(c Config) error {
	part := func(f func(trace.Case) string) func(trace.Case) []string {
		return func(c trace.Case) []string { return []string{f(c)} }
	}
	criteria := []struct {
		kind     string
		patterns []string
		words    func(trace.Case) []string
	}{
		{"dialect", c.Select.Dialects, part(func(c trace.Case) string { return c.Dialect })},
		{"profile", c.Select.Profiles, part(func(c trace.Case) string { return c.Profile })},
		{"delivery", c.Select.Deliveries, func(c trace.Case) []string { return trace.DeliveryNames(c.Delivery) }},
		{"scenario", c.Select.Scenarios, part(func(c trace.Case) string { return c.Scenario })},
		{"rule", c.Select.Rules, func(c trace.Case) []string { return p.listed(c) }},
		{"case", c.Select.Cases, part(trace.Case.ID)},
	}
	var errs []error
	out := p.without(c.Select.Again)
	for _, by := range criteria {
		if len(by.patterns) == 0 {
			continue
		}
		words := make([][]string, len(p.Cases))
		for i, c := range p.Cases {
			words[i] = by.words(c)
		}
		if err := p.checkPatterns(by.kind, by.patterns, words); err != nil {
			errs = append(errs, err)
			continue
		}
		selected := selecting(by.patterns)
		for i := range out {
			out[i] = out[i] || !slices.ContainsFunc(words[i], selected.takes)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	var kept []trace.Case
	for i, c := range p.Cases {
		if !out[i] {
			kept = append(kept, c)
		}
	}
	switch {
	case len(kept) == 0 && len(p.Gone) > 0 && len(p.Gone) == len(c.Select.Again):
		return fmt.Errorf("nothing is selected: this loop is played no case that matches %s, or any other of what is to be played again", p.Gone[0])
	case len(kept) == 0:
		return errors.New("nothing is selected: each pattern matches something, but no case matches them all; " +
			"loopproof explain SCENARIO says under which profiles a scenario is played")
	}
	p.Cases = kept
	p.selectRules(c.Select.Rules)
	return nil
}

// without reports for each case whether it is left out, since no pattern of those that are played
// again matches it. All stay if there are no patterns.
func (p *Plan) without(again []string) []bool {
	out := make([]bool, len(p.Cases))
	if again == nil {
		return out
	}
	selected := selecting(again)
	for i, c := range p.Cases {
		out[i] = !selected.takes(c.ID())
	}
	p.Gone = p.unmatched(again)
	return out
}

// unmatched returns the patterns that match no case, sorted.
func (p *Plan) unmatched(patterns []string) []string {
	known := map[string]bool{}
	for _, c := range p.Cases {
		known[c.ID()] = true
	}
	gone := slices.DeleteFunc(slices.Clone(patterns), func(pattern string) bool {
		return known[pattern] || trace.IsPattern(pattern) && slices.ContainsFunc(p.Cases, func(c trace.Case) bool { return trace.MatchesPattern(pattern, c.ID()) })
	})
	slices.Sort(gone)
	return gone
}

// wants returns what reports whether cases of a scenario may be selected, so that no others have to be
// read and planned.
func (s Select) wants() func(scenario string) bool {
	byScenario, byCase, byAgain := selecting(s.Scenarios), selecting(scenariosOf(s.Cases)), selecting(scenariosOf(s.Again))
	return func(id string) bool { return byScenario.takes(id) && byCase.takes(id) && byAgain.takes(id) }
}

// scenariosOf returns the scenarios that the patterns of cases name, or none, which is all, if one
// of them names no single scenario.
func scenariosOf(ids []string) []string {
	var named []string
	for _, id := range ids {
		scenario, _, one := strings.Cut(id, "@")
		if !one || trace.IsPattern(scenario) {
			return nil
		}
		named = append(named, scenario)
	}
	return named
}

func (p *Plan) selectRules(patterns []string) {
	if len(patterns) == 0 {
		return
	}
	p.rules = map[string]bool{}
	for _, id := range rulebook.IDs() {
		p.rules[id] = trace.MatchesAny(patterns, id)
	}
}

// checkPatterns checks that each pattern matches a case.
func (p *Plan) checkPatterns(kind string, patterns []string, words [][]string) error {
	var errs []error
	all := slices.Concat(words...)
	known := map[string]bool{}
	for _, word := range all {
		known[word] = true
	}
	for _, pattern := range patterns {
		if !doublestar.ValidatePattern(pattern) {
			errs = append(errs, fmt.Errorf("the %s pattern %s is not well-formed", kind, pattern))
		} else if !known[pattern] && !slices.ContainsFunc(all, func(w string) bool { return trace.MatchesAny([]string{pattern}, w) }) {
			errs = append(errs, p.noMatch(kind, pattern, all))
		}
	}
	return errors.Join(errs...)
}

// noMatch says of a pattern that matches none of the words in the plan whether it matches something
// else, which the loop does not claim, or nothing at all.
func (p *Plan) noMatch(kind, pattern string, planned []string) error {
	known, listed := p.vocabulary(kind)
	if slices.ContainsFunc(known, func(w string) bool { return trace.MatchesAny([]string{pattern}, w) }) {
		return fmt.Errorf("the %s pattern %s matches nothing that this loop claims%s", kind, pattern, p.unplayable(kind, pattern))
	}
	if hint := trace.PatternHint(pattern, append(known, planned...)); hint != "" {
		listed = hint
	}
	return fmt.Errorf("the pattern %s matches no %s%s", pattern, kind, listed)
}

// vocabulary returns all words that there are of a kind, claimed or not, and where they are listed.
func (p *Plan) vocabulary(kind string) (known []string, listed string) {
	switch kind {
	case "dialect":
		known = p.known.Dialects()
		return known, "; there are " + strings.Join(known, ", ")
	case "profile":
		return p.known.Names(), "; loopproof list profiles shows all"
	case "delivery":
		for _, d := range wire.AllDeliveries() {
			known = append(known, string(d))
		}
		return known, "; there are " + strings.Join(known, ", ")
	case "scenario":
		return slices.Sorted(maps.Keys(p.scenarios)), "; loopproof list scenarios shows all"
	case "rule":
		return rulebook.IDs(), "; loopproof list rules shows all"
	default:
		return nil, "; a case is SCENARIO@DIALECT/PROFILE/DELIVERY, as in pairing/single-call@chat/openai/sse"
	}
}

// unplayable says so when a pattern matches a scenario that cannot be played to any loop.
func (p *Plan) unplayable(kind, pattern string) string {
	for id, s := range p.scenarios {
		if kind != "scenario" || !trace.MatchesAny([]string{pattern}, id) {
			continue
		}
		if !s.Prompted() {
			return "; " + id + " has no prompt, and so is for applications: loopproof serve plays it"
		}
		if err := s.CheckPlayed(p.known.All()); err != nil {
			return "; " + err.Error()
		}
	}
	return ""
}

// keepQuick keeps, of each scenario, the cases under one profile of each dialect in the two plain
// deliveries, or in those that the scenario asks for itself. That covers every rule that a scenario
// lists. A quirk is looked at as a stream alone, where the loop takes streams, and of a stream that
// is cut at each place the last. Of a selection that leaves the primary profile of a scenario out,
// the first one takes its place.
func (p *Plan) keepQuick() error {
	primary := p.selectedPrimaries()
	p.Cases = slices.DeleteFunc(slices.Clone(p.Cases), func(c trace.Case) bool {
		s := p.scenarios[c.Scenario]
		plain := c.Delivery.Ordinary()
		if len(s.Facts().Quirks) > 0 && c.Delivery == wire.DeliverJSON && p.takes(c.Dialect, wire.DeliverSSE.In(p.profiles[c.Profile].Frames())) {
			return true
		}
		if c.Cut > 0 && c.Cut < s.Cuts(p.profiles[c.Profile]) {
			return true
		}
		return s.Big || c.Profile != primary[stage{c.Scenario, c.Dialect}] || !plain && len(s.Deliveries) == 0
	})
	if len(p.Cases) == 0 {
		return errors.New("nothing is selected: a quick run plays each scenario in its plain deliveries only, and leaves out the big ones and quirks in JSON; " +
			"what is selected besides has none of these: play it without quick")
	}
	return nil
}

// selectedPrimaries returns, of the profiles under which the selected cases are played, the primary
// one of each scenario, or where that is not selected the first.
func (p *Plan) selectedPrimaries() map[stage]string {
	primary := map[stage]string{}
	for _, c := range p.Cases {
		at := stage{c.Scenario, c.Dialect}
		if primary[at] == "" || c.Profile == p.primary[at] {
			primary[at] = c.Profile
		}
	}
	return primary
}
