package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// show gives the turn the quirks of its step. One that the shape of the profile has anyway changes
// nothing more.
func (t *Turn) show(names []string, p *profiles.Profile) {
	for _, name := range names {
		q, known := p.Speaks.Quirk(name)
		if !known || t.Answer == nil {
			continue
		}
		if shown, _ := p.Quirk(name); shown.Always {
			q = wire.Quirk{Name: q.Name, Does: q.Does}
		}
		if q.Answer != nil {
			q.Answer(t.Answer)
		}
		t.Quirks = append(t.Quirks, q)
	}
}

// quirks reports quirks that do not exist, or that no profile shows of those under which the
// scenario is played.
func (c *checker) quirks(v Vocabulary) {
	if v.Quirks == nil || len(c.s.Facts().Quirks) == 0 {
		return
	}
	showing := v.Quirks()
	playable := slices.DeleteFunc(slices.Clone(v.Profiles), func(name string) bool {
		return len(c.s.Profiles) > 0 && !c.namesProfile(name)
	})
	for i, step := range c.s.Model {
		for j, name := range step.Quirks {
			here := at("model", i) + at("quirks", j)
			shownBy, known := showing[name]
			if _, exists := profiles.QuirkNamed(v.known(), name); !known && exists {
				c.expect(false, here, "no profile shows the quirk %s, so that the scenario is played under none: the profile of a provider that shows it says so, as in `quirks: {%s: {known-by: recorded, sources: [https://example.com]}}`", name, name)
				continue
			}
			if !known {
				c.word(here, "quirk", name, slices.Sorted(maps.Keys(showing)))
				continue
			}
			playable = slices.DeleteFunc(playable, func(p string) bool { return !slices.Contains(shownBy, p) })
			c.expect(len(playable) > 0, here, "%s", c.nowhere(name, shownBy))
		}
	}
}

// nowhere says why a quirk is shown by none of the profiles under which the scenario could be
// played.
func (c *checker) nowhere(name string, shownBy []string) string {
	what := "none of the profiles that show the quirks before it shows %s; it is shown by %s"
	if len(c.s.Profiles) > 0 {
		what = "none of the profiles that the scenario names shows the quirk %s; it is shown by %s"
	}
	return fmt.Sprintf(what, name, strings.Join(shownBy, ", "))
}
