package profiles

import (
	"cmp"
	"slices"
)

// Refusal says that a provider answers a violation of a rule with an error.
type Refusal struct {
	Rule   string `yaml:"rule"`
	Status int    `yaml:"status"`
	Words  `yaml:",inline"`

	// Only limits the refusal to some violations. The provider takes the others.
	Only Violations `yaml:"only"`

	// Instead are other words, and perhaps another status, for some of the violations.
	Instead []Otherwise `yaml:"instead"`

	// InSequence says that the provider looks at what it was sent before, too: the violation shows
	// in no request alone, so that the rule judges it, and the mock does not refuse it.
	InSequence bool `yaml:"in-sequence"`

	// Until is the version up to which the provider refused it. Such an entry is documented, and
	// has no effect.
	Until string `yaml:"until"`

	// OurWords says that the provider refuses it, but that its words for it were not found out:
	// these are ours.
	OurWords bool `yaml:"our-words"`

	Proof `yaml:",inline"`

	// Place is where the entry is in its file, for errors about it.
	Place string `yaml:"-"`

	usual []Otherwise // the words about what may break the form, if it has none of its own
}

// Refusal returns the entry by which the provider refuses a violation of the rule, and false when
// it does not.
func (p *Profile) Refusal(rule string) (Refusal, bool) {
	for i := range p.Refuses { // by index: an entry is large, and each rule asks for its own in each run
		if r := &p.Refuses[i]; r.Rule == rule && r.Until == "" {
			return *r, true
		}
	}
	return Refusal{}, false
}

// RefusesViolation reports whether the provider refuses a violation of the rule that is described
// by some values.
func (p *Profile) RefusesViolation(rule string, violation map[string]string) bool {
	r, ok := p.Refusal(rule)
	return ok && r.Refuses(violation)
}

// Refuses reports whether the provider refuses a violation that is described by some values.
func (r *Refusal) Refuses(violation map[string]string) bool {
	return len(r.Only) == 0 || slices.ContainsFunc(r.Only, func(of violations) bool { return of.hold(violation) })
}

// StatusOf returns the status of the error for a violation that is described by some values.
func (r *Refusal) StatusOf(violation map[string]string) int {
	if other := r.otherwise(violation); other != nil && other.Status != 0 {
		return other.Status
	}
	return r.Status
}

// WordsOf returns the provider's words for a violation that is described by some values.
func (r *Refusal) WordsOf(violation map[string]string) Words {
	if other := r.otherwise(violation); other != nil {
		return other.Words.Fill(violation)
	}
	return r.Words.Fill(violation)
}

// Answers returns the words that a violation may get with their status, each once: those of the
// refusal, and those about forms that it may have.
func (r *Refusal) Answers() (all []Otherwise) {
	given := slices.Concat([]Otherwise{{Words: r.Words}}, r.Instead, r.usual)
	for _, answer := range given {
		answer.Status = cmp.Or(answer.Status, r.Status)
		isSame := func(o Otherwise) bool { return o.Status == answer.Status && o.Message == answer.Message }
		if answer.Message != "" && !slices.ContainsFunc(all, isSame) {
			all = append(all, answer)
		}
	}
	return all
}

// Unworded returns those of some keywords of the form of requests for whose breach there are no
// words, though the refusal is about it.
func (r *Refusal) Unworded(keywords []string) []string {
	return slices.DeleteFunc(slices.Clone(keywords), func(keyword string) bool {
		isOf := func(of violations) bool { return len(of["breaks"]) == 0 || slices.Contains(of["breaks"], keyword) }
		isFor := func(o Otherwise) bool { return len(o.When) == 1 && o.When["breaks"] == keyword }
		return len(r.Only) > 0 && !slices.ContainsFunc(r.Only, isOf) || slices.ContainsFunc(slices.Concat(r.Instead, r.usual), isFor)
	})
}

// otherwise returns the other words for a violation: of the refusal or, if it has none of its own,
// of its provider for what breaks a form. It returns nil if there are none.
func (r *Refusal) otherwise(violation map[string]string) *Otherwise {
	for _, list := range [][]Otherwise{r.Instead, r.usual} {
		for i := range list {
			if list[i].fits(violation) {
				return &list[i]
			}
		}
	}
	return nil
}

// Otherwise are the words for violations that are described by these values, such as an index or
// what was found.
type Otherwise struct {
	When   map[string]string `yaml:"when"`
	Status int               `yaml:"status"` // 0: that of the refusal
	Words  `yaml:",inline"`
}

func (o *Otherwise) fits(violation map[string]string) bool {
	for name, value := range o.When {
		if violation[name] != value {
			return false
		}
	}
	return true
}
