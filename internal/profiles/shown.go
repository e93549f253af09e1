package profiles

import "slices"

// Shown says that a provider was seen to show a quirk.
type Shown struct {
	Name string `yaml:"~key"`

	// Always says that the shape of the profile has it already: there is nothing to add where a
	// scenario asks for it, and nothing to leave out.
	Always bool `yaml:"always"`

	// Until is the version or the time up to which the provider was seen to show the quirk, where
	// it no longer does: such an entry makes no rule a must.
	Until string `yaml:"until"`

	// Unseen says that the provider's reference allows the quirk, and that none of its answers was
	// seen to show it. Such an entry makes no rule a must either.
	Unseen bool `yaml:"unseen"`

	Proof `yaml:",inline"`
}

// Sure reports whether the provider is known to show the quirk today, and not only from reports of
// its users.
func (s Shown) Sure() bool {
	return s.Until == "" && !s.Unseen && slices.Contains([]KnownBy{Executed, Documented, Recorded, Measured}, s.KnownBy)
}

// Quirk returns the entry of a quirk, and false when the provider was not seen to show it.
func (p *Profile) Quirk(name string) (Shown, bool) {
	i := slices.IndexFunc(p.Quirks, func(s Shown) bool { return s.Name == name })
	if i < 0 {
		return Shown{}, false
	}
	return p.Quirks[i], true
}

// AlwaysShows reports whether the provider cannot do without one of some quirks.
func (p *Profile) AlwaysShows(quirks []string) bool {
	return slices.ContainsFunc(p.Quirks, func(s Shown) bool { return s.Always && slices.Contains(quirks, s.Name) })
}
