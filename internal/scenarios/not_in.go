package scenarios

import (
	"errors"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
)

// PlayedUnder reports whether the scenario is played under a profile: it names it, or none, and the profile can say all
// that the scenario says.
func (s *Scenario) PlayedUnder(p *profiles.Profile) bool {
	named := len(s.Profiles) == 0 || slices.ContainsFunc(s.Profiles, func(pattern string) bool {
		ok, _ := doublestar.Match(pattern, p.Name)
		return ok
	})
	return named && s.Plays(p)
}

// checkDialects compares the reasons of a scenario with the dialects in which it is played. Scenarios without rules, and
// recordings, need none.
func (s *Scenario) checkDialects(all func() []*profiles.Profile) error {
	c := &checker{s: s}
	owesReasons := s.Prompted() && len(s.Rules) > 0 && !slices.ContainsFunc(s.Model, func(step Step) bool { return step.recorded != nil })
	var dialects []string
	var known []*profiles.Profile
	if all != nil && (owesReasons || len(s.NotIn) > 0) {
		dialects, known = dialect.Names(dialect.All()), all()
	}
	for _, r := range s.NotIn {
		here := "/not-in/" + r.Dialect
		if len(dialects) > 0 {
			c.word(here, "dialect", r.Dialect, dialects)
		}
		c.expect(strings.TrimSpace(r.Why) != "", here, "a reason why the scenario is not played in a dialect is a sentence")
	}
	for _, dialect := range dialects {
		played := slices.ContainsFunc(known, func(p *profiles.Profile) bool { return p.Dialect == dialect && s.PlayedUnder(p) })
		said := slices.ContainsFunc(s.NotIn, func(r Reason) bool { return r.Dialect == dialect })
		switch {
		case played:
			c.expect(!said, "/not-in/"+dialect, "the scenario is played in the dialect %s: it needs no reason not to be", dialect)
		case owesReasons:
			c.expect(said, "", "the scenario is played nowhere in the dialect %s: let it be played there, or say why it is not: `not-in: {%s: REASON}`", dialect, dialect)
		}
	}
	return errors.Join(c.errs...)
}
