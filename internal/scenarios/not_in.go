package scenarios

import (
	"errors"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/profiles"
)

// PlayedUnder reports whether the scenario is played under a profile: it names it, or none, and the
// profile can say all that the scenario says.
func (s *Scenario) PlayedUnder(p *profiles.Profile) bool {
	return (len(s.Profiles) == 0 || s.names(p.Name, p.Name == p.Speaks.Standard)) && s.Plays(p)
}

// CheckPlayed reports a scenario that is played under none of some profiles, at the step with which
// that becomes so.
func (s *Scenario) CheckPlayed(all []*profiles.Profile) error {
	playedUpTo := func(step int) bool {
		part := *s
		part.Model = s.Model[:step]
		return slices.ContainsFunc(all, part.PlayedUnder)
	}
	step := len(s.Model)
	if playedUpTo(step) {
		return nil
	}
	for step > 0 && !playedUpTo(step-1) {
		step--
	}
	which, place := "no profile", "/title"
	if len(s.Profiles) > 0 {
		which, place = "none of the profiles that the scenario names", "/profiles"
	}
	if step == 0 {
		return s.doc.Errorf(place, "%s can say what the scenario needs, so that it is never played", which)
	}
	return s.doc.Errorf(at("model", step-1), "%s can say this and the steps before it, so that the scenario is never played: some keys are of one dialect only", which)
}

// standard stands for the profiles of the dialects' own providers in a list of profiles.
const standard = "standard"

// names reports whether the patterns of the scenario match a profile.
func (s *Scenario) names(profile string, isStandard bool) bool {
	return slices.ContainsFunc(s.Profiles, func(pattern string) bool {
		ok, _ := doublestar.Match(pattern, profile)
		return ok || isStandard && pattern == standard
	})
}

// checkDialects compares the reasons of a scenario with the dialects in which it is played.
func (s *Scenario) checkDialects(all func() []*profiles.Profile) error {
	c := &checker{s: s}
	for _, r := range s.NotIn {
		here := "/not-in/" + r.Dialect
		c.expect(strings.TrimSpace(r.Why) != "", here, "a reason why the scenario is not played in a dialect is a sentence")
		if all == nil {
			continue
		}
		c.word(here, "dialect", r.Dialect, profiles.Dialects(all()))
		played := slices.ContainsFunc(all(), func(p *profiles.Profile) bool { return p.Dialect == r.Dialect && s.PlayedUnder(p) })
		c.expect(!played, here, "the scenario is played in the dialect %s: it needs no reason not to be", r.Dialect)
	}
	return errors.Join(c.errs...)
}
