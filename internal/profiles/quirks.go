package profiles

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/wire"
)

// Spoken returns the dialects of some profiles: first Loopproof's own but for drafts, then those
// that only these profiles speak.
func Spoken(all []*Profile) []*wire.Dialect { return spoken(dialect.All(), all) }

func spoken(all []*wire.Dialect, by []*Profile) []*wire.Dialect {
	for _, p := range by {
		if !slices.Contains(all, p.Speaks) {
			all = append(all, p.Speaks)
		}
	}
	return all
}

// Dialects returns the names of the dialects of some profiles.
func Dialects(all []*Profile) []string { return dialect.Names(Spoken(all)) }

// AllQuirks returns the quirks of the dialects of some profiles. Of one that several dialects have,
// it is that of the first.
func AllQuirks(known []*Profile) []wire.Quirk {
	var all []wire.Quirk
	seen := map[string]bool{}
	for _, d := range Spoken(known) {
		for _, q := range d.AllQuirks() {
			if !seen[q.Name] {
				all = append(all, q)
			}
			seen[q.Name] = true
		}
	}
	return all
}

// showWhatStandardsAllow adds the quirks that a standard allows to a profile of gateways: one that
// is like the provider of the dialect, and is played only where a scenario asks for a quirk.
func (p *Profile) showWhatStandardsAllow() {
	if !p.QuirksOnly || p.Like != p.Speaks.Standard {
		return
	}
	for _, q := range p.Speaks.AllQuirks() {
		if _, said := p.Quirk(q.Name); q.AllowedBy != "" && !said {
			p.Quirks = append(p.Quirks, Shown{Name: q.Name, Proof: Proof{KnownBy: Documented, Sources: []string{q.AllowedBy}}})
		}
	}
}

// QuirkNamed returns the quirk of a name in the dialects of some profiles, and false when there is
// none. One that several dialects have is the same in all of them but for how it is written.
func QuirkNamed(known []*Profile, name string) (wire.Quirk, bool) {
	for _, d := range Spoken(known) {
		if q, ok := d.Quirk(name); ok {
			return q, true
		}
	}
	return wire.Quirk{}, false
}
