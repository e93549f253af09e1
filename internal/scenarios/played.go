package scenarios

import (
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// PlayedUnder reports whether the scenario is played under a profile: it names it, or none, and the
// profile can say all that the scenario says.
func (s *Scenario) PlayedUnder(p *profiles.Profile) bool {
	return s.isFor(p) && s.Plays(p)
}

// isFor reports whether the scenario names a profile, or none.
func (s *Scenario) isFor(p *profiles.Profile) bool {
	return len(s.Profiles) == 0 || s.names(p.Name, p.Name == p.Speaks.Standard)
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

// Plays reports whether a profile can say all that the scenario says. A profile that is only played
// by name is chosen by those who serve a script to an application, and one of gateways is played
// where the scenario asks for a quirk or names the profile.
func (s *Scenario) Plays(p *profiles.Profile) bool {
	if p.ByNameOnly && s.Prompted() && !slices.Contains(s.Profiles, p.Name) {
		return false
	}
	f := s.Facts()
	return f.Needs&^p.Abilities == 0 && f.saidIn(p.Dialect) && f.itemWithout(p) == "" && f.quirkWithout(p) == "" &&
		(len(f.Quirks) > 0 || !p.QuirksOnly || slices.Contains(s.Profiles, p.Name))
}

// saidIn reports whether what was recorded of the scenario is in a dialect.
func (f *Facts) saidIn(dialect string) bool {
	return !slices.ContainsFunc(f.Recorded, func(d string) bool { return d != dialect })
}

// itemWithout returns the first type of items that the provider does not have, "" for none.
func (f *Facts) itemWithout(p *profiles.Profile) string {
	return firstWhere(f.Items, func(kind string) bool { return p.Traits.ProviderItems[kind] == "" })
}

// quirkWithout returns the first quirk that the provider does not show, "" for none.
func (f *Facts) quirkWithout(p *profiles.Profile) string {
	return firstWhere(f.Quirks, func(name string) bool { _, shown := p.Quirk(name); return !shown })
}

func firstWhere(all []string, is func(string) bool) string {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return ""
}

// PlayedIn reports whether the scenario is played in a delivery under a profile: it names it, or
// none, its quirks show there, and it can be said there.
func (s *Scenario) PlayedIn(p *profiles.Profile, d wire.Delivery) bool {
	f := s.Facts()
	shown := !slices.ContainsFunc(f.Quirks, func(name string) bool {
		q, known := p.Speaks.Quirk(name)
		return !known || !q.Shows(d)
	})
	return s.deliveredIn(d) && shown && (d.Streams() || !f.StreamsAlone(p)) && (d != wire.DeliverSocket || !f.OverHTTP)
}

// deliveredIn reports whether the scenario names a delivery, or none.
func (s *Scenario) deliveredIn(d wire.Delivery) bool {
	return len(s.Deliveries) == 0 || slices.ContainsFunc(s.Deliveries, func(pattern string) bool {
		itself, _ := doublestar.Match(pattern, string(d))
		like, _ := doublestar.Match(pattern, string(d.Like()))
		return itself || like
	})
}

// StreamsAlone reports whether only streams can say the scenario under a profile: arguments that
// are no JSON, or were cut off, have a place in the pieces of a stream, but none in an object.
func (f *Facts) StreamsAlone(p *profiles.Profile) bool {
	return f.Broken && p.Abilities&wire.TextArguments == 0
}

// CheckPlayed reports a scenario that is played under none of some profiles, at the step with which
// that becomes so.
func (s *Scenario) CheckPlayed(all []*profiles.Profile) error {
	playedUpTo := func(step int) bool {
		part := *s
		part.Model = s.Model[:step]
		part.facts = factsOf(&part)
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
