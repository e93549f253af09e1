package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// Reason is why a scenario is not played in a dialect.
type Reason struct {
	// Why follows the title of the dialect and a colon: "a call has no index".
	Why string

	// Unseen says that the dialect could say it, and no provider is known that does.
	Unseen bool
}

// NotPlayedIn returns why a scenario is played under none of the profiles of a dialect, of all that
// are known, and false where it is played. The reason follows from what the scenario needs and what
// the dialect and its providers can say.
func (s *Scenario) NotPlayedIn(d *wire.Dialect, known []*profiles.Profile) (Reason, bool) {
	of := slices.DeleteFunc(slices.Clone(known), func(p *profiles.Profile) bool { return p.Speaks != d })
	if slices.ContainsFunc(of, s.PlayedUnder) {
		return Reason{}, false
	}
	f := s.Facts()
	if lacking := f.needsIn(d, known) &^ d.Abilities; lacking != 0 {
		return Reason{Why: lacking.Missing(), Unseen: lacking&^wire.Unseen == 0}, true
	}
	if !f.saidIn(d.Name) {
		return Reason{Why: "it was recorded in " + listed(f.Recorded)}, true
	}
	named := slices.DeleteFunc(slices.Clone(of), func(p *profiles.Profile) bool {
		return !s.isFor(p) || p.ByNameOnly && !slices.Contains(s.Profiles, p.Name)
	})
	for _, name := range f.Quirks {
		if !slices.ContainsFunc(named, func(p *profiles.Profile) bool { _, shown := p.Quirk(name); return shown }) {
			q, _ := profiles.QuirkNamed(known, name)
			return Reason{Why: "no provider is known that " + q.Does, Unseen: true}, true
		}
	}
	if len(named) == 0 {
		does := "do"
		if len(s.Profiles) == 1 {
			does = "does"
		}
		return Reason{Why: fmt.Sprintf("it is about what %s %s", listed(s.Profiles), does)}, true
	}
	return Reason{Why: fmt.Sprintf("under %s %s", listed(namesOf(named)), f.withoutUnder(named))}, true
}

// needsIn returns what a dialect needs to say what the scenario says, whatever the provider: also to
// have those of its quirks that it does not have.
func (f *Facts) needsIn(d *wire.Dialect, known []*profiles.Profile) wire.Abilities {
	needs := f.Needs
	for _, name := range f.Quirks {
		if _, has := d.Quirk(name); !has {
			q, _ := profiles.QuirkNamed(known, name)
			needs |= q.Needs
		}
	}
	return needs
}

// withoutUnder says what some profiles lack of the same dialect.
func (f *Facts) withoutUnder(named []*profiles.Profile) string {
	for _, p := range named {
		if lacking := f.Needs &^ p.Abilities; lacking != 0 {
			return lacking.Missing()
		}
		if kind := f.itemWithout(p); kind != "" {
			return "there are no items of the type " + kind
		}
	}
	return "not all of its quirks are known together"
}

func namesOf(all []*profiles.Profile) (names []string) {
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}

// listed lists words: "openai, vllm and mistral".
func listed(words []string) string {
	last := len(words) - 1
	if last <= 0 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
